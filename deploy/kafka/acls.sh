#!/usr/bin/env bash
# Grants on Kafka what each service of Latch needs, and nothing else. Generated from libs/contracts/src by npm run contracts:generate; rights.md is the same as a table.
#   KAFKA_ACLS="kafka-acls.sh --bootstrap-server kafka:9093 --command-config admin.properties" LATCH_TOPIC_PREFIX= deploy/kafka/acls.sh
# Each service logs in as a principal of its own: User:latch-<service>, or what LATCH_PRINCIPAL_<SERVICE> says, such as "User:CN=orchestrator,O=Bank".
# It only adds: a right that a release needs no more is taken away by hand.
set -euo pipefail
read -r -a acls <<< "${KAFKA_ACLS:-kafka-acls.sh --bootstrap-server ${KAFKA_BROKERS:-127.0.0.1:9092}}"
p="${LATCH_TOPIC_PREFIX:-}"
grant() { "${acls[@]}" --add --force --allow-principal "$@"; }

who="${LATCH_PRINCIPAL_ORCHESTRATOR:-User:latch-orchestrator}"
grant "$who" --operation Describe --resource-pattern-type literal --topic "${p}latch.turns.v1" --topic "${p}latch.tool-invocations.v1" --topic "${p}latch.tool-executions.v1" --topic "${p}latch.tool-results.v1" --topic "${p}latch.responses.v1" --topic "${p}latch.signals.v1" --topic "${p}latch.evaluations.v1" --topic "${p}latch.dead-letters.v1"
grant "$who" --operation Read --resource-pattern-type literal --topic "${p}latch.turns.v1" --topic "${p}latch.tool-results.v1"
grant "$who" --operation Write --resource-pattern-type literal --topic "${p}latch.tool-invocations.v1" --topic "${p}latch.responses.v1" --topic "${p}latch.signals.v1" --topic "${p}latch.dead-letters.v1"
grant "$who" --operation Read --resource-pattern-type literal --group "${p}orchestrator"

who="${LATCH_PRINCIPAL_TOOL_EXECUTOR:-User:latch-tool-executor}"
grant "$who" --operation Describe --resource-pattern-type literal --topic "${p}latch.turns.v1" --topic "${p}latch.tool-invocations.v1" --topic "${p}latch.tool-executions.v1" --topic "${p}latch.tool-results.v1" --topic "${p}latch.responses.v1" --topic "${p}latch.signals.v1" --topic "${p}latch.evaluations.v1" --topic "${p}latch.dead-letters.v1"
grant "$who" --operation Read --resource-pattern-type literal --topic "${p}latch.tool-invocations.v1"
grant "$who" --operation Write --resource-pattern-type literal --topic "${p}latch.tool-executions.v1" --topic "${p}latch.signals.v1" --topic "${p}latch.dead-letters.v1"
grant "$who" --operation Read --resource-pattern-type literal --group "${p}tool-executor"

who="${LATCH_PRINCIPAL_RESULT_NORMALIZER:-User:latch-result-normalizer}"
grant "$who" --operation Describe --resource-pattern-type literal --topic "${p}latch.turns.v1" --topic "${p}latch.tool-invocations.v1" --topic "${p}latch.tool-executions.v1" --topic "${p}latch.tool-results.v1" --topic "${p}latch.responses.v1" --topic "${p}latch.signals.v1" --topic "${p}latch.evaluations.v1" --topic "${p}latch.dead-letters.v1"
grant "$who" --operation Read --resource-pattern-type literal --topic "${p}latch.tool-executions.v1"
grant "$who" --operation Write --resource-pattern-type literal --topic "${p}latch.tool-results.v1" --topic "${p}latch.signals.v1" --topic "${p}latch.dead-letters.v1"
grant "$who" --operation Read --resource-pattern-type literal --group "${p}result-normalizer"

