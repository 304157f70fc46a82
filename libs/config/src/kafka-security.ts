import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** The variables of `kafkaSecuritySettings`, parsed. */
export type KafkaSecuritySettings = {
  readonly KAFKA_SSL?: 'off' | 'on' | undefined;
  readonly KAFKA_SSL_CA_FILE?: string | undefined;
  readonly KAFKA_SSL_CERT_FILE?: string | undefined;
  readonly KAFKA_SSL_KEY_FILE?: string | undefined;
  readonly KAFKA_SASL_MECHANISM?: KafkaLogin['mechanism'] | undefined;
  readonly KAFKA_SASL_USERNAME?: string | undefined;
  readonly KAFKA_SASL_USERNAME_FILE?: string | undefined;
  readonly KAFKA_SASL_PASSWORD?: string | undefined;
  readonly KAFKA_SASL_PASSWORD_FILE?: string | undefined;
};

/** What TLS needs, as PEM text; what is absent is not configured. */
export type KafkaTls = { readonly ca?: string; readonly cert?: string; readonly key?: string };

/** How a client logs in. The functions read anew each time, so that a secret that was exchanged is used at the next login. */
export type KafkaLogin = {
  readonly mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512';
  readonly username: () => string;
  readonly password: () => string;
};

/**
 * How a client of Kafka is secured. It holds no secret itself: each function reads what it says now, so that certificates and passwords can be exchanged while
 * the process runs. @throws each of them, Error when a file cannot be read.
 */
export type KafkaSecurity = {
  /** Undefined: no TLS. */
  readonly tls?: () => KafkaTls;
  /** Undefined: no login. */
  readonly login?: KafkaLogin;
  /** Who the client is for the access lists of Kafka, as far as it can be told from here: a cluster may map the names of certificates to others. */
  readonly principal: () => string;
};

/** What the settings say of how Kafka is secured. They are checked where they are read: see `withKafkaSecurityRules`. */
export function kafkaSecurityOf(settings: KafkaSecuritySettings): KafkaSecurity {
  const tls = settings.KAFKA_SSL === 'on' ? { tls: () => readTls(settings) } : {};
  const login = loginOf(settings);
  return { ...tls, ...(login === undefined ? {} : { login }), principal: () => principalOf(settings, login) };
}

function readTls(settings: KafkaSecuritySettings): KafkaTls {
  const { KAFKA_SSL_CA_FILE: ca, KAFKA_SSL_CERT_FILE: cert, KAFKA_SSL_KEY_FILE: key } = settings;
  const named = Object.entries({ ca, cert, key }).flatMap(([name, file]) =>
    file === undefined ? [] : [[name, readFileSync(file, 'utf8')] as const],
  );
  return Object.fromEntries(named);
}

function loginOf(settings: KafkaSecuritySettings): KafkaLogin | undefined {
  const mechanism = settings.KAFKA_SASL_MECHANISM;
  if (mechanism === undefined) return undefined;
  return {
    mechanism,
    username: () => secretIn(settings.KAFKA_SASL_USERNAME, settings.KAFKA_SASL_USERNAME_FILE),
    password: () => secretIn(settings.KAFKA_SASL_PASSWORD, settings.KAFKA_SASL_PASSWORD_FILE),
  };
}

/** A file often ends with a line break that is no part of the secret. */
function secretIn(value: string | undefined, file: string | undefined): string {
  if (value !== undefined || file === undefined) return value ?? '';
  return readFileSync(file, 'utf8').replace(/\r?\n$/, '');
}

/** Kafka writes the name of a certificate with its most special part first. */
function principalOf(settings: KafkaSecuritySettings, login: KafkaLogin | undefined): string {
  if (login !== undefined) return `User:${login.username()}`;
  const { cert } = settings.KAFKA_SSL === 'on' ? readTls(settings) : {};
  if (cert === undefined) return 'User:ANONYMOUS';
  return `User:${new X509Certificate(cert).subject.split('\n').reverse().join(',')}`;
}
