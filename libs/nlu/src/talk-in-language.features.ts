import {
  type AgentConfig,
  ConversationKey,
  InvocationId,
  type IntentConfig,
  type Locale,
  ToolResult,
  TurnId,
} from '@latch/contracts';
import {
  type ConversationState,
  decide,
  evolve,
  expectationOf,
  explainTurn,
  findTurn,
  initialState,
  type RankedState,
  type TransactionEvent,
  type TransactionInput,
} from '@latch/transaction';
import { agent, intent, now, parameter, tool } from './sample-agents.features.ts';
import { understand } from './understand.ts';

/** What a shop's customer says in one language, beside `messageExamples`. */
type Phrases = {
  readonly returnOrder: string;
  readonly cancelOrder: string;
  readonly cancelService: string;
  readonly trackOrder: string;
  readonly hours: string;
  readonly yes: string;
  readonly domainWords: readonly string[];
};

const phrases: Readonly<Record<Locale, Phrases>> = {
  'pt-BR': {
    returnOrder: 'quero devolver uma compra',
    cancelOrder: 'quero cancelar pedido',
    cancelService: 'quero encerrar a assinatura',
    trackOrder: 'quero rastrear pedido',
    hours: 'qual o horário de atendimento',
    yes: 'sim',
    domainWords: ['pedido', 'entrega'],
  },
  en: {
    returnOrder: 'I want to return a purchase',
    cancelOrder: 'I want to cancel an order',
    cancelService: 'I want to end the subscription',
    trackOrder: 'I want to track an order',
    hours: 'what are your opening hours',
    yes: 'yes',
    domainWords: ['order', 'delivery'],
  },
  es: {
    returnOrder: 'quiero devolver una compra',
    cancelOrder: 'quiero cancelar un pedido',
    cancelService: 'quiero terminar la suscripción',
    trackOrder: 'quiero rastrear un pedido',
    hours: 'cuál es el horario de atención',
    yes: 'sí',
    domainWords: ['pedido', 'entrega'],
  },
};

const orderId = parameter('order_id', { label: 'PED', pattern: '^PED-[0-9]{4}$' });
const readOnly = { operationType: 'read_only', requiresConfirmation: false } as const;

const tools: AgentConfig['tools'] = {
  cancel_order: tool('cancel_order', 'PED', [orderId]),
  track_order: { ...tool('track_order', 'PED', [orderId]), ...readOnly },
  return_order: tool('return_order', 'RET', [parameter('code', { label: 'RET', pattern: '^RET-[0-9]{4}$' })]),
  end_service: { ...tool('end_service', 'SRV', []), preValidation: { tool: 'check_service', failOpen: false } },
  check_service: { ...tool('check_service', 'SRV', []), operationType: 'internal', requiresConfirmation: false },
};

/** A shop that speaks one language. */
function shopIn(locale: Locale): AgentConfig {
  const { returnOrder, cancelOrder, cancelService, trackOrder, hours, domainWords } = phrases[locale];
  const starts = (name: string, example: string): IntentConfig => intent(name, name, { examples: [example] });
  return agent({
    locale,
    tools,
    domainWords,
    intents: [
      starts('cancel_order', cancelOrder),
      starts('track_order', trackOrder),
      starts('return_order', returnOrder),
      starts('end_service', cancelService),
      intent('hours', null, { examples: [hours], reply: '8-20' }),
    ],
  });
}

const identity = {
  tenantId: 'default',
  agentId: 'shop',
  sessionId: 's',
  conversationKey: ConversationKey.parse('default:shop:s'),
};

/** A conversation that is spoken: every message is read from its text, as in the running system. */
export class SpokenConversation {
  private state: ConversationState = initialState(identity);
  private readonly events: TransactionEvent[] = [];
  private readonly agent: AgentConfig;
  private turns = 0;

  constructor(private readonly locale: Locale) {
    this.agent = shopIn(locale);
  }

  /** Talks until the conversation is in a state; with `isParked`, over a transaction that was interrupted for it. */
  static in(state: RankedState, { locale, isParked }: { locale: Locale; isParked: boolean }): SpokenConversation {
    const talk = new SpokenConversation(locale);
    const said = phrases[locale];
    if (isParked) talk.says(said.returnOrder);
    for (const step of talk.stepsInto(state, isParked)) step();
    return talk;
  }

  says(text: string, userId = 'ana'): void {
    this.turns += 1;
    const expectation = expectationOf(this.state, this.agent);
    this.hear({
      type: 'UserSpoke',
      turnId: TurnId.parse(`turn-${this.turns}`),
      messageId: `m-${this.turns}`,
      channel: 'web',
      userId,
      text,
      inputs: null,
      understanding: understand({ text, agent: this.agent, expectation, now }),
      businessContext: {},
      sources: { toolArguments: {}, context: {}, metadata: {} },
      at: now,
      traceId: 'trace',
    });
  }

  /** What became of the last message: where it was ranked, which rule won, and every class that it is. */
  lastRanking(): { readonly status: string; readonly rule: string; readonly classes: readonly string[] } {
    const facts = this.events.map((event, index) => ({ sequence: index + 1, event }));
    const received = findTurn(facts, `m-${this.turns}`);
    if (received === undefined) throw new Error('nothing was said');
    const explanation = explainTurn({ identity, facts, received, agent: this.agent });
    const classes = explanation?.decision.classes.filter(({ holds }) => holds) ?? [];
    return {
      status: received.status,
      rule: received.rule,
      classes: classes.map(({ message_class: name }) => name),
    };
  }

  private stepsInto(state: RankedState, isParked: boolean): readonly (() => void)[] {
    const say = (text: string) => () => {
      this.says(text);
    };
    const { cancelOrder, cancelService, trackOrder, yes } = phrases[this.locale];
    const shown = [say(cancelOrder), say('PED-1001')];
    switch (state) {
      case 'IDLE':
        return isParked ? [say(trackOrder), say('PED-1001'), () => this.answers({ ok: true, data: {} })] : [];
      case 'COLLECTING_PARAMETERS':
        return [say(cancelOrder)];
      case 'PRE_VALIDATION':
        return [say(cancelService)];
      case 'AWAITING_CONFIRMATION':
        return shown;
      case 'EXECUTING':
        return [...shown, say(yes)];
      case 'OUTCOME_UNKNOWN':
        return [...shown, say(yes), () => this.answers({ ok: false, data: null, outcome: 'UNKNOWN' })];
      case 'INCONSISTENT':
        return [() => (this.state = { ...initialState(identity), inconsistency: 'a status without its transaction' })];
      default:
        return state satisfies never;
    }
  }

  private answers(result: Partial<ToolResult>): void {
    const { transaction } = this.state;
    const call = transaction !== null && 'call' in transaction ? transaction.call : null;
    this.hear({
      type: 'ToolResultArrived',
      invocationId: InvocationId.parse(call?.invocationId),
      result: ToolResult.parse({ tool_name: 'tool', latency_ms: 1, ...result }),
      eventId: 'result',
      at: now,
    });
  }

  private hear(input: TransactionInput): void {
    const events = decide(this.state, input, this.agent);
    this.state = events.reduce(evolve, this.state);
    this.events.push(...events);
  }
}
