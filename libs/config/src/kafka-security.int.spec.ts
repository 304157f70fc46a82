import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type Authority, makeAuthority, type IssuedCertificate } from '../../../deploy/local/certificates.mjs';
import { kafkaSecurityOf } from './kafka-security.ts';
import { readEnvironment } from './read-environment.ts';
import { commonSettings } from './settings.ts';

let folder: string;
let authority: Authority;
let own: IssuedCertificate;
let other: IssuedCertificate;

const secret = 'hunter2-is-a-secret';

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'latch-kafka-security-'));
  authority = makeAuthority(folder);
  own = authority.issue({ file: 'own', subject: '/O=Latch/CN=orchestrator' });
  other = authority.issue({ file: 'other', subject: '/CN=other' });
});
afterAll(() => {
  jest.restoreAllMocks();
  rmSync(folder, { recursive: true, force: true });
});

type Variables = Readonly<Record<string, string>>;
const at = (brokers: string, more: Variables): Variables => ({ KAFKA_BROKERS: brokers, ...more });
const far = (more: Variables): Variables => at('kafka.bank:9093', more);
const read = (environment: Variables): ReturnType<typeof readEnvironment<typeof commonSettings>> =>
  readEnvironment(commonSettings, environment);

/** What is said of each variable that is wrong. */
function problemsOf(environment: Variables): Readonly<Record<string, string>> {
  const settings = read(environment);
  if (settings.ok) return {};
  expect(settings.error).not.toContain(secret);
  const lines = [...settings.error.matchAll(/ {2}- (\w+) (.*)$/gm)];
  return Object.fromEntries(lines.map(([, name = '', message = '']) => [name, message]));
}

function write(name: string, text: string): string {
  const file = path.join(folder, name);
  writeFileSync(file, text);
  return file;
}

const login = {
  KAFKA_SASL_MECHANISM: 'scram-sha-512',
  KAFKA_SASL_USERNAME: 'orchestrator',
  KAFKA_SASL_PASSWORD: secret,
};
const mutual = (): Variables => ({
  KAFKA_SSL: 'on',
  KAFKA_SSL_CA_FILE: authority.certFile,
  KAFKA_SSL_CERT_FILE: own.certFile,
  KAFKA_SSL_KEY_FILE: own.keyFile,
});

describe('a Kafka that is not secured', () => {
  it('needs no setting, and everybody is anonymous', () => {
    const settings = read(far({}));
    const security = settings.ok ? kafkaSecurityOf(settings.value) : null;
    expect(security).not.toHaveProperty('tls');
    expect(security).not.toHaveProperty('login');
    expect(security?.principal()).toBe('User:ANONYMOUS');
  });
});

describe('a Kafka that is secured', () => {
  it('is logged in to with what the environment says', () => {
    const settings = read(far({ KAFKA_SSL: 'on', ...login }));
    const security = settings.ok ? kafkaSecurityOf(settings.value) : null;
    expect(security?.tls?.()).toEqual({});
    expect(security?.login?.mechanism).toBe('scram-sha-512');
    expect([security?.login?.username(), security?.login?.password()]).toEqual(['orchestrator', secret]);
    expect(security?.principal()).toBe('User:orchestrator');
  });

  it('is logged in to with what files say at that moment, without the line break at their end', () => {
    const [user, password] = [write('user', 'evaluator\n'), write('password', ` ${secret}\r\n`)];
    const files = { KAFKA_SASL_USERNAME_FILE: user, KAFKA_SASL_PASSWORD_FILE: password };
    const settings = read(far({ KAFKA_SSL: 'on', KAFKA_SASL_MECHANISM: 'plain', ...files }));
    const security = settings.ok ? kafkaSecurityOf(settings.value) : null;
    expect([security?.login?.username(), security?.login?.password()]).toEqual(['evaluator', ` ${secret}`]);
    writeFileSync(password, 'another');
    expect(security?.login?.password()).toBe('another');
  });

  it('is shown a certificate, and its subject is who we are', () => {
    const settings = read(far(mutual()));
    const security = settings.ok ? kafkaSecurityOf(settings.value) : null;
    const pem: unknown = expect.stringContaining('-----BEGIN CERTIFICATE-----');
    const key: unknown = expect.stringContaining('-----BEGIN PRIVATE KEY-----');
    expect(security?.tls?.()).toEqual({ ca: pem, cert: pem, key });
    expect(security?.principal()).toBe('User:CN=orchestrator,O=Latch');
  });

  it('says nothing of a secret where its settings are written down', () => {
    const settings = read(far({ KAFKA_SSL: 'on', ...login }));
    const security = settings.ok ? kafkaSecurityOf(settings.value) : null;
    expect(JSON.stringify(security)).not.toContain(secret);
  });
});

describe('files for a TLS that is off', () => {
  it('are refused, each by its name', () => {
    const files = Object.fromEntries(Object.entries(mutual()).filter(([name]) => name !== 'KAFKA_SSL'));
    const problems = problemsOf(far(files));
    expect(Object.keys(problems)).toEqual(['KAFKA_SSL_CA_FILE', 'KAFKA_SSL_CERT_FILE', 'KAFKA_SSL_KEY_FILE']);
    expect(problems['KAFKA_SSL_CA_FILE']).toContain('Set KAFKA_SSL=on, or take it out.');
  });
});

