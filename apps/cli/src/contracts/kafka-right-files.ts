import { type KafkaRight, kafkaRights } from '@latch/contracts';

/** The access lists of Kafka as a script for `kafka-acls.sh`, and as a table: path below `deploy/kafka/` -> text. The same sources always give the same text. */
export function kafkaRightFiles(): ReadonlyMap<string, string> {
  return new Map([
    ['acls.sh', script()],
    ['rights.md', table()],
  ]);
}

function script(): string {
  return `#!/usr/bin/env bash
# Grants on Kafka what each service of Latch needs, and nothing else. Generated from libs/contracts/src by npm run contracts:generate; rights.md is the same as a table.
#   KAFKA_ACLS="kafka-acls.sh --bootstrap-server kafka:9093 --command-config admin.properties" LATCH_TOPIC_PREFIX= deploy/kafka/acls.sh
# Each service logs in as a principal of its own: User:latch-<service>, or what LATCH_PRINCIPAL_<SERVICE> says, such as "User:CN=orchestrator,O=Bank".
# It only adds: a right that a release needs no more is taken away by hand.
set -euo pipefail
read -r -a acls <<< "\${KAFKA_ACLS:-kafka-acls.sh --bootstrap-server \${KAFKA_BROKERS:-127.0.0.1:9092}}"
p="\${LATCH_TOPIC_PREFIX:-}"
grant() { "\${acls[@]}" --add --force --allow-principal "$@"; }

${principals().map(linesOf).join('\n\n')}
`;
}

function linesOf(principal: string): string {
  const [variable, own] = [`LATCH_PRINCIPAL_${principal.toUpperCase().replaceAll('-', '_')}`, `User:latch-${principal}`];
  const grants = kafkaRights().filter((right) => right.principal === principal);
  return [`who="\${${variable}:-${own}}"`, ...grants.map(grantLine)].join('\n');
}

function grantLine({ operations, resource, names, pattern }: KafkaRight): string {
  const what = operations.map((operation) => ` --operation ${operation}`).join('');
  const on = names.map((name) => ` --${resource} "\${p}${name}"`).join('');
  return `grant "$who"${what} --resource-pattern-type ${pattern}${on}`;
}

function table(): string {
  const rows = kafkaRights().map(
    ({ principal, operations, resource, names, pattern }) =>
      `| ${principal} | ${operations.join(', ')} | ${resource} | ${pattern} | ${names.map((name) => `\`${name}\``).join(', ')} |`,
  );
  return `# Who may do what on Kafka

Generated from \`libs/contracts/src\` by \`npm run contracts:generate\`. [acls.sh](acls.sh) grants it; [how to secure Kafka](../../docs/how-to/secure-kafka.md) explains it. Where
\`LATCH_TOPIC_PREFIX\` is set, it stands before every name.

| who | may | on | pattern | names |
|---|---|---|---|---|
${rows.join('\n')}
`;
}

function principals(): readonly string[] {
  return [...new Set(kafkaRights().map(({ principal }) => principal))];
}
