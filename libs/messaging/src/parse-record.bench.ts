import { readdirSync, readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { topics } from '@latch/contracts';
import { z } from 'zod';
import { parseRecord } from './parse-record.ts';
import { payloadSchemas } from './payload-schemas.ts';

/**
 * What a consumer pays for reading a record (UTF-8, JSON, hostile keys, envelope, version, payload), beside JSON.parse of the same bytes, for every
 * recorded message of the last release. Run: `npm run bench -- messaging`.
 */
const rounds = 600;
const readingsPerRound = 20;
const folder = new URL('../../../contracts/released/0.1.0/messages/', import.meta.url);
const Recorded = z.object({ topic: z.enum(topics), key: z.string(), value: z.unknown() });

for (const file of readdirSync(folder).filter((name) => name.endsWith('-1.json'))) {
  const { topic, key, value } = Recorded.parse(JSON.parse(readFileSync(new URL(file, folder), 'utf8')));
  const bytes = Buffer.from(JSON.stringify(value));
  const record = { topic, key, value: bytes, partition: 0, offset: '0', headers: {}, timestampMs: 0 };
  const [json, whole] = medians([() => JSON.parse(bytes.toString()), () => parseRecord(record, payloadSchemas)]);
  const ratio = ((whole ?? 0) / (json ?? 1)).toFixed(2);
  process.stdout.write(
    `${file.padEnd(42)} ${String(bytes.length).padStart(5)} bytes   p50 ${(whole ?? 0).toFixed(2).padStart(6)} us   ${ratio} x JSON.parse\n`,
  );
}

/** The median of each, in microseconds; measured in turns, so that a busy machine slows all of them alike. */
function medians(readings: readonly (() => unknown)[]): readonly number[] {
  const times = readings.map((): number[] => []);
  for (let round = -rounds / 3; round < rounds; round += 1) {
    for (const [index, read] of readings.entries()) {
      const startedAt = performance.now();
      for (let n = 0; n < readingsPerRound; n += 1) read();
      if (round >= 0) times[index]?.push(((performance.now() - startedAt) * 1_000) / readingsPerRound);
    }
  }
  return times.map((micros) => micros.toSorted((a, b) => a - b)[Math.floor(micros.length / 2)] ?? Number.NaN);
}
