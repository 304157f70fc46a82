import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isRecord } from '@latch/contracts';
import { entriesIn } from './entries-in.ts';
import { isThisMachine } from './is-this-machine.ts';

/** The variables as they were given; a value that is wrong by itself is told elsewhere, and counts as not given here. */
type Given = ReadonlyMap<string, string>;

const tlsFiles = ['KAFKA_SSL_CA_FILE', 'KAFKA_SSL_CERT_FILE', 'KAFKA_SSL_KEY_FILE'] as const;
const secrets = ['KAFKA_SASL_USERNAME', 'KAFKA_SASL_PASSWORD'] as const;

/**
 * What is wrong with how Kafka is secured: the variables against each other, and the files that they name.
 *
 * @returns a sentence per variable that says what to do; none repeats a secret.
 */
export function kafkaSecurityProblems(settings: unknown): ReadonlyMap<string, string> {
  const given = givenIn(settings);
  const brokers = brokersIn(settings);
  return new Map([...tlsProblems(given), ...loginProblems(given), ...plainProblems(given, brokers)]);
}

function givenIn(settings: unknown): Given {
  const entries = Object.entries(isRecord(settings) ? settings : {});
  return new Map(entries.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value] as const] : [])));
}

type Problem = readonly [name: string, message: string];

function tlsProblems(given: Given): readonly Problem[] {
  const named = tlsFiles.filter((name) => given.has(name));
  if (given.get('KAFKA_SSL') !== 'on') {
    return named.map((name) => [name, 'it has no effect while KAFKA_SSL is off. Set KAFKA_SSL=on, or take it out.']);
  }
  const unreadable = named.flatMap((name) => fileProblem(given, name));
  if (unreadable.length > 0) return unreadable;
  return [...pairProblem(given), ...authorityProblem(given), ...ownCertificateProblem(given)];
}

/** A password that was put where the name of its file belongs must not be repeated. */
function fileProblem(given: Given, name: string): readonly Problem[] {
  const file = given.get(name) ?? '';
  const what = name.includes('PASSWORD') ? 'the file that it names' : `the file ${file}`;
  try {
    if (readFileSync(file, 'utf8').trim() !== '') return [];
    return [[name, `${what} is empty. Write into it what it is for, or name another.`]];
  } catch (error) {
    const code = String(isRecord(error) ? error['code'] : error);
    return [[name, `${what} cannot be read (${code}). Mount it, correct the path, or let this user read it.`]];
  }
}

function pairProblem(given: Given): readonly Problem[] {
  const [hasCertificate, hasKey] = [given.has('KAFKA_SSL_CERT_FILE'), given.has('KAFKA_SSL_KEY_FILE')];
  if (hasCertificate === hasKey) return [];
  return hasCertificate
    ? [['KAFKA_SSL_KEY_FILE', 'a certificate is of no use without its key. Name the key of KAFKA_SSL_CERT_FILE here.']]
    : [
        [
          'KAFKA_SSL_CERT_FILE',
          'a key is of no use without its certificate. Name the certificate of KAFKA_SSL_KEY_FILE here.',
        ],
      ];
}

function authorityProblem(given: Given): readonly Problem[] {
  const file = given.get('KAFKA_SSL_CA_FILE');
  if (file === undefined) return [];
  const certificates = certificatesIn(file);
  if (certificates === undefined) return [['KAFKA_SSL_CA_FILE', noCertificate(file)]];
  const ends = certificates.map((certificate) => validityProblem(certificate));
  const [first] = ends;
  // A bundle may hold one that has ended beside its successor.
  return first === undefined || ends.includes(undefined) ? [] : [['KAFKA_SSL_CA_FILE', `${file}: ${first}`]];
}