describe('a login that is not whole', () => {
  it.each(['KAFKA_SASL_USERNAME', 'KAFKA_SASL_USERNAME_FILE', 'KAFKA_SASL_PASSWORD', 'KAFKA_SASL_PASSWORD_FILE'])(
    'is refused: %s without a mechanism',
    (name) => {
      expect(problemsOf(far({ [name]: name.includes('USER') ? 'x' : secret }))[name]).toContain(
        'without KAFKA_SASL_MECHANISM',
      );
    },
  );

  it.each(['KAFKA_SASL_USERNAME', 'KAFKA_SASL_PASSWORD'])('is refused: a mechanism without %s', (name) => {
    const rest = Object.fromEntries(Object.entries(login).filter(([key]) => key !== name));
    expect(problemsOf(far(rest))[name]).toContain(`or ${name}_FILE to a file`);
  });

  it('is refused: a password here and in a file', () => {
    const file = write('twice', secret);
    const name = 'KAFKA_SASL_PASSWORD_FILE';
    expect(problemsOf(far({ ...login, [name]: file }))[name]).toContain('one of the two');
  });

  it('is refused: a mechanism that nobody knows', () => {
    const problems = problemsOf(far({ ...login, KAFKA_SASL_MECHANISM: 'gssapi' }));
    expect(problems['KAFKA_SASL_MECHANISM']).toContain('it must be plain, scram-sha-256 or scram-sha-512');
  });
});

describe('a password that would travel readable', () => {
  const plain = { ...login, KAFKA_SASL_MECHANISM: 'plain' };

  it('is refused, unless the broker is on this machine', () => {
    expect(problemsOf(at('127.0.0.1:9092,kafka.bank:9093', plain))['KAFKA_SASL_MECHANISM']).toContain(
      'readable to kafka.bank:9093',
    );
    expect(problemsOf(at('127.0.0.1:9092,localhost:9093', plain))).toEqual({});
    expect(problemsOf(far({ ...plain, KAFKA_SSL: 'on' }))).toEqual({});
    expect(problemsOf(far(login))).toEqual({});
  });
});

describe('a file that is of no use', () => {
  it.each(['KAFKA_SSL_CA_FILE', 'KAFKA_SSL_CERT_FILE', 'KAFKA_SSL_KEY_FILE'])('is refused: %s is not there', (name) => {
    expect(problemsOf(far({ ...mutual(), [name]: '/no/such/file' }))[name]).toContain('cannot be read (ENOENT)');
  });

  it('is refused: one that is a folder, is empty, or is something else', () => {
    const empty = write('empty', '\n');
    const name = 'KAFKA_SSL_CA_FILE';
    expect(problemsOf(far({ ...mutual(), [name]: folder }))[name]).toContain('cannot be read (EISDIR)');
    expect(problemsOf(far({ ...mutual(), [name]: empty }))[name]).toContain('is empty');
    expect(problemsOf(far({ ...mutual(), [name]: own.keyFile }))[name]).toContain('holds no certificate in PEM');
    expect(problemsOf(far({ ...mutual(), KAFKA_SSL_CERT_FILE: own.keyFile }))['KAFKA_SSL_CERT_FILE']).toContain(
      'holds no certificate',
    );
  });

  it('is refused: a password that is not there, and one that is empty', () => {
    const name = 'KAFKA_SASL_PASSWORD_FILE';
    const user = { KAFKA_SASL_MECHANISM: 'scram-sha-256', KAFKA_SASL_USERNAME: 'x' };
    expect(problemsOf(far({ ...user, [name]: secret }))[name]).toContain('cannot be read (ENOENT)');
    expect(problemsOf(far({ ...user, [name]: write('no-password', '') }))[name]).toContain('is empty');
  });
});

describe('a certificate of our own', () => {
  it.each([
    ['KAFKA_SSL_KEY_FILE', 'KAFKA_SSL_CERT_FILE', 'without its certificate'],
    ['KAFKA_SSL_CERT_FILE', 'KAFKA_SSL_KEY_FILE', 'without its key'],
  ])('is refused: %s without %s', (given, missing, text) => {
    const rest = Object.fromEntries(Object.entries(mutual()).filter(([name]) => name !== missing));
    expect(given in rest).toBe(true);
    expect(problemsOf(far(rest))[missing]).toContain(text);
  });

  it('is refused with the key of another one, and with an encrypted key', () => {
    const name = 'KAFKA_SSL_KEY_FILE';
    expect(problemsOf(far({ ...mutual(), [name]: other.keyFile }))[name]).toContain('the key of another certificate');
    const encrypted = path.join(folder, 'encrypted.key');
    execFileSync('openssl', ['pkey', '-in', own.keyFile, '-aes256', '-passout', 'pass:x', '-out', encrypted]);
    expect(problemsOf(far({ ...mutual(), [name]: encrypted }))[name]).toContain('opens without a password');
  });

  it.each([
    ['2100-01-01T00:00:00Z', 'ended at', 'KAFKA_SSL_CERT_FILE'],
    ['2001-01-01T00:00:00Z', 'begins at', 'KAFKA_SSL_CERT_FILE'],
    ['2100-01-01T00:00:00Z', 'ended at', 'KAFKA_SSL_CA_FILE'],
  ])('is refused at %s, as is that of the authority: it %s another time (%s)', (now, text, name) => {
    const environment = far(mutual());
    expect(problemsOf(environment)).toEqual({});
    const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.parse(now));
    expect(problemsOf(environment)[name]).toContain(text);
    clock.mockRestore();
  });
});
