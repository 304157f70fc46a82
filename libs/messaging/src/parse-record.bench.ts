import { readdirSync, readFileSync } from 'node:fs';
import { GatewayRequest, topics } from '@latch/contracts';
import { z } from 'zod';
import { type BusRecord } from './bus.ts';
import { parseRecord } from './parse-record.ts';
import { payloadSchemas } from './payload-schemas.ts';

/**
 * What a consumer pays for reading a record (UTF-8, JSON, hostile keys, envelope, version, payload), beside JSON.parse of the same bytes: for a turn of 2 KB
 * and for every recorded message of the last release. In CPU time, so that other work on the machine counts little. Run: `npm run bench -- parse-record`.
 */
const rounds = 60;
const readingsPerRound = 1_000;
const folder = new URL('../../../contracts/released/0.1.0/messages/', import.meta.url);
const Recorded = z.object({ topic: z.enum(topics), key: z.string(), value: z.record(z.string(), z.unknown()) });
type Recorded = z.infer<typeof Recorded>;

const recorded = readdirSync(folder)
  .filter((name) => name.endsWith('-1.json'))
  .map((name): [string, Recorded] => [name, Recorded.parse(JSON.parse(readFileSync(new URL(name, folder), 'utf8')))]);
const turn = recorded.find(([, { topic }]) => topic === topics.turns)?.[1];

if (turn) report('a turn of 2 KB', padded(turn, 2_048));
for (const [name, message] of recorded) report(name, message);

function report(name: string, { topic, key, value }: Recorded): void {
  const bytes = Buffer.from(JSON.stringify(value));
  const record: BusRecord = { topic, key, value: bytes, partition: 0, offset: '0', headers: {}, timestampMs: 0 };
  const [json = 1, whole = 0] = medians([
    () => JSON.parse(bytes.toString()),
    () => parseRecord(record, payloadSchemas),
  ]);
  const figures = `p50 ${whole.toFixed(2).padStart(6)} us of CPU   ${(whole / json).toFixed(2)} x JSON.parse`;
  process.stdout.write(`${name.padEnd(42)} ${String(bytes.length).padStart(5)} bytes   ${figures}\n`);
}

/** The same turn with a longer message. */
function padded(message: Recorded, size: number): Recorded {
  const request = GatewayRequest.parse(message.value['payload']);
  const withText = (text: string): Recorded => ({
    ...message,
    value: { ...message.value, payload: { ...request, payload: { ...request.payload, message: text } } },
  });
  const missing = size - Buffer.byteLength(JSON.stringify(withText('').value));
  return withText('Quero cancelar TIM Fashion e Neymar Jr. '.repeat(100).slice(0, missing));
}

/** The median of each, in microseconds of CPU; measured in turns, so that a change of the machine's pace meets all of them alike. */
function medians(readings: readonly (() => unknown)[]): readonly number[] {
  const times = readings.map((): number[] => []);
  for (let round = -rounds / 3; round < rounds; round += 1) {
    for (const [index, read] of readings.entries()) {
      const startedAt = process.cpuUsage();
      for (let n = 0; n < readingsPerRound; n += 1) read();
      const { user, system } = process.cpuUsage(startedAt);
      if (round >= 0) times[index]?.push((user + system) / readingsPerRound);
    }
  }
  return times.map((micros) => micros.toSorted((a, b) => a - b)[Math.floor(micros.length / 2)] ?? Number.NaN);
}
