import { type AgentConfig, type IntentConfig, type StructuredInputs, type ToolConfig } from '@latch/contracts';
import { type UserSpoke } from './inputs.ts';
import { type MessageClass } from './message-class.ts';
import { isSame, mergeTurn, nothingNew, type SaidValues } from './parameters.ts';
import { type Arguments, type ConversationState } from './state.ts';
import { type ConfirmationReading, type ProposalChange } from './understanding.ts';

/** One message in the form that the decider works with, whether a person wrote it or a button sent it. */
export type Message = {
  readonly turn: UserSpoke;
  readonly classes: ReadonlySet<MessageClass>;
  /** The intent that is named without doubt, with the values that belong to it. */
  readonly intent: { readonly config: IntentConfig; readonly said: SaidValues } | null;
  /** Values for the tool that is open. */
  readonly said: SaidValues;
  /** Values that were given and break their declaration. */
  readonly invalid: Readonly<Record<string, string>>;
  readonly change: ProposalChange | null;
  /** What the message itself changes in the collected values. */
  readonly changed: Arguments;
  /** The proposal that a button belongs to; null: the answer is for whatever is open. */
  readonly proposalId: string | null;
};

/** Reads a turn against the state that it meets. Where a form or button says anything, the text beside it is not read (DESIGN section 4). */
export function readMessage(state: ConversationState, turn: UserSpoke, agent: AgentConfig): Message {
  const spoken =
    turn.inputs !== null && saysAnything(turn.inputs) ? fromInputs(turn.inputs, agent) : fromText(turn, agent);
  const tool = state.transaction === null ? undefined : agent.tools[state.transaction.tool];
  const isSameTool = tool !== undefined && spoken.intent?.config.tool === tool.name;
  const said = isSameTool && spoken.intent !== null ? joinSaid(spoken.said, spoken.intent.said) : spoken.said;
  const change = isSameTool || spoken.intent === null ? spoken.change : null;
  const { intent, proposalId } = spoken;
  const { changed, invalid } = readValues(state, tool, { turn, said, change, invalid: spoken.invalid });
  const classes = classesOf(state, spoken, { turn, change, changed, invalid });
  return { turn, intent, said, invalid, change, changed, proposalId, classes };
}

type Spoken = {
  readonly confirmation: ConfirmationReading;
  readonly change: ProposalChange | null;
  readonly abandons: boolean;
  readonly intent: Message['intent'];
  readonly said: SaidValues;
  readonly invalid: Readonly<Record<string, string>>;
  readonly proposalId: string | null;
  readonly hasDomainWord: boolean;
  readonly retriesFailed: boolean;
  readonly resumes: boolean;
};

function saysAnything(inputs: StructuredInputs): boolean {
  const hasArguments = Object.keys(inputs.arguments ?? {}).length > 0;
  return inputs.intent !== undefined || inputs.confirmation !== undefined || inputs.abandon === true || hasArguments;
}

function fromInputs(inputs: StructuredInputs, agent: AgentConfig): Spoken {
  const said: SaidValues = { values: inputs.arguments ?? {}, source: 'inputs' };
  const config = agent.intents.find(({ intent }) => intent === inputs.intent);
  return {
    confirmation: inputs.confirmation ?? 'unclear',
    change: null,
    abandons: inputs.abandon === true,
    intent: config === undefined ? null : { config, said },
    said: config === undefined ? said : { values: {}, source: 'inputs' },
    invalid: {},
    proposalId: inputs.proposal_id ?? null,
    hasDomainWord: false,
    retriesFailed: false,
    resumes: false,
  };
}

function fromText({ understanding, inputs }: UserSpoke, agent: AgentConfig): Spoken {
  const { intent } = understanding;
  const config = intent?.isClear === true ? agent.intents.find((known) => known.intent === intent.intent) : undefined;
  const isContradictory =
    understanding.abandons &&
    (understanding.confirmation === 'yes' || understanding.confirmation === 'yes_with_change');
  return {
    confirmation: isContradictory ? 'unclear' : understanding.confirmation,
    change: understanding.change,
    abandons: understanding.abandons && !isContradictory,
    intent: config === undefined ? null : { config, said: { values: intent?.values ?? {}, source: 'text' } },
    said: { values: understanding.values, source: 'text' },
    invalid: understanding.invalid,
    // A channel may send the proposal that its user was looking at beside typed words: it binds them as it binds a button.
    proposalId: inputs?.proposal_id ?? null,
    hasDomainWord: understanding.hasDomainWord,
    retriesFailed: understanding.retriesFailed,
    resumes: understanding.resumes,
  };
}

function joinSaid(first: SaidValues, second: SaidValues): SaidValues {
  return { values: { ...second.values, ...first.values }, source: first.source };
}

const noSources = { toolArguments: {}, context: {}, metadata: {} } as const;

