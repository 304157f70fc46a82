import { performance } from 'node:perf_hooks';
import { EventEnvelope } from './event-envelope.ts';
import { gatewayRequestExamples } from './examples/messages.ts';
import { GatewayRequest } from './gateway-request.ts';

/**
 * What reading a turn of 2 KB costs, beside JSON.parse of the same bytes. Run: `npm run bench -- contracts`. Ends with exit code 1 when the median of the
 * whole reading is not under 30 microseconds.
 */
const limitMicros = 30;
const rounds = 3_000;
const readingsPerRound = 20;

const bytes = Buffer.from(JSON.stringify(envelopeOfBytes(2_048)));
const text = bytes.toString();
const value: unknown = JSON.parse(text);
const payload = EventEnvelope.parse(value).payload;

const readings = {
  'JSON.parse of the same bytes': () => JSON.parse(bytes.toString()),
  'the envelope alone, already JSON': () => EventEnvelope.safeParse(value),
  'the payload alone, already JSON': () => GatewayRequest.safeParse(payload),
  'bytes -> envelope': () => EventEnvelope.safeParse(JSON.parse(bytes.toString())),
  'bytes -> envelope and payload': () => {
    const envelope = EventEnvelope.parse(JSON.parse(bytes.toString()));
    return GatewayRequest.parse(envelope.payload);
  },
} as const;

report(measure());

/** Each round measures every reading once, so that a busy machine slows all of them alike. */
function measure(): ReadonlyMap<string, readonly number[]> {
  const times = new Map<string, number[]>(Object.keys(readings).map((name) => [name, []]));
  for (let round = -rounds / 3; round < rounds; round += 1) {
    for (const [name, read] of Object.entries(readings)) {
      const startedAt = performance.now();
      for (let n = 0; n < readingsPerRound; n += 1) read();
      const micros = ((performance.now() - startedAt) * 1_000) / readingsPerRound;
      if (round >= 0) times.get(name)?.push(micros);
    }
  }
  return times;
}

function report(times: ReadonlyMap<string, readonly number[]>): void {
  const [json = [], ...rest] = times.values();
  const baseline = at(json, 0.5);
  process.stdout.write(`reading a turn of ${bytes.length} bytes, ${rounds} rounds of ${readingsPerRound}\n`);
  for (const [name, micros] of times) {
    const line = [
      name.padEnd(34),
      `p50 ${at(micros, 0.5).toFixed(2)} us`,
      `p99 ${at(micros, 0.99).toFixed(2)} us`,
      `${(at(micros, 0.5) / baseline).toFixed(2)} x JSON.parse`,
    ];
    process.stdout.write(`  ${line.join('   ')}\n`);
  }
  const whole = at(rest.at(-1) ?? [], 0.5);
  if (whole >= limitMicros) process.exitCode = 1;
  process.stdout.write(`the whole reading ${whole < limitMicros ? 'is' : 'IS NOT'} under ${limitMicros} us\n`);
}

function at(micros: readonly number[], share: number): number {
  return micros.toSorted((a, b) => a - b)[Math.floor(micros.length * share)] ?? Number.NaN;
}

/** A turn as ingress publishes it, its text as long as it takes. */
function envelopeOfBytes(size: number): Record<string, unknown> {
  const request = GatewayRequest.parse(gatewayRequestExamples.valid['spec-012']);
  const withText = (message: string): Record<string, unknown> => ({
    event_type: 'IC.GATEWAY_RECEIVED',
    timestamp: '2026-06-19T12:00:00.000Z',
    tenant_id: 'default',
    agent_id: 'telecom_contas',
    session_id: 'session-001',
    trace_id: '4bf92f3577b34da6a3ce929d0e0e4736',
    payload: { ...request, payload: { ...request.payload, message } },
    event_id: '5b1d0f2e-8a3c-5d4e-9f60-718293a4b5c6',
    contract_version: 'gateway-request-v1',
    conversation_key: 'default:telecom_contas:session-001',
    message_id: 'msg-001',
    request_id: 'req-001',
    producer: 'ingress',
    severity: 'info',
  });
  const missing = size - Buffer.byteLength(JSON.stringify(withText('')));
  return withText('Quero cancelar TIM Fashion e Neymar Jr. '.repeat(100).slice(0, missing));
}
