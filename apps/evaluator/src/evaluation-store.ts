import { EvaluationResult, EventEnvelope, ToolResult } from '@latch/contracts';
import { asStoreError, createDataSource } from '@latch/event-store';
import { type ReceivedEnvelope } from '@latch/messaging';
import { type Logger } from '@latch/observability';
import { type DataSource, type EntityManager, In, QueryFailedError, Raw, TypeORMError } from 'typeorm';
import { EvaluationEntity, EvidenceEntity, WaitingTurnEntity } from './evaluation.entity.ts';

/** A tool result as it came, and the conversation and transaction that it belongs to. */
export type KeptEvidence = {
  readonly eventId: string;
  readonly tenantId: string;
  readonly conversationKey: string;
  readonly transactionId: string | null;
  readonly result: ToolResult;
};

type Source = Pick<DataSource, 'transaction' | 'query' | 'destroy'>;

/** An answer, as far as it must be known to be found. */
type KeptAnswer = Pick<ReceivedEnvelope, 'event_id' | 'tenant_id'>;

/** A conversation and whose it is. */
type TenantConversation = Pick<ReceivedEnvelope, 'conversation_key' | 'tenant_id'>;

/** The evaluator's own tables: evidence, turns that wait for theirs, and results. Every use opens the rows of the tenants that it is about, and of no others. */
export class EvaluationStore {
  private lastError: unknown;

  constructor(private readonly source: Source) {}

  /** Keeps what a batch brought; what is known is left as it is. */
  async remember(evidence: readonly KeptEvidence[], answers: readonly ReceivedEnvelope[]): Promise<void> {
    const turns = answers.map((envelope) => ({
      eventId: envelope.event_id,
      tenantId: envelope.tenant_id,
      conversationKey: envelope.conversation_key,
      envelope,
    }));
    const tenants = [...evidence.map(({ tenantId }) => tenantId), ...turns.map(({ tenantId }) => tenantId)];
    await this.within(tenants, async (manager) => {
      if (evidence.length > 0) {
        await manager
          .createQueryBuilder()
          .insert()
          .into(EvidenceEntity)
          .values([...evidence])
          .orIgnore()
          .execute();
      }
      if (turns.length > 0) {
        await manager.createQueryBuilder().insert().into(WaitingTurnEntity).values(turns).orIgnore().execute();
      }
    });
  }

  /** The answers of these conversations that are not judged yet, oldest first. */
  async waitingIn(conversations: readonly TenantConversation[]): Promise<readonly ReceivedEnvelope[]> {
    const conversationKey = In([...new Set(conversations.map(({ conversation_key }) => conversation_key))]);
    const isNotSetAside = Raw((column) => `${column} < 'infinity'`);
    const found = await this.within(tenantsOf(conversations), (manager) =>
      manager.find(WaitingTurnEntity, {
        where: { conversationKey, receivedAt: isNotSetAside },
        order: { receivedAt: 'ASC', eventId: 'ASC' },
      }),
    );
    return found.map(envelopeOf);
  }

  /** Answers of all tenants that were received before an instant and are not judged yet, oldest first. */
  async waitingSince(before: Date, limit: number): Promise<readonly ReceivedEnvelope[]> {
    const statement = `SELECT event_id AS "eventId", conversation_key AS "conversationKey", envelope FROM waiting_turns_before($1, $2)`;
    const found = await this.use((source) => source.query<WaitingTurn[]>(statement, [before, limit]));
    return found.map(envelopeOf);
  }

  /** The tool results that these answers may rest on: what caused them, and the rest of its transaction and of theirs. Oldest first. */
  async evidenceFor(answers: readonly ReceivedEnvelope[]): Promise<readonly KeptEvidence[]> {
    const causes = answers.flatMap(({ causation_id }) => causation_id ?? []);
    const transactions = answers.flatMap(({ transaction_id }) => transaction_id ?? []);
    const found = await this.within(tenantsOf(answers), (manager) =>
      manager
        .createQueryBuilder(EvidenceEntity, 'evidence')
        .where('evidence.event_id = ANY(:causes)', { causes })
        .orWhere('evidence.transaction_id = ANY(:transactions)', { transactions })
        .orWhere(
          'evidence.transaction_id IN (SELECT c.transaction_id FROM evaluation_evidence c WHERE c.event_id = ANY(:causes))',
        )
        .orderBy('evidence.received_at')
        .addOrderBy('evidence.event_id')
        .getMany(),
    );
    return found.map((row) => ({ ...row, result: ToolResult.parse(row.result) }));
  }

  /** Stores results, each once. @returns them as they are stored: of a repeated evaluation, the first. */
  async save(results: readonly EvaluationResult[]): Promise<readonly EvaluationResult[]> {
    if (results.length === 0) return [];
    return this.within(tenantsOf(results), async (manager) => {
      await manager
        .createQueryBuilder()
        .insert()
        .into(EvaluationEntity)
        .values(results.map(entityOf))
        .orIgnore()
        .execute();
      const stored = await manager.findBy(EvaluationEntity, {
        resultId: In(results.map(({ result_id }) => result_id)),
      });
      return stored.map(({ result }) => EvaluationResult.parse(result));
    });
  }

