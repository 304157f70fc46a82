import { type AggregateOutcome, type GatewayRequest, type ItemOutcome, type TransactionStatus } from '@latch/contracts';
import { type ServiceName } from '../system/services.ts';
import { type FaultOrder } from './domain-server-client.ts';

/** The sample servers by the role that they play. */
export type DomainServerName = 'mcp-telecom' | 'mcp-retail';

/** What must be true of the answer to one message. */
export type ExpectedAnswer = {
  readonly status: TransactionStatus;
  readonly intent?: string;
  /** Exactly these parameters are missing. @default none */
  readonly missing?: readonly string[];
  /** Each stands in the text exactly once. */
  readonly names?: readonly string[];
  /** Each stands in the text. */
  readonly says?: readonly string[];
  /** None of them stands in the text. */
  readonly neverSays?: readonly string[];
  readonly outcome?: AggregateOutcome;
  /** Every item by label, in order, with what became of it. */
  readonly items?: readonly { readonly label: string; readonly outcome: ItemOutcome }[];
  readonly errorCategory?: string;
};

/** One step of a conversation: a message with what must come back, or something that happens to the system. */
export type Step =
  | {
      readonly kind: 'say';
      readonly text: string;
      readonly inputs?: GatewayRequest['payload']['inputs'];
      readonly expect: ExpectedAnswer;
    }
  /** `kill -9`; goes on when the supervisor has started it again and it can work. */
  | { readonly kind: 'kill'; readonly service: ServiceName }
  /** An outage: `kill -9`, and down until `release`. */
  | { readonly kind: 'hold'; readonly service: ServiceName }
  | { readonly kind: 'release'; readonly service: ServiceName }
  | { readonly kind: 'fault'; readonly server: DomainServerName; readonly fault: FaultOrder };

/** A `tools/call` that a domain server must have seen; `arguments` are complete. */
export type ExpectedCall = { readonly tool: string; readonly arguments: Readonly<Record<string, unknown>> };

/** A conversation that is played through HTTP, with everything that must hold. */
export type Scenario = {
  readonly id: string;
  readonly title: string;
  readonly agentId: string;
  readonly server: DomainServerName;
  readonly businessContext?: GatewayRequest['payload']['business_context'];
  readonly steps: readonly Step[];
  /** Calls that the domain server answered, in order; none beside them. */
  readonly calls: readonly ExpectedCall[];
  /** Things that were changed in the domain, in all. */
  readonly effects: number;
  /** Event types that the stored stream must hold, in this order, others between them. */
  readonly events: readonly string[];
};
