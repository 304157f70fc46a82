// How many user turns the pure core decides in a second of one core, with 20 tools and 40 intents, from recorded readings: the decision with its fold alone, and
// with everything that follows from it (calls, answers, signals, projection rows, the next deadline).
//   npm run bench -- decide [-- seconds]
// One core means one thread, that of the garbage collector too: beside it, helper threads would spend processor time that no turn needs.
// node --single-threaded
// Ends with exit code 1 when either is not at least 50,000 turns in the median round.
import { decideStep, initialState, react } from '@latch/transaction';
import { busyAgent } from './busy-agent.mjs';

const [seconds = '5'] = process.argv.slice(2);
const leastTurnsPerSecond = 50_000;
const beganAt = Date.parse('2026-11-30T12:00:00.000Z');

const nothingRead = {
  confirmation: 'unclear',
  change: null,
  abandons: false,
  values: {},
  invalid: {},
  corrects: false,
  intent: null,
  hasDomainWord: false,
  retriesFailed: false,
  resumes: false,
  readings: [],
};
const wants = (intent, tool) => ({ intent: { intent, tool, score: 0.9, isClear: true, values: {}, runnerUp: null } });

const businessContext = { customer_key: '11999999999' };
const sources = { toolArguments: {}, context: {}, metadata: {} };

/**
 * A whole life: one wish is collected over three turns and shown, another one interrupts it, is validated, amended, validated again, confirmed and executed; the
 * first one is taken up and given up. A turn is a reading, `result` answers the call that runs.
 */
const script = [
  wants('cancelar_endereço', 'tool_endereço'),
  { hasDomainWord: true },
  { values: { endereço_id: 'END-1001' } },
  { values: { valor: '71.99', data: '2026-12-01', motivo: 'mudei' } },
  wants('cancelar_cartão', 'tool_cartão'),
  { values: { cartão_id: 'CAR-1001' } },
  'result',
  { confirmation: 'no_with_change', values: { cartão_id: 'CAR-1002' } },
  'result',
  { confirmation: 'yes' },
  'result',
  { resumes: true },
  { abandons: true },
].map((step) => (step === 'result' ? step : { ...nothingRead, ...step }));

let count = 0;
/** As in the running system, a batch has one instant. */
let at = new Date(beganAt).toISOString();
let state = initialState(identityOf(0));
let measured = nothingMeasured();
/** Many short ones: on a busy machine some of them are left alone. */
const rounds = 1_000;

let then = react;
runFor(Number(seconds) / 2);
/** One after the other, so that a busy moment falls upon both. */
const both = Array.from({ length: rounds }, () => ({ decided: runWith(() => undefined), reacted: runWith(react) }));
report(
  'decide and fold',
  both.map(({ decided }) => decided),
);
report(
  'decide, fold and react',
  both.map(({ reacted }) => reacted),
);
describeWork(both.at(-1).reacted);

function runWith(following) {
  then = following;
  return runFor(Number(seconds) / rounds / 2);
}

/** What one round did, and the processor time that it took: a busy machine slows the clock more than the processor. */
function runFor(forSeconds) {
  measured = nothingMeasured();
  const startedAt = performance.now();
  const from = process.cpuUsage();
  while (performance.now() - startedAt < forSeconds * 1_000) for (let n = 0; n < 4; n += 1) converse();
  const { user, system } = process.cpuUsage(from);
  return { ...measured, cpuSeconds: (user + system) / 1e6 };
}

function nothingMeasured() {
  return { turns: 0, events: 0, inputs: 0 };
}

function converse() {
  count += 1;
  at = new Date(beganAt + count).toISOString();
  state = initialState(identityOf(count));
  for (const step of script) {
    if (step === 'result') hear(resultOf());
    else hear(turnOf(step));
  }
}

function hear(input) {
  const step = decideStep(state, input, busyAgent);
  then(step);
  state = step.after;
  measured.events += step.events.length;
  measured.inputs += 1;
  if (input.type === 'UserSpoke') measured.turns += 1;
}

function turnOf(understanding) {
  const turnId = `turn-${measured.inputs}`;
  return {
    type: 'UserSpoke',
    turnId,
    messageId: turnId,
    channel: 'web',
    userId: 'ana',
    text: 'o que foi dito',
    inputs: null,
    understanding,
    businessContext,
    sources,
    at,
    traceId: 'trace',
  };
}

function resultOf() {
  const { call } = state.transaction;
  const result = { tool_name: call.tool, ok: true, data: { eligible: true }, latency_ms: 5, outcome: 'SUCCESS' };
  return { type: 'ToolResultArrived', invocationId: call.invocationId, result, eventId: 'result', at };
}

function identityOf(n) {
  return { tenantId: 'default', agentId: 'busy', sessionId: `s-${n}`, conversationKey: `default:busy:s-${n}` };
}

function report(name, all) {
  const rates = all.map(({ turns, cpuSeconds }) => turns / cpuSeconds).sort((a, b) => a - b);
  const [best, median] = [rates.at(-1), rates[rounds / 2]];
  const text = `${Math.round(median)} turns per second of one core (${(1e6 / median).toFixed(1)} us each), best ${Math.round(best)}`;
  process.stdout.write(`  ${name.padEnd(24)} median of ${rounds} rounds ${text}\n`);
  if (median >= leastTurnsPerSecond) return;
  process.stdout.write(`  IS NOT at least ${leastTurnsPerSecond} in the median round\n`);
  process.exitCode = 1;
}

function describeWork({ events, turns }) {
  const lines = [
    `events per turn          ${(events / turns).toFixed(1)}`,
    `conversation ends        ${state.transaction?.status ?? 'IDLE'}; last ${state.last?.tool} ${state.last?.status}, ${state.last?.reason}`,
  ];
  process.stdout.write(`${lines.map((line) => `  ${line}`).join('\n')}\n`);
}
