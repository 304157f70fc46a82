// A local Kafka as a bank runs one: TLS and a login on one listener, client certificates on another, and nobody may do anything that no access list allows.
import path from 'node:path';
import { makeAuthority } from './certificates.mjs';

/** The one who may do everything: it writes the access lists. */
export const administrator = 'administrator';

const names = ['IP:127.0.0.1', 'DNS:localhost'];

/**
 * Makes the certificates of a secured broker and says how it is configured: SASL_SSL (SCRAM and PLAIN) on `port`, mTLS on `mutualPort`.
 *
 * @param folder where the certificates go.
 * @param users passwords by user name; the administrator's must be among them.
 * @param reauthenticateMs time after which a login must be renewed; 0: never.
 * @returns what `startKafka` takes as `security`, and the authority, which signs the certificates of clients.
 */
export function secureKafka({ folder, mutualPort, users, reauthenticateMs = 0 }) {
  const authority = makeAuthority(folder);
  const { bothFile } = authority.issue({ file: 'broker', subject: '/O=Latch/CN=broker', names });
  const pem = { ca: authority.certFile, own: bothFile };
  return {
    authority,
    mutualPort,
    security: {
      listeners: (port) => [`SASL_SSL://127.0.0.1:${port}`, `SSL://127.0.0.1:${mutualPort}`],
      properties: properties({ users, pem, reauthenticateMs }),
      formatArgs: Object.entries(users).flatMap(([name, password]) =>
        ['SCRAM-SHA-256', 'SCRAM-SHA-512'].flatMap((mechanism) => [
          '--add-scram',
          `${mechanism}=[name=${name},password=${password}]`,
        ]),
      ),
    },
  };
}

function properties({ users, pem, reauthenticateMs }) {
  const plainUsers = Object.entries(users).map(([name, password]) => `user_${name}="${password}"`);
  const own = `username="${administrator}" password="${users[administrator]}"`;
  const listener = 'listener.name.sasl_ssl';
  return `inter.broker.listener.name=SASL_SSL
sasl.mechanism.inter.broker.protocol=SCRAM-SHA-512
${listener}.sasl.enabled.mechanisms=SCRAM-SHA-512,SCRAM-SHA-256,PLAIN
${listener}.scram-sha-512.sasl.jaas.config=org.apache.kafka.common.security.scram.ScramLoginModule required ${own};
${listener}.scram-sha-256.sasl.jaas.config=org.apache.kafka.common.security.scram.ScramLoginModule required ${own};
${listener}.plain.sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required ${own} ${plainUsers.join(' ')};
${listener}.connections.max.reauth.ms=${reauthenticateMs}
listener.name.ssl.ssl.client.auth=required
ssl.keystore.type=PEM
ssl.keystore.location=${path.resolve(pem.own)}
ssl.truststore.type=PEM
ssl.truststore.location=${path.resolve(pem.ca)}
authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer
allow.everyone.if.no.acl.found=false
# The controller of this one node is spoken to by the node alone, over loopback.
super.users=User:${administrator};User:ANONYMOUS
`;
}
