import { failure, type Result, success } from '@latch/contracts';

/** Whether a part can be had on this machine, and why or why not, in a sentence. */
export type Ability = { readonly ok: boolean; readonly reason: string };

/** Which bus is taken, and why. `memory` is for trying out only: nothing survives its process. */
export type BusChoice =
  | { readonly kind: 'given'; readonly brokers: readonly string[]; readonly why: string }
  | { readonly kind: 'local' | 'docker' | 'memory'; readonly why: string };

/** What the choice rests on. */
export type BusFacts = {
  /** The brokers that `KAFKA_BROKERS` names. */
  readonly brokers: readonly string[];
  /** Whether TLS or a login is set for them. */
  readonly isSecured?: boolean;
  readonly wanted: 'auto' | 'local' | 'docker' | 'memory';
  readonly local: Ability;
  readonly docker: Ability;
};

/**
 * Chooses the bus: the named brokers always win; else the part that was asked for; else the first that works of a local Kafka, one in Docker, and the
 * in-process bus.
 *
 * @returns the reason in words when the part that was asked for cannot be had, or a Kafka is to be spoken to that nobody named.
 */
export function chooseBus(facts: BusFacts): Result<BusChoice, string> {
  const { brokers, wanted, local, docker } = facts;
  if (brokers.length > 0) return success({ kind: 'given', brokers, why: 'KAFKA_BROKERS names it' });
  if (facts.isSecured) return failure(noSecuredBroker);
  if (wanted === 'memory') return success({ kind: 'memory', why: 'LATCH_KAFKA=memory asks for it' });
  if (wanted !== 'auto') return chooseWanted(wanted, wanted === 'local' ? local : docker);
  if (local.ok) return success({ kind: 'local', why: `no KAFKA_BROKERS; this machine has ${local.reason}` });
  if (docker.ok)
    return success({ kind: 'docker', why: `no KAFKA_BROKERS; ${docker.reason}. No local one: ${local.reason}` });
  return success({
    kind: 'memory',
    why: `no Kafka can be started here. Local: ${local.reason} Docker: ${docker.reason}`,
  });
}

const noSecuredBroker =
  'KAFKA_SSL or KAFKA_SASL_MECHANISM is set, and KAFKA_BROKERS is not. Name the brokers that they are for, or take them out: a Kafka that is started here has neither.';

/** What to say when the in-process bus was taken. */
export const memoryWarning = [
  'WARNING: there is no Kafka. All services run in one process over a bus in memory. This is for trying out only:',
  'a message that is under way is lost when the process ends. For the real thing install a Java 17 runtime and Apache',
  'Maven (or start Docker), or set KAFKA_BROKERS, and start again. `npm run latch doctor` shows what is missing.',
] as const;

function chooseWanted(kind: 'local' | 'docker', ability: Ability): Result<BusChoice, string> {
  if (!ability.ok) return failure(`LATCH_KAFKA=${kind}: ${ability.reason}`);
  return success({ kind, why: `LATCH_KAFKA=${kind} asks for it; ${ability.reason}` });
}