/** What the message itself would change in the collected values; the sources beside the message do not make it an answer. */
function readValues(
  state: ConversationState,
  tool: ToolConfig | undefined,
  message: Pick<Message, 'turn' | 'said' | 'change' | 'invalid'>,
): { readonly changed: Arguments; readonly invalid: Readonly<Record<string, string>> } {
  if (tool === undefined || state.transaction === null) return { changed: {}, invalid: {} };
  const values =
    message.change?.kind === 'values' ? { ...message.said.values, ...message.change.values } : message.said.values;
  const merge = mergeTurn({
    tool,
    collected: state.transaction.arguments,
    said: { values, source: message.said.source },
    turn: { turnId: message.turn.turnId, businessContext: message.turn.businessContext, sources: noSources },
  });
  if (merge === nothingNew) return { changed: {}, invalid: message.invalid };
  const shown = state.transaction.status === 'AWAITING_CONFIRMATION' ? state.transaction.proposal.arguments : {};
  const changed = Object.entries(merge.values)
    .filter(([name]) => merge.sources[name] === message.said.source)
    .filter(([name, value]) => !isSame(shown[name], value));
  return { changed: Object.fromEntries(changed), invalid: { ...message.invalid, ...merge.invalid } };
}

/** What was said, with what it comes to in this state. */
type Read = Omit<Spoken, 'said'> & Pick<Message, 'turn' | 'changed'>;

function classesOf(
  state: ConversationState,
  spoken: Spoken,
  { turn, change, changed, invalid }: Pick<Message, 'turn' | 'change' | 'changed' | 'invalid'>,
): ReadonlySet<MessageClass> {
  const read: Read = {
    confirmation: spoken.confirmation,
    abandons: spoken.abandons,
    intent: spoken.intent,
    proposalId: spoken.proposalId,
    hasDomainWord: spoken.hasDomainWord,
    retriesFailed: spoken.retriesFailed,
    resumes: spoken.resumes,
    turn,
    change,
    changed,
    invalid,
  };
  const classes = new Set<MessageClass>();
  for (const [name, holds] of tests) if (holds(state, read)) classes.add(name);
  return classes.add('unclear');
}

/** When a message is of a class. Exclusion between classes is not decided here: that is what the precedence table is for. */
const tests: readonly (readonly [MessageClass, (state: ConversationState, read: Read) => boolean])[] = [
  ['stale_answer', isStaleAnswer],
  ['fills_parameter', (state, read) => state.transaction?.status === 'COLLECTING_PARAMETERS' && hasChange(read)],
  ['amends', isAmendment],
  ['abandons', (_, read) => read.abandons],
  ['new_intent', isNewIntent],
  ['side_question', (_, read) => read.intent !== null && read.intent.config.tool === null],
  ['resumes', isResumption],
  ['declines_resume', (state, read) => state.resumeOffer !== null && (read.confirmation === 'no' || read.abandons)],
  ['retries_failed', (_, read) => read.retriesFailed],
  ['confirms', (_, read) => read.confirmation === 'yes'],
  ['declines', (_, read) => read.confirmation === 'no'],
  ['invalid_value', (_, read) => Object.keys(read.invalid).length > 0],
  ['same_intent', (state, read) => read.intent !== null && read.intent.config.tool === state.transaction?.tool],
  ['domain_word', (_, read) => read.hasDomainWord],
];

function hasChange(read: Read): boolean {
  return Object.keys(read.changed).length > 0;
}

/** A button of another proposal, or the yes of somebody else: neither may ever count (invariant I4). */
function isStaleAnswer(state: ConversationState, read: Read): boolean {
  if (read.confirmation === 'unclear') return false;
  const current = state.transaction?.status === 'AWAITING_CONFIRMATION' ? state.transaction : null;
  if (read.proposalId !== null && read.proposalId !== current?.proposal.proposalId) return true;
  return current !== null && current.userId !== read.turn.userId;
}

function isAmendment(state: ConversationState, read: Read): boolean {
  if (state.transaction?.status !== 'AWAITING_CONFIRMATION') return false;
  return hasChange(read) || (read.change !== null && read.change.kind !== 'values');
}

/** While an outcome is unknown, the same tool may be wanted for something else: the engine refuses a true repetition when it sees the arguments. */
function isNewIntent(state: ConversationState, read: Read): boolean {
  const tool = read.intent?.config.tool ?? null;
  if (tool === null || isResumption(state, read)) return false;
  return state.transaction?.status === 'OUTCOME_UNKNOWN' || tool !== state.transaction?.tool;
}

function isResumption(state: ConversationState, read: Read): boolean {
  const tool = read.intent?.config.tool ?? null;
  if (state.parked.length === 0) return false;
  if (read.resumes) return tool === null || state.parked.some((parked) => parked.tool === tool);
  return state.resumeOffer !== null && read.confirmation === 'yes' && read.intent === null;
}
