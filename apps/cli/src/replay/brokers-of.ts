import { type CliSettings } from '../config.ts';
import { findRunningSystem } from '../system/running-file.ts';
import { systemOptionsFrom } from '../system/system-options.ts';
import { progress } from '../terminal.ts';

/** The brokers that the settings name, or those of the system that runs here. @throws Error when there are none. */
export function brokersOf(settings: CliSettings): readonly string[] {
  const { brokers, stateFolder } = systemOptionsFrom(settings, progress);
  if (brokers.length > 0) return brokers;
  const bus = findRunningSystem(stateFolder)?.bus;
  if (bus && bus.kind !== 'memory') return bus.where.split(',');
  throw new Error('no Kafka: set KAFKA_BROKERS, or start the system here with `npm start`');
}
