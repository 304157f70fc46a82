import { type CertificateProblem, certificateProblem } from '@latch/config';
import { type KafkaPlace } from './kafka-client.ts';

/** What was asked of Kafka when it refused: which right it takes, and on what. */
export type Asked = {
  readonly right: 'Read' | 'Write' | 'Create' | 'Alter' | 'Describe';
  /** With the deployment's prefix. */
  readonly topics?: readonly string[];
  readonly group?: string;
};

/** Kafka does not let this client do something. Its message is the sentence of `kafkaRefusal`. */
export class KafkaRefused extends Error {
  override readonly name = 'KafkaRefused';
}

/**
 * Says why Kafka lets this client not do what it asked for, or why no trust could be built to it: a sentence that names who lacks which right on what, and what
 * to do. Repeating changes nothing until somebody acts.
 *
 * @returns undefined when the error is another one: a broker that is away, a group that rebalances.
 */
export function kafkaRefusal(error: unknown, place: KafkaPlace, asked: Asked): string | undefined {
  for (const link of linksOf(error)) {
    const sentence = sentenceFor(link, place, asked);
    if (sentence !== undefined) return sentence;
  }
  return undefined;
}

/** Whether a refusal may as well be a broker that is away for a moment: kafkajs does not say why nobody told it who coordinates a group. */
export function isUnsure(error: unknown): boolean {
  return linksOf(error).some(({ name }) => name === 'KafkaJSGroupCoordinatorNotFound');
}

type Link = { readonly type: string; readonly code: string; readonly message: string; readonly name: string };

/** kafkajs wraps errors in errors, and puts those of several topics into one. */
function linksOf(error: unknown, depth = 0): readonly Link[] {
  if (!(error instanceof Error) || depth > maxDepth) return [];
  const text = (name: string): string => String(Reflect.get(error, name) ?? '');
  const errors: unknown = Reflect.get(error, 'errors');
  const inner = [error.cause, ...(Array.isArray(errors) ? errors.map((one: unknown) => one) : [])];
  const link = { type: text('type'), code: text('code'), message: error.message, name: error.name };
  return [link, ...inner.flatMap((one) => linksOf(one, depth + 1))];
}

const maxDepth = 8;

function sentenceFor(link: Link, place: KafkaPlace, asked: Asked): string | undefined {
  if (link.name === 'KafkaRefused') return link.message;
  if (link.name === 'KafkaJSGroupCoordinatorNotFound') return coordinatorSentence(place, asked);
  if (link.name === 'KafkaJSSASLAuthenticationError') return loginSentence(link, place);
  return rightSentence(link, place, asked) ?? trustSentence(link, place);
}

function loginSentence({ message }: Link, place: KafkaPlace): string {
  return `Kafka at ${where(place)} does not let ${whoIs(place)} in (${message}). Check KAFKA_SASL_MECHANISM, the user name and the password, or make the user in Kafka.`;
}

/** kafkajs asks each broker, and keeps for itself why none has told it. */
function coordinatorSentence(place: KafkaPlace, { group }: Asked): string {
  return `Kafka at ${where(place)} does not tell ${whoIs(place)} who coordinates the consumer group ${group ?? ''}: it lacks the right Read on the group, or no broker answers. ${remedy}`;
}

const remedy = 'deploy/kafka/acls.sh lists what each service needs.';

function rightSentence({ type }: Link, place: KafkaPlace, { right, topics = [], group }: Asked): string | undefined {
  const on: Readonly<Record<string, string>> = {
    TOPIC_AUTHORIZATION_FAILED: `${right} on ${topics.length > 1 ? 'one or more of the topics' : 'the topic'} ${topics.join(', ')}`,
    GROUP_AUTHORIZATION_FAILED: `Read on the consumer group ${group ?? ''}`,
    CLUSTER_AUTHORIZATION_FAILED: `${right} on the cluster`,
  };
  const lacking = Object.hasOwn(on, type) ? on[type] : undefined;
  if (lacking === undefined) return undefined;
  return `Kafka at ${where(place)} refuses ${whoIs(place)}: it lacks the right ${lacking}. Grant it: ${remedy}`;
}

const certificate: Readonly<Record<CertificateProblem, string>> = {
  unknown_authority: 'shows a certificate that no known authority has signed. Name the authority in KAFKA_SSL_CA_FILE.',
  other_name:
    'shows a certificate for another name. Use a name in KAFKA_BROKERS, and in advertised.listeners, that stands in it.',
  not_in_time: 'shows a certificate whose time is over or has not begun. Renew it there.',
};

/** What Node.js and OpenSSL say when no connection over TLS came about for another reason than the broker's certificate. */
const handshake: readonly (readonly [pattern: RegExp, what: string])[] = [
  [
    /^ERR_SSL_(TLSV\d+_|SSLV3_|SSL\/TLS_)?ALERT_/,
    'refuses our certificate, or wants one. Check KAFKA_SSL_CERT_FILE and KAFKA_SSL_KEY_FILE, and which authority it trusts.',
  ],
  [
    /^(ERR_SSL_WRONG_VERSION_NUMBER|ERR_SSL_PACKET_LENGTH_TOO_LONG)$/,
    'does not speak TLS on that port. Use the port of its TLS listener, or set KAFKA_SSL=off.',
  ],
];

function trustSentence({ code, message }: Link, place: KafkaPlace): string | undefined {
  const problem = certificateProblem(code);
  const what = problem ? certificate[problem] : handshake.find(([pattern]) => pattern.test(code))?.[1];
  return what === undefined ? undefined : `Kafka at ${where(place)} ${what} (${message})`;
}

function where({ brokers }: KafkaPlace): string {
  return brokers.join(', ');
}

/** Who we are is told as well as it can be: that must not hide what is wrong. */
function whoIs({ security }: KafkaPlace): string {
  try {
    return security?.principal() ?? 'User:ANONYMOUS';
  } catch {
    return 'this process';
  }
}
