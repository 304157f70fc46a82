import { connect as connectPlain, isIP } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { type KafkaSecurity } from '@latch/config';
import { type Logger } from '@latch/observability';
import kafkajs, { type ISocketFactory, type Kafka as KafkaClient, type RetryOptions, type SASLOptions } from 'kafkajs';
import { kafkaLogCreator } from './kafka-log.ts';

const { Kafka } = kafkajs;

/** Where a Kafka is, and as whom it is spoken to. */
export type KafkaPlace = {
  /** `host:port` each. */
  readonly brokers: readonly string[];
  /** Not given: neither TLS nor a login. */
  readonly security?: KafkaSecurity | undefined;
};

type ClientOptions = KafkaPlace & {
  /** What Kafka's own logs and quotas see. */
  readonly clientId: string;
  readonly logger: Logger;
  readonly retry: RetryOptions;
};

/**
 * A client of Kafka as all of Latch makes it. Certificates, keys and passwords are read from their files at each connection and each login, so that they can be
 * exchanged while it runs; the name in a broker's certificate is checked at each.
 */
export function kafkaClient({ brokers, security, clientId, logger, retry }: ClientOptions): KafkaClient {
  return new Kafka({
    clientId,
    brokers: [...brokers],
    logCreator: kafkaLogCreator(logger),
    ssl: security?.tls !== undefined,
    ...saslOf(security),
    socketFactory: socketFactoryOf(security),
    connectionTimeout: 3_000,
    requestTimeout: 10_000,
    retry,
  });
}

/** kafkajs looks at the name and the password each time that it logs in. */
function saslOf(security: KafkaSecurity | undefined): { readonly sasl?: SASLOptions } {
  const login = security?.login;
  if (login === undefined) return {};
  const sasl: SASLOptions = { mechanism: login.mechanism, username: '', password: '' };
  Object.defineProperties(sasl, {
    username: { get: login.username },
    password: { get: login.password },
  });
  return { sasl };
}

/** TCP_NODELAY: a small request must not wait for the acknowledgement of the one before. */
function socketFactoryOf(security: KafkaSecurity | undefined): ISocketFactory {
  return ({ host, port, onConnect }) => {
    const place = { host, port };
    const name = isIP(host) ? {} : { servername: host };
    const tls = security?.tls;
    const socket =
      tls === undefined ? connectPlain(place, onConnect) : connectTls({ ...place, ...name, ...tls() }, onConnect);
    socket.setKeepAlive(true, 60_000);
    socket.setNoDelay(true);
    return socket;
  };
}
