import { expect, it } from '@jest/globals';
import { whyItEnded } from './why-it-ended.ts';

const line = (level: string, message: string): string => JSON.stringify({ level, event: 'x', error: { message } });

it('is the sentence of the last fatal line', () => {
  const log = [line('error', 'a'), line('fatal', 'LATCH_DATA_KEY is not set'), line('error', 'b'), '{"level":"info"}'];
  expect(whyItEnded(log.join('\n'))).toBe('LATCH_DATA_KEY is not set');
});

it.each(['', '(no log)', 'node: bad option\n{"level":"fatal"', '{"level":"fatal","error":"x"}\nnull'])(
  'is the log as it stands where no line is one: %j',
  (log) => expect(whyItEnded(log)).toBe(log),
);
