import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A tool result, kept for the answers that report it. */
@Entity('evaluation_evidence')
export class EvidenceEntity {
  @PrimaryColumn('text', { name: 'event_id' })
  eventId!: string;

  @Column('text', { name: 'tenant_id' })
  tenantId!: string;

  @Column('text', { name: 'conversation_key' })
  conversationKey!: string;

  @Column('text', { name: 'transaction_id', nullable: true })
  transactionId!: string | null;

  /** A ToolResult. */
  @Column('json')
  result!: object | string;

  @Column({ type: 'timestamptz', name: 'received_at', insert: false, update: false })
  receivedAt!: Date;
}

/** An answer that is not judged yet; it goes when its evaluation is published. */
@Entity('evaluation_turns')
export class WaitingTurnEntity {
  @PrimaryColumn('text', { name: 'event_id' })
  eventId!: string;

  @Column('text', { name: 'tenant_id' })
  tenantId!: string;

  @Column('text', { name: 'conversation_key' })
  conversationKey!: string;

  /** The envelope of the answer. */
  @Column('json')
  envelope!: object | string;

  @Column({ type: 'timestamptz', name: 'received_at', insert: false, update: false })
  receivedAt!: Date;
}

/** What the judges said of a turn. */
@Entity('evaluation_results')
export class EvaluationEntity {
  @PrimaryColumn('text', { name: 'result_id' })
  resultId!: string;

  @Column('text', { name: 'tenant_id' })
  tenantId!: string;

  @Column('text', { name: 'agent_id' })
  agentId!: string;

  @Column('text', { name: 'conversation_key' })
  conversationKey!: string;

  @Column('text', { name: 'turn_id', nullable: true })
  turnId!: string | null;

  @Column('text', { name: 'transaction_id', nullable: true })
  transactionId!: string | null;

  @Column('text', { name: 'run_id' })
  runId!: string;

  @Column('text')
  verdict!: string;

  @Column('timestamptz', { name: 'evaluated_at' })
  evaluatedAt!: Date;

  /** The EvaluationResult, whole. */
  @Column('json')
  result!: object | string;
}
