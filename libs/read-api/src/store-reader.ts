import { failure, type Result, RetryableError, success } from '@latch/contracts';
import { type EventStore } from '@latch/event-store';
import { type BundleReads } from '@latch/evidence';
import { type ComponentHealth, type Logger } from '@latch/observability';
import { type Refusal } from '@latch/http';

/** The reads that the HTTP APIs make. */
export type StoreReads = Pick<
  EventStore,
  | 'readConversation'
  | 'readEvents'
  | 'countEvents'
  | 'readTurn'
  | 'readTurns'
  | 'readConfigVersion'
  | 'listTransactions'
  | 'countTransactions'
  | 'readTransaction'
  | 'verifyStream'
  | 'isHealthy'
  | 'close'
> &
  Pick<BundleReads, 'now' | 'streams' | 'evidence'>;

/**
 * Reads from the event store, opened with the first read and not before: a service that reads must live without a database, as ingress accepts messages
 * without one. While the store is away a read is refused and the next one tries again.
 */
export class StoreReader {
  private opened: Promise<StoreReads> | undefined;
  private store: StoreReads | undefined;

  constructor(
    private readonly open: () => Promise<StoreReads>,
    private readonly logger: Logger,
  ) {}

  /** Runs one read. @returns `store.unavailable` when the database does not answer. */
  async read<T>(work: (store: StoreReads) => Promise<T>): Promise<Result<T, Refusal>> {
    try {
      return success(await work(await this.connect()));
    } catch (error) {
      if (!(error instanceof RetryableError)) throw error;
      this.logger.warn('store.read_failed', { error });
      return failure({ status: 503, code: 'store.unavailable', retryAfterSeconds: 2 });
    }
  }

  /** What an operator should know of the store. It does not decide about readiness: what needs no database goes on without one. */
  health(): ComponentHealth {
    if (!this.store) return { ok: true, detail: 'not opened yet' };
    return { ok: true, detail: this.store.isHealthy() ? 'connected' : 'away: reads answer 503' };
  }

  async close(): Promise<void> {
    const opened = await this.opened?.catch(() => undefined);
    await opened?.close();
  }

  private async connect(): Promise<StoreReads> {
    try {
      this.opened ??= this.open();
      this.store = await this.opened;
      return this.store;
    } catch (error) {
      this.opened = undefined;
      throw new RetryableError('The event store cannot be opened.', { cause: error });
    }
  }
}
