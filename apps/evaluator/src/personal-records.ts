import { type PersonalData } from '@latch/config';
import { isErased, type Maintenance, RecordSealing, type SealableRecord } from '@latch/event-store';

type Turn = {
  readonly eventId: string;
  readonly tenantId: string;
  readonly conversationKey: string;
  readonly envelope: object | string;
};
type Evidence = {
  readonly eventId: string;
  readonly tenantId: string;
  readonly conversationKey: string;
  readonly result: object | string;
};
type Verdict = {
  readonly resultId: string;
  readonly tenantId: string;
  readonly conversationKey: string;
  readonly result: object | string;
};

/** What the evaluator's tables hold of people, sealed under the keys of their conversations: whoever is erased in the store is erased here. */
export class PersonalRecords {
  private readonly sealing: RecordSealing | null;

  constructor(
    private readonly maintenance: Maintenance | null,
    personalData: PersonalData = 'clear',
  ) {
    this.sealing = maintenance && new RecordSealing(maintenance, personalData);
  }

  /** Answers that wait, as they are stored. */
  async sealTurns<T extends Turn>(rows: readonly T[]): Promise<readonly T[]> {
    const values = await this.seal(rows.map(turnRecord));
    return rows.map((row, index) => ({ ...row, envelope: values[index] ?? '' }));
  }

  /** Answers that wait, as they came; without those that were erased. */
  async openTurns<T extends Turn>(rows: readonly T[]): Promise<readonly T[]> {
    const values = await this.open(rows.map(turnRecord));
    return rows
      .map((row, index) => ({ ...row, envelope: values[index] ?? '' }))
      .filter(({ envelope }) => !isErased(envelope));
  }

  /** Tool results, as they are stored. */
  async sealEvidence<T extends Evidence>(
    rows: readonly T[],
  ): Promise<readonly (Omit<T, 'result'> & { readonly result: object | string })[]> {
    const values = await this.seal(rows.map(evidenceRecord));
    return rows.map((row, index) => ({ ...row, result: values[index] ?? '' }));
  }

  /** Tool results, as they came; without those that were erased. */
  async openEvidence<T extends Evidence>(rows: readonly T[]): Promise<readonly T[]> {
    const values = await this.open(rows.map(evidenceRecord));
    return rows
      .map((row, index) => ({ ...row, result: values[index] ?? '' }))
      .filter(({ result }) => !isErased(result));
  }

  /** Verdicts, as they are stored. */
  async sealResults<T extends Verdict>(rows: readonly T[]): Promise<readonly T[]> {
    const values = await this.seal(rows.map(verdictRecord));
    return rows.map((row, index) => ({ ...row, result: values[index] ?? '' }));
  }

  /** Verdicts, as they were given; without those that were erased. */
  async openResults<T extends Verdict>(rows: readonly T[]): Promise<readonly T[]> {
    const values = await this.open(rows.map(verdictRecord));
    return rows
      .map((row, index) => ({ ...row, result: values[index] ?? '' }))
      .filter(({ result }) => !isErased(result));
  }

  async close(): Promise<void> {
    await this.maintenance?.close();
  }

  private async seal(records: readonly SealableRecord[]): Promise<readonly (object | string)[]> {
    return (this.sealing === null ? records.map(({ value }) => value) : await this.sealing.seal(records)).map(storable);
  }

  private async open(records: readonly SealableRecord[]): Promise<readonly (object | string)[]> {
    return (this.sealing === null ? records.map(({ value }) => value) : await this.sealing.open(records)).map(storable);
  }
}

function turnRecord({ tenantId, conversationKey, eventId, envelope }: Turn): SealableRecord {
  return { tenantId, conversationKey, field: 'evaluation_turns.envelope', id: eventId, value: envelope };
}

function evidenceRecord({ tenantId, conversationKey, eventId, result }: Evidence): SealableRecord {
  return { tenantId, conversationKey, field: 'evaluation_evidence.result', id: eventId, value: result };
}

function verdictRecord({ tenantId, conversationKey, resultId, result }: Verdict): SealableRecord {
  return { tenantId, conversationKey, field: 'evaluation_results.result', id: resultId, value: result };
}

/** What a JSON column of ours holds: an object, or a sealed text. */
function storable(value: unknown): object | string {
  return typeof value === 'object' && value !== null ? value : String(value);
}
