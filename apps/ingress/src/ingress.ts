import { type PlatformConfig } from '@latch/contracts';
import { type Bus } from '@latch/messaging';
import { type Logger, type Metrics } from '@latch/observability';
import { type StoreReader } from '@latch/read-api';
import { type ReplyHub } from './reply-hub.ts';

/** Everything that the controllers of one ingress share. */
export type Ingress = {
  readonly config: Pick<PlatformConfig, 'agents' | 'defaultAgentId' | 'defaultTenantId'>;
  readonly bus: Pick<Bus, 'publish'>;
  readonly hub: ReplyHub;
  readonly store: StoreReader;
  readonly logger: Logger;
  readonly metrics: Pick<Metrics, 'turns' | 'turnDuration'>;
  /** How long a publish may take before the caller is told to come again. */
  readonly publishTimeoutMs: number;
};

/** Injection token of `Ingress`. */
export const ingressToken = Symbol('ingress');
