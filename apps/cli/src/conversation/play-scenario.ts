import { type EventEnvelope } from '@latch/contracts';
import { checkAnswer } from './check-answer.ts';
import { checkCalls, checkEvents } from './check-evidence.ts';
import { DomainServerClient } from './domain-server-client.ts';
import { IngressClient } from './ingress-client.ts';
import { type Scenario, type Step } from './scenario.ts';
import { type SystemControl } from './system-control.ts';
import { Talk } from './talk.ts';

/** One step as it went: what was said and answered, or what happened; the events that it left; what was wrong. */
export type PlayedStep = {
  readonly did: string;
  readonly answer: string | null;
  readonly status: string | null;
  readonly events: readonly EventEnvelope[];
  readonly problems: readonly string[];
};

/** How a conversation went. `problems` are those of the whole; each step has its own. */
export type ScenarioReport = {
  readonly id: string;
  readonly title: string;
  readonly conversationKey: string;
  readonly ok: boolean;
  readonly steps: readonly PlayedStep[];
  readonly problems: readonly string[];
  readonly seconds: number;
};

/** Plays a conversation through HTTP against fresh domain data and checks everything that must hold; `onStep` sees each step as it is done. */
export async function playScenario(
  scenario: Scenario,
  system: SystemControl,
  onStep: (step: PlayedStep) => void = () => undefined,
): Promise<ScenarioReport> {
  const startedAtMs = Date.now();
  const ingress = new IngressClient(system.urlOf('ingress'));
  const domain = new DomainServerClient(system.urlOf(scenario.server));
  await domain.reset();
  const stage: Stage = { ingress, system, talk: new Talk(ingress, scenario), seen: 0 };
  const steps: PlayedStep[] = [];
  for (const step of scenario.steps) {
    const played = await playStep(step, stage).catch((error: unknown) => broken(step, error));
    steps.push(played);
    onStep(played);
  }
  const events = await ingress.events(stage.talk.conversationKey);
  const problems = [...checkCalls(await domain.calls(), scenario), ...checkEvents(events, scenario.events)];
  return {
    id: scenario.id,
    title: scenario.title,
    conversationKey: stage.talk.conversationKey,
    ok: problems.length === 0 && steps.every((step) => step.problems.length === 0),
    steps,
    problems,
    seconds: (Date.now() - startedAtMs) / 1000,
  };
}

/** What a scenario is played on. */
type Stage = {
  readonly ingress: IngressClient;
  readonly system: SystemControl;
  readonly talk: Talk;
  /** Version of the last event that was shown. */
  seen: number;
};

async function playStep(step: Step, stage: Stage): Promise<PlayedStep> {
  switch (step.kind) {
    case 'say':
      return say(step, stage);
    case 'kill':
      return happened(await stage.system.kill(step.service, { waitUntilReady: true }));
    case 'hold':
      return happened(await stage.system.hold(step.service));
    case 'release':
      return happened(await stage.system.release(step.service));
    case 'fault':
      await new DomainServerClient(stage.system.urlOf(step.server)).orderFault(step.fault);
      return happened(
        `${step.server} is told to fail: ${step.fault.tool}, ${step.fault.kind}, ${step.fault.times ?? 1} times`,
      );
    default:
      return step satisfies never;
  }
}

async function say(step: Extract<Step, { kind: 'say' }>, stage: Stage): Promise<PlayedStep> {
  const outcome = await stage.talk.say(step.text, step.inputs);
  const events = await stage.ingress.events(stage.talk.conversationKey, stage.seen);
  stage.seen += events.length;
  if (!outcome.ok) {
    const problems = [`the message was refused with HTTP ${outcome.status}: ${outcome.body}`];
    return { did: step.text, answer: null, status: null, events, problems };
  }
  const { text, metadata } = outcome.response;
  const problems = checkAnswer(outcome.response, step.expect);
  return { did: step.text, answer: text, status: metadata.transaction_status ?? null, events, problems };
}

/** A step that could not be played at all, such as a message that nobody answered. */
function broken(step: Step, error: unknown): PlayedStep {
  const cause = error instanceof Error && error.cause instanceof Error ? ` (${error.cause.message})` : '';
  const problem = `${error instanceof Error ? error.message : String(error)}${cause}`;
  return {
    did: step.kind === 'say' ? step.text : step.kind,
    answer: null,
    status: null,
    events: [],
    problems: [problem],
  };
}

function happened(did: string): PlayedStep {
  return { did, answer: null, status: null, events: [], problems: [] };
}
