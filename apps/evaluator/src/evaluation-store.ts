import { EvaluationResult, EventEnvelope, ToolResult } from '@latch/contracts';
import { type PersonalData } from '@latch/config';
import { asStoreError, createDataSource, openMaintenance } from '@latch/event-store';
import { type ReceivedEnvelope } from '@latch/messaging';
import { type Logger } from '@latch/observability';
import { type DataSource, type EntityManager, In, QueryFailedError, Raw, TypeORMError } from 'typeorm';
import { EvaluationEntity, EvidenceEntity, WaitingTurnEntity } from './evaluation.entity.ts';
import { PersonalRecords } from './personal-records.ts';

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
  constructor(
    private readonly source: Source,
    private readonly personal: PersonalRecords = new PersonalRecords(null),
  ) {}

  /** Keeps what a batch brought; what is known is left as it is. */
  async remember(evidence: readonly KeptEvidence[], answers: readonly ReceivedEnvelope[]): Promise<void> {
    const turns = await this.personal.sealTurns(
      answers.map((envelope) => ({
        eventId: envelope.event_id,
        tenantId: envelope.tenant_id,
        conversationKey: envelope.conversation_key,
        envelope,
      })),
    );
    const sealed = await this.personal.sealEvidence(evidence);
    const tenants = [...evidence.map(({ tenantId }) => tenantId), ...turns.map(({ tenantId }) => tenantId)];
    await this.within(tenants, async (manager) => {
      if (evidence.length > 0) {
        await manager
          .createQueryBuilder()
          .insert()
          .into(EvidenceEntity)
          .values([...sealed])
          .orIgnore()
          .execute();
      }
      if (turns.length > 0) {
        await manager
          .createQueryBuilder()
          .insert()
          .into(WaitingTurnEntity)
          .values([...turns])
          .orIgnore()
          .execute();
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
    return this.opened(found);
  }

  /** Answers of all tenants that were received before an instant and are not judged yet, oldest first. */
  async waitingSince(before: Date, limit: number): Promise<readonly ReceivedEnvelope[]> {
    const statement = `SELECT event_id AS "eventId", tenant_id AS "tenantId", conversation_key AS "conversationKey", envelope FROM waiting_turns_before($1, $2)`;
    return this.opened(await this.use((source) => source.query<WaitingTurn[]>(statement, [before, limit])));
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
    const opened = await this.personal.openEvidence(found);
    return opened.map((row) => ({ ...row, result: ToolResult.parse(row.result) }));
  }

  /** Stores results, each once. @returns them as they are stored: of a repeated evaluation, the first. */
  async save(results: readonly EvaluationResult[]): Promise<readonly EvaluationResult[]> {
    if (results.length === 0) return [];
    const rows = await this.personal.sealResults(results.map(entityOf));
    const stored = await this.within(tenantsOf(results), async (manager) => {
      await manager
        .createQueryBuilder()
        .insert()
        .into(EvaluationEntity)
        .values([...rows])
        .orIgnore()
        .execute();
      return manager.findBy(EvaluationEntity, { resultId: In(results.map(({ result_id }) => result_id)) });
    });
    return resultsIn(await this.personal.openResults(stored));
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
    return resultsIn(await this.personal.openResults(found));
  }

  /** The database clock. */
  async now(): Promise<Date> {
    const [row] = await this.use((source) => source.query<{ now: Date }[]>('SELECT clock_timestamp() AS now'));
    return row?.now ?? new Date();
  }

  async close(): Promise<void> {
    await this.source.destroy();
    await this.personal.close();
  }

  /** Waiting answers as they came; those of somebody who was erased since are let go of: there is nothing left to judge. */
  private async opened(rows: readonly WaitingTurn[]): Promise<readonly ReceivedEnvelope[]> {
    const turns = await this.personal.openTurns(rows);
    const gone = rows.filter(({ eventId }) => !turns.some((turn) => turn.eventId === eventId));
    await this.forget(gone.map(({ eventId, tenantId }) => ({ event_id: eventId, tenant_id: tenantId })));
    return turns.map(envelopeOf);
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
      return await work(this.source);
    } catch (error) {
      throw readError(error);
    }
  }
}

/** Opens the evaluator's tables. */
export async function openEvaluationStore(
  databaseUrl: string,
  logger: Logger,
  personalData: PersonalData = 'clear',
): Promise<EvaluationStore> {
  const source = await createDataSource(databaseUrl, {
    entities: [EvidenceEntity, WaitingTurnEntity, EvaluationEntity],
    applicationName: 'latch-evaluator',
    logger,
    role: 'latch_evaluator',
  });
  const maintenance = openMaintenance({ databaseUrl, personalData, logger, role: 'latch_evaluator' });
  return new EvaluationStore(await source.initialize(), new PersonalRecords(maintenance, personalData));
}

function tenantsOf(rows: readonly { readonly tenant_id: string }[]): readonly string[] {
  return [...new Set(rows.map(({ tenant_id }) => tenant_id))];
}

type WaitingTurn = Pick<WaitingTurnEntity, 'eventId' | 'tenantId' | 'conversationKey' | 'envelope'>;

function resultsIn(rows: readonly EvaluationEntity[]): readonly EvaluationResult[] {
  return rows.map(({ result }) => EvaluationResult.parse(result));
}

function envelopeOf({ envelope, eventId, conversationKey }: Omit<WaitingTurn, 'tenantId'>): ReceivedEnvelope {
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
