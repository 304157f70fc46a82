import { canonicalJson, type EventEnvelope } from '@latch/contracts';
import { type CallReport, type LoggedCall } from './domain-server-client.ts';
import { type ExpectedCall, type Scenario } from './scenario.ts';

/** What is wrong with what the domain server saw: other calls than expected, an effect too many, one operation under two keys. */
export function checkCalls(report: CallReport, expected: Pick<Scenario, 'calls' | 'effects'>): readonly string[] {
  const answered = report.calls.filter(({ outcome }) => outcome === 'answered').map(describe);
  const wanted = expected.calls.map(describe);
  return [
    ...(answered.join('\n') === wanted.join('\n')
      ? []
      : [`the domain server answered these calls:\n${list(answered)}\nnot these:\n${list(wanted)}`]),
    ...(report.totalEffects === expected.effects
      ? []
      : [`${report.totalEffects} things were changed, not ${expected.effects}`]),
    ...expected.calls.flatMap((call) => checkKeys(report.calls, call)),
  ];
}

/** The stored events, which must hold the expected types in order, and be numbered without a gap. */
export function checkEvents(events: readonly EventEnvelope[], expected: readonly string[]): readonly string[] {
  const rest = [...expected];
  for (const { event_type } of events) if (event_type === rest[0]) rest.shift();
  const gap = events.findIndex(({ sequence }, index) => sequence !== index + 1);
  return [
    ...(rest.length === 0 ? [] : [`the evidence lacks ${rest.join(', ')} in this order`]),
    ...(gap < 0 ? [] : [`event ${gap + 1} of the evidence has number ${events[gap]?.sequence}`]),
  ];
}

/** Every attempt of one operation carries the same idempotency key. */
function checkKeys(calls: readonly LoggedCall[], { tool, arguments: given }: ExpectedCall): readonly string[] {
  const attempts = calls.filter((call) => call.tool === tool && canonicalJson(call.arguments) === canonicalJson(given));
  const keys = new Set(attempts.map(({ key }) => key));
  return keys.size <= 1 ? [] : [`${tool} was called under ${keys.size} different idempotency keys`];
}

function describe({ tool, arguments: given }: Pick<LoggedCall, 'tool' | 'arguments'>): string {
  return `${tool} ${canonicalJson(given)}`;
}

function list(lines: readonly string[]): string {
  return lines.length === 0 ? '  (none)' : lines.map((line) => `  ${line}`).join('\n');
}
