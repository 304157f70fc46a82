import { backoffMs, pause } from './pause.ts';

/** With the pauses of `backoffMs` about ten seconds. */
const mostTries = 9;

/**
 * Asks Kafka again as long as a partition that is asked about has no leader: it was just made, or its broker died, and that passes by itself.
 *
 * @throws what was thrown last; at once whatever does not pass by itself.
 */
export async function untilLeader<T>(ask: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await ask();
    } catch (error) {
      if (attempt === mostTries || !isLeaderMissing(error)) throw error;
      await pause(backoffMs(attempt));
    }
  }
}

const leaderProblems: readonly unknown[] = [
  'NOT_LEADER_FOR_PARTITION',
  'LEADER_NOT_AVAILABLE',
  'UNKNOWN_TOPIC_OR_PARTITION',
];

/** Kafka says so with a type; kafkajs knows a leader of which it has no address, such as that of a broker that died, by the name of its error. */
function isLeaderMissing(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error.name === 'KafkaJSBrokerNotFound' || leaderProblems.includes(Reflect.get(error, 'type'));
}
