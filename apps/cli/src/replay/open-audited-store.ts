import { type PersonalData } from '@latch/config';
import { type EventStore, openEventStore, type StoreRole } from '@latch/event-store';
import { type Logger } from '@latch/observability';

/** What opens the event store. It holds the keys of personal data: it never leaves the process, and is never printed or logged. */
export type StoreAccess = { readonly databaseUrl: string; readonly personalData: PersonalData };

const nothing = (): void => undefined;

/** Made here: `createLogger` comes with the rooms of a service, which take a worker of a replay as long to load as everything else. */
const silent: Logger = {
  ...{ trace: nothing, debug: nothing, info: nothing, warn: nothing, error: nothing, fatal: nothing },
  child: () => silent,
};

/** Opens the event store for who closes it himself, and says nothing in the log. @throws RetryableError when the database does not answer. */
export function openAuditedStore(access: StoreAccess, role: StoreRole = 'latch_auditor'): Promise<EventStore> {
  return openEventStore({ ...access, producer: 'latch-replay', logger: silent, poolSize: 3, role });
}
