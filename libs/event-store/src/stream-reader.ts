import { type Database, type Sql } from './database.ts';
import { type PersonalVault } from './personal-vault.ts';
import { readConversation } from './read-conversation.ts';
import { unsealPage } from './read-sealed.ts';
import {
  countStreams,
  cutStreams,
  readStream,
  readStreams,
  type StoredStream,
  type StreamFilter,
} from './read-streams.ts';
import { everyTenant } from './tenant-scope.ts';

/** Reads whole streams, opened: what a replay works on. Streams of all tenants are for roles that may see every tenant. */
export class StreamReader {
  constructor(
    private readonly database: Pick<Database, 'within'>,
    private readonly vault: PersonalVault,
  ) {}

  /** Streams one after the other, with bounded memory. Of all tenants, unless the filter names one. */
  read(filter: StreamFilter = {}): AsyncGenerator<StoredStream, void, undefined> {
    const sql = this.within(filter.tenantId);
    return readStreams(sql, filter, (page) => unsealPage(sql, page, this.vault));
  }

  /** The same streams in stretches of at most so many, in order, each a filter of its own: for who reads them side by side. */
  cut(filter: StreamFilter, most: number): AsyncGenerator<StreamFilter, void, undefined> {
    return cutStreams(this.within(filter.tenantId), filter, most);
  }

  /** How many streams a filter lets through. */
  async count(filter: StreamFilter = {}): Promise<number> {
    return countStreams(this.within(filter.tenantId), filter);
  }

  /** The stream of one conversation, whole; undefined when there is none. */
  async one(tenantId: string, conversationKey: string): Promise<StoredStream | undefined> {
    const sql = this.within(tenantId);
    const conversation = await readConversation(sql, tenantId, conversationKey);
    const stream = conversation && (await readStream(sql, conversation));
    return stream && (await unsealPage(sql, [stream], this.vault))[0];
  }

  private within(tenantId: string | undefined): Sql {
    return this.database.within(tenantId === undefined ? everyTenant : { tenants: [tenantId] });
  }
}