  /** Lets go of answers whose evaluation is published. */
  async forget(answers: readonly KeptAnswer[]): Promise<void> {
    if (answers.length === 0) return;
    const eventIds = answers.map(({ event_id }) => event_id);
    await this.within(tenantsOf(answers), (manager) => manager.delete(WaitingTurnEntity, eventIds));
  }

  /**
   * Leaves answers out of every later look, and keeps them: they count as received at the end of time. Who has mended the cause gives them their time back
   * (`received_at`), and they are judged.
   */
  async setAside(answers: readonly KeptAnswer[]): Promise<void> {
    const statement = `UPDATE evaluation_turns SET received_at = 'infinity' WHERE event_id = ANY($1::text[])`;
    const eventIds = answers.map(({ event_id }) => event_id);
    await this.within(tenantsOf(answers), (manager) => manager.query(statement, [eventIds]));
  }

  /** Deletes evidence of all tenants that was received before an instant. */
  async forgetEvidenceBefore(before: Date): Promise<void> {
    await this.use((source) => source.query('SELECT forget_evidence_before($1)', [before]));
  }

  /** The evaluations of a conversation of a tenant, newest first. */
  async list(of: {
    readonly tenantId: string;
    readonly conversationKey: string;
    readonly limit: number;
  }): Promise<readonly EvaluationResult[]> {
    const { tenantId, conversationKey, limit } = of;
    const found = await this.within([tenantId], (manager) =>
      manager.find(EvaluationEntity, {
        where: { tenantId, conversationKey },
        order: { evaluatedAt: 'DESC', resultId: 'DESC' },
        take: limit,
      }),
    );
    return found.map(({ result }) => EvaluationResult.parse(result));
  }

  /** The database clock. */
  async now(): Promise<Date> {
    const [row] = await this.use((source) => source.query<{ now: Date }[]>('SELECT clock_timestamp() AS now'));
    return row?.now ?? new Date();
  }

  /** Whether the last use of the database succeeded. */
  isHealthy(): boolean {
    return this.lastError === undefined;
  }

  async close(): Promise<void> {
    await this.source.destroy();
  }

  /** Runs `work` in a transaction that sees and writes rows of these tenants only (row-level security). */
  private async within<T>(tenants: readonly string[], work: (manager: EntityManager) => Promise<T>): Promise<T> {
    return this.use((source) =>
      source.transaction(async (manager) => {
        await manager.query(`SELECT set_config('app.tenants', $1::text[]::text, true)`, [[...new Set(tenants)]]);
        return work(manager);
      }),
    );
  }

  /** @throws RetryableError when the database does not answer: the batch is repeated, never dead-lettered for it. */
  private async use<T>(work: (source: Source) => Promise<T>): Promise<T> {
    try {
      const result = await work(this.source);
      this.lastError = undefined;
      return result;
    } catch (error) {
      this.lastError = error;
      throw readError(error);
    }
  }
}

/** Opens the evaluator's tables. */
export async function openEvaluationStore(databaseUrl: string, logger: Logger): Promise<EvaluationStore> {
  const source = createDataSource(databaseUrl, {
    entities: [EvidenceEntity, WaitingTurnEntity, EvaluationEntity],
    applicationName: 'latch-evaluator',
    logger,
    role: 'latch_evaluator',
  });
  return new EvaluationStore(await source.initialize());
}

function tenantsOf(rows: readonly { readonly tenant_id: string }[]): readonly string[] {
  return [...new Set(rows.map(({ tenant_id }) => tenant_id))];
}

type WaitingTurn = Pick<WaitingTurnEntity, 'eventId' | 'conversationKey' | 'envelope'>;

function envelopeOf({ envelope, eventId, conversationKey }: WaitingTurn): ReceivedEnvelope {
  return { ...EventEnvelope.parse(envelope), event_id: eventId, conversation_key: conversationKey };
}

function entityOf(result: EvaluationResult): EvaluationEntity {
  return {
    resultId: result.result_id,
    tenantId: result.tenant_id,
    agentId: result.agent_id,
    conversationKey: result.conversation_key,
    turnId: result.turn_id ?? null,
    transactionId: result.transaction_id ?? null,
    runId: result.run_id,
    verdict: result.verdict,
    evaluatedAt: new Date(result.evaluated_at),
    result,
  };
}

/** TypeORM wraps what the server says; what it says itself is about a wrong query, and so a bug. */
function readError(error: unknown): unknown {
  if (error instanceof QueryFailedError) return asStoreError(error.driverError);
  return error instanceof TypeORMError ? error : asStoreError(error);
}
