/** Types of kafka.mjs for the TypeScript side. */
export const kafkaVersion: string;

export type LocalKafkaOptions = {
  readonly folder?: string;
  readonly port?: number;
  readonly controllerPort?: number;
  readonly heapMb?: number;
  readonly onProgress?: (line: string) => void;
};

export function canRunKafka(): { readonly ok: boolean; readonly reason: string };
export function kafkaStatus(
  options?: LocalKafkaOptions,
): { readonly pid: number; readonly port: number; readonly brokers: string; readonly version: string } | undefined;
export function startKafka(options?: LocalKafkaOptions): Promise<{
  readonly brokers: string;
  readonly pid: number;
  readonly version: string;
  readonly logFile: string;
  stop(): Promise<boolean>;
}>;
export function stopKafka(options?: LocalKafkaOptions): Promise<boolean>;