function ownCertificateProblem(given: Given): readonly Problem[] {
  const [file, keyFile] = [given.get('KAFKA_SSL_CERT_FILE'), given.get('KAFKA_SSL_KEY_FILE')];
  if (file === undefined || keyFile === undefined) return [];
  const [certificate] = certificatesIn(file) ?? [];
  if (certificate === undefined) return [['KAFKA_SSL_CERT_FILE', noCertificate(file)]];
  const invalid = validityProblem(certificate);
  if (invalid !== undefined) return [['KAFKA_SSL_CERT_FILE', `${file}: ${invalid}`]];
  return keyProblem(certificate, keyFile);
}

function keyProblem(certificate: X509Certificate, keyFile: string): readonly Problem[] {
  const name = 'KAFKA_SSL_KEY_FILE';
  try {
    if (certificate.checkPrivateKey(createPrivateKey(readFileSync(keyFile)))) return [];
    return [[name, `${keyFile} is the key of another certificate. Name the one that belongs to KAFKA_SSL_CERT_FILE.`]];
  } catch {
    return [
      [
        name,
        `${keyFile} holds no private key in PEM that opens without a password. Decrypt it: openssl pkey -in <key> -out <file>.`,
      ],
    ];
  }
}

/** @returns undefined where one of them cannot be read, or there is none. */
function certificatesIn(file: string): readonly X509Certificate[] | undefined {
  const blocks = readFileSync(file, 'utf8').match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g);
  try {
    return blocks?.map((block) => new X509Certificate(block));
  } catch {
    return undefined;
  }
}

function noCertificate(file: string): string {
  return `${file} holds no certificate in PEM ("-----BEGIN CERTIFICATE-----"). Convert it with openssl x509 or openssl pkcs12, or name another.`;
}

function validityProblem({ subject, validFrom, validTo }: X509Certificate): string | undefined {
  const name = subject.replaceAll('\n', ', ');
  const [from, to] = [new Date(validFrom), new Date(validTo)];
  if (to.getTime() < Date.now()) return `the certificate of ${name} ended at ${to.toISOString()}. Put a new one there.`;
  if (from.getTime() <= Date.now()) return undefined;
  return `the certificate of ${name} begins at ${from.toISOString()} only. Check the clock of this machine, or wait.`;
}

function loginProblems(given: Given): readonly Problem[] {
  return secrets.flatMap((name) => {
    const file = `${name}_FILE`;
    const [hasValue, hasFile] = [given.has(name), given.has(file)];
    if (!given.has('KAFKA_SASL_MECHANISM')) return withoutMechanism([hasValue ? name : '', hasFile ? file : '']);
    if (hasValue && hasFile) return [[file, `it says the same as ${name}. Set one of the two only.`] as const];
    if (hasFile) return fileProblem(given, file);
    return hasValue
      ? []
      : [[name, `KAFKA_SASL_MECHANISM needs it. Set it, or ${file} to a file that holds it.`] as const];
  });
}

function withoutMechanism(names: readonly string[]): readonly Problem[] {
  const message =
    'it has no effect without KAFKA_SASL_MECHANISM. Set that to plain, scram-sha-256 or scram-sha-512, or take this out.';
  return names.filter((name) => name !== '').map((name) => [name, message]);
}

/** With SCRAM the password itself does not travel; with PLAIN it does. */
function plainProblems(given: Given, brokers: readonly string[]): readonly Problem[] {
  if (given.get('KAFKA_SASL_MECHANISM') !== 'plain' || given.get('KAFKA_SSL') === 'on') return [];
  const far = brokers.filter((broker) => !isThisMachine(broker.replace(/:\d+$/, '')));
  if (far.length === 0) return [];
  const message = `plain would send the password readable to ${far.join(', ')}. Set KAFKA_SSL=on, or use scram-sha-512.`;
  return [['KAFKA_SASL_MECHANISM', message]];
}

function brokersIn(settings: unknown): readonly string[] {
  const brokers = isRecord(settings) ? settings['KAFKA_BROKERS'] : undefined;
  return Array.isArray(brokers) ? brokers.map(String) : entriesIn(String(brokers ?? ''));
}
