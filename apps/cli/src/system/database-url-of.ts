import { type CliSettings } from '../config.ts';
import { findRunningSystem } from './running-file.ts';

/** The database that the settings name, or the one of the system that runs here. @throws Error when there is none. */
export function databaseUrlOf(settings: CliSettings, stateFolder: string): string {
  if (settings.DATABASE_URL !== undefined) return settings.DATABASE_URL;
  const database = findRunningSystem(stateFolder)?.database;
  if (database?.kind === 'local') return `postgres://latch@${database.where}`;
  throw new Error('no event store: set DATABASE_URL, or start the system here with `npm start`');
}
