import { type Authority } from './certificates.mjs';
import { type KafkaSecurityOptions } from './kafka.mjs';

/** Types of kafka-security.mjs. */
export const administrator: string;
export function secureKafka(options: {
  readonly folder: string;
  readonly mutualPort: number;
  readonly users: Readonly<Record<string, string>>;
  readonly reauthenticateMs?: number;
}): { readonly authority: Authority; readonly mutualPort: number; readonly security: KafkaSecurityOptions };
