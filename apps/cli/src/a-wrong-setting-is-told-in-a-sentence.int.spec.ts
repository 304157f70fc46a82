import { spawnSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import { childEnvironment } from '@latch/config';
import { testDataKey } from '@latch/testing';
import { inCheckout } from './checkout.ts';

/** Nobody listens there: what is wrong before that is told before. */
const nowhere = '127.0.0.1:1';
const database = { DATABASE_URL: `postgres://latch@${nowhere}/latch`, LATCH_DATA_KEY: testDataKey };
const bus = { ...database, KAFKA_BROKERS: nowhere };
const noAuthority = { KAFKA_SSL: 'on', KAFKA_SSL_CA_FILE: '/no/such/file' };
const stateFolder = { LATCH_STATE_DIR: 'no-such-folder' };

/** Runs a command as it was built, with nothing of the settings of whoever runs this. */
function latch(args: readonly string[], settings: Readonly<Record<string, string>>): ReturnType<typeof ended> {
  const none = { DATABASE_URL: '', KAFKA_BROKERS: '', LATCH_DATA_KEY: '', LATCH_BUS_KEY: '', LATCH_PERSONAL_DATA: '' };
  const env = childEnvironment({ ...none, ...stateFolder, ...settings });
  return ended(spawnSync(process.execPath, [inCheckout('apps/cli/dist/main.js'), ...args], { env, encoding: 'utf8' }));
}

function ended({ status, stdout, stderr }: { status: number | null; stdout: string; stderr: string }): {
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
} {
  return { code: status, output: stdout, errors: stderr };
}

/** One for each way in which a command is run. */
const [verify, rewrap] = [['verify'], ['keys', 'rewrap']];
const letters = ['dead-letters', 'list'];
const cases: readonly (readonly [wrong: string, settings: Readonly<Record<string, string>>, sentence: string])[] = [
  ['no database', { LATCH_DATA_KEY: testDataKey }, 'set DATABASE_URL, or start the system here with `npm start`'],
  ['a database that is none', { DATABASE_URL: 'nonsense' }, 'it must start with postgres://'],
  ['no data key', { ...database, LATCH_DATA_KEY: '' }, 'LATCH_DATA_KEY is not set'],
  ['a data key that is none', { ...database, LATCH_DATA_KEY: 'abc' }, 'key 1 must be 32 bytes in base64'],
];
const busCases: typeof cases = [
  ['no brokers', database, 'set KAFKA_BROKERS, or start the system here with `npm start`'],
  ['brokers that are none', { ...bus, KAFKA_BROKERS: 'nonsense' }, 'it must name each broker as host:port'],
  ['a file for Kafka that is not there', { ...bus, ...noAuthority }, 'the file /no/such/file cannot be read (ENOENT)'],
  ['a bus key that is none', { ...bus, LATCH_BUS_KEY: 'abc' }, 'key 1 must be 32 bytes in base64'],
];

describe('a command whose settings are wrong', () => {
  it.each([
    ...cases.flatMap(([...wrong]) => [verify, rewrap].map((args) => [...wrong, args] as const)),
    ...busCases.map(([...wrong]) => [...wrong, letters] as const),
  ])('%s: says so in one JSON object where that is asked for, and ends with 2', (_wrong, settings, sentence, args) => {
    const { code, output } = latch([...args, '--json'], settings);
    expect(code).toBe(2);
    expect(JSON.parse(output)).toEqual({ outcome: 'could_not_run', reason: expect.stringContaining(sentence) });
  });

  it.each([...cases, ...busCases])('%s: tells a person a sentence, beside the results', (wrong, settings, sentence) => {
    const isOfBus = busCases.some(([name]) => name === wrong);
    const { code, output, errors } = latch(isOfBus ? letters : rewrap, settings);
    expect({ code, output }).toEqual({ code: 2, output: '' });
    expect(errors).toContain(sentence);
    expect(errors).not.toContain('{"');
  });
});

describe('a file for Kafka that is of no use', () => {
  it.each([['start'], ['prepare'], ['chat'], ['demo']])('keeps %s from beginning', (command) => {
    const { code, errors } = latch([command], { ...bus, ...noAuthority });
    expect(code).toBe(2);
    expect(errors).toContain('KAFKA_SSL_CA_FILE');
    expect(errors).toContain('cannot be read (ENOENT)');
  });

  it.each([
    ['verify FILE', ['verify', 'no-such-bundle.json']],
    ['verify', ['verify']],
    ['erase', ['erase', '--tenant', 'acme', '--subject', 'u-1']],
    ['keys rewrap', ['keys', 'rewrap']],
  ])('is not looked at by a command that needs no Kafka: %s', (_, args) => {
    expect(latch(args, { ...bus, ...noAuthority }).errors).not.toContain('KAFKA_SSL');
  });

  it('does not keep an API key from being made', () => {
    const args = ['api-key', 'new', '--id', 'gateway', '--tenant', 'acme', '--scope', 'read'];
    const { code, output } = latch(args, noAuthority);
    expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining('sha256') });
  });
});

it('words that are no command, or no option of it, are told for machines too', () => {
  const { code, output } = latch(['verify', '--jso', '--json'], {});
  expect(code).toBe(2);
  expect(JSON.parse(output)).toEqual({
    outcome: 'could_not_run',
    reason: expect.stringContaining("unknown option '--jso'"),
  });
});
