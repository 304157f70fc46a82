import { z } from 'zod';
import { kafkaSecurityProblems } from './kafka-security-problems.ts';

/** How a process proves to Kafka who it is, and how it knows that it talks to Kafka. `kafkaSecurityOf` makes of it what a client takes. */
export const kafkaSecuritySettings = z.object({
  KAFKA_SSL: z
    .enum(['off', 'on'], { error: 'it must be off or on.' })
    .default('off')
    .describe(
      'Whether Kafka is spoken to over TLS; the name in the certificate of a broker is always checked. Default off.',
    ),
  KAFKA_SSL_CA_FILE: fileSetting(
    'PEM file with the authorities that may sign the certificates of brokers. Not set: those that Node.js knows.',
  ),
  KAFKA_SSL_CERT_FILE: fileSetting('PEM file with the certificate that this process shows to brokers (mTLS).'),
  KAFKA_SSL_KEY_FILE: fileSetting('PEM file with the private key of KAFKA_SSL_CERT_FILE, not encrypted.'),
  KAFKA_SASL_MECHANISM: z
    .enum(['plain', 'scram-sha-256', 'scram-sha-512'], {
      error: 'it must be plain, scram-sha-256 or scram-sha-512.',
    })
    .optional()
    .describe('How this process logs in to Kafka: plain, scram-sha-256 or scram-sha-512. Not set: it does not log in.'),
  KAFKA_SASL_USERNAME: z.string().optional().describe('User name for Kafka.'),
  KAFKA_SASL_USERNAME_FILE: fileSetting('File with the user name for Kafka, instead of KAFKA_SASL_USERNAME.'),
  KAFKA_SASL_PASSWORD: z.string().optional().describe('Password for Kafka.'),
  KAFKA_SASL_PASSWORD_FILE: fileSetting('File with the password for Kafka, instead of KAFKA_SASL_PASSWORD.'),
});

/** Adds the rules that hold between the variables, and between them and the files that they name, to a schema that has them. */
export function withKafkaSecurityRules<S extends z.ZodObject>(schema: S): S {
  return schema.superRefine(
    (settings, context) => {
      for (const [name, message] of kafkaSecurityProblems(settings)) {
        context.addIssue({ code: 'custom', path: [name], message });
      }
    },
    // A cross rule that waited for the other variables to be right would hide these problems until the next start.
    { when: () => true },
  );
}

function fileSetting(meaning: string): z.ZodOptional<z.ZodString> {
  return z.string().optional().describe(meaning);
}
