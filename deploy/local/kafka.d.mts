/** Types of kafka.mjs, for the TypeScript that starts the local Kafka. */
export type KafkaSecurityOptions = {
  listeners(port: number): readonly string[];
  /** Lines of server.properties. */
  readonly properties: string;
  /** What the formatting of the data folder is told: the users. */
  readonly formatArgs: readonly string[];
};
export type KafkaOptions = {
  readonly folder?: string;
  readonly port?: number;
  readonly controllerPort?: number;
  readonly heapMb?: number;
  readonly security?: KafkaSecurityOptions;
  readonly onProgress?: (text: string) => void;
};
export type RunningKafka = {
  /** For `KAFKA_BROKERS`. */
  readonly brokers: string;
  readonly pid: number;
  readonly version: string;
  readonly logFile: string;
  stop(): Promise<boolean>;
};
export const kafkaVersion: string;
export function canRunKafka(): { readonly ok: boolean; readonly reason: string };
export function startKafka(options?: KafkaOptions): Promise<RunningKafka>;
export function stopKafka(options?: KafkaOptions): Promise<boolean>;
export function kafkaStatus(
  options?: KafkaOptions,
): { readonly pid: number; readonly port: number; readonly brokers: string; readonly version: string } | undefined;
export function fetchKafka(options?: Pick<KafkaOptions, 'onProgress'>): Promise<string>;