who="${LATCH_PRINCIPAL_EVALUATOR:-User:latch-evaluator}"
grant "$who" --operation Describe --resource-pattern-type literal --topic "${p}latch.turns.v1" --topic "${p}latch.tool-invocations.v1" --topic "${p}latch.tool-executions.v1" --topic "${p}latch.tool-results.v1" --topic "${p}latch.responses.v1" --topic "${p}latch.signals.v1" --topic "${p}latch.evaluations.v1" --topic "${p}latch.dead-letters.v1"
grant "$who" --operation Read --resource-pattern-type literal --topic "${p}latch.tool-results.v1" --topic "${p}latch.responses.v1"
grant "$who" --operation Write --resource-pattern-type literal --topic "${p}latch.signals.v1" --topic "${p}latch.evaluations.v1" --topic "${p}latch.dead-letters.v1"
grant "$who" --operation Read --resource-pattern-type literal --group "${p}evaluator"

who="${LATCH_PRINCIPAL_INGRESS:-User:latch-ingress}"
grant "$who" --operation Describe --resource-pattern-type literal --topic "${p}latch.turns.v1" --topic "${p}latch.tool-invocations.v1" --topic "${p}latch.tool-executions.v1" --topic "${p}latch.tool-results.v1" --topic "${p}latch.responses.v1" --topic "${p}latch.signals.v1" --topic "${p}latch.evaluations.v1" --topic "${p}latch.dead-letters.v1"
grant "$who" --operation Read --resource-pattern-type literal --topic "${p}latch.responses.v1" --topic "${p}latch.signals.v1"
grant "$who" --operation Write --resource-pattern-type literal --topic "${p}latch.turns.v1" --topic "${p}latch.signals.v1"
grant "$who" --operation Read --resource-pattern-type prefixed --group "${p}ingress-"

who="${LATCH_PRINCIPAL_CONSOLE:-User:latch-console}"
grant "$who" --operation Describe --resource-pattern-type literal --topic "${p}latch.turns.v1" --topic "${p}latch.tool-invocations.v1" --topic "${p}latch.tool-executions.v1" --topic "${p}latch.tool-results.v1" --topic "${p}latch.responses.v1" --topic "${p}latch.signals.v1" --topic "${p}latch.evaluations.v1" --topic "${p}latch.dead-letters.v1"
grant "$who" --operation Read --resource-pattern-type literal --topic "${p}latch.signals.v1" --topic "${p}latch.dead-letters.v1"
grant "$who" --operation Read --resource-pattern-type prefixed --group "${p}console-"

who="${LATCH_PRINCIPAL_OPERATORS:-User:latch-operators}"
grant "$who" --operation Describe --resource-pattern-type literal --topic "${p}latch.turns.v1" --topic "${p}latch.tool-invocations.v1" --topic "${p}latch.tool-executions.v1" --topic "${p}latch.tool-results.v1" --topic "${p}latch.responses.v1" --topic "${p}latch.signals.v1" --topic "${p}latch.evaluations.v1" --topic "${p}latch.dead-letters.v1"
grant "$who" --operation Read --resource-pattern-type literal --topic "${p}latch.dead-letters.v1"
grant "$who" --operation Write --resource-pattern-type literal --topic "${p}latch.turns.v1" --topic "${p}latch.tool-invocations.v1" --topic "${p}latch.tool-executions.v1" --topic "${p}latch.tool-results.v1" --topic "${p}latch.responses.v1" --topic "${p}latch.dead-letters.v1"
grant "$who" --operation Read --operation Delete --resource-pattern-type prefixed --group "${p}reader-"

who="${LATCH_PRINCIPAL_PREPARE:-User:latch-prepare}"
grant "$who" --operation Create --operation Describe --operation Alter --resource-pattern-type literal --topic "${p}latch.turns.v1" --topic "${p}latch.tool-invocations.v1" --topic "${p}latch.tool-executions.v1" --topic "${p}latch.tool-results.v1" --topic "${p}latch.responses.v1" --topic "${p}latch.signals.v1" --topic "${p}latch.evaluations.v1" --topic "${p}latch.dead-letters.v1"
