import { type LabClient } from './lab-client.ts';
import { type LabPlan } from './lab-plan.ts';

/**
 * What a check came to. `passed` is claimed only for what was seen; `not_tested` says what the plan lacks, and counts as no pass; `not_applicable` is the
 * team's own word that the server offers no such thing.
 */
export type Finding =
  | { readonly verdict: 'passed'; readonly seen: string }
  | { readonly verdict: 'failed'; readonly seen: string; readonly advice: string }
  | { readonly verdict: 'not_tested'; readonly seen: string }
  | { readonly verdict: 'not_applicable'; readonly seen: string };

/** One thing that a domain server must do right. */
export type LabCheck = {
  /** Stable name, such as `repeat.same_answer`. */
  readonly id: string;
  readonly title: string;
  /** What goes wrong for a customer when the server does not do it. */
  readonly why: string;
  /** Whether a server that does not do it cannot be transaction-ready. */
  readonly isRequired: boolean;
  run(around: LabSurroundings): Promise<Finding>;
};

/** What a check works with. */
export type LabSurroundings = {
  readonly plan: LabPlan;
  readonly client: LabClient;
  /** Arguments of a call with an effect that has not been made yet; null when the plan has no more of them. */
  nextEffect(): Readonly<Record<string, unknown>> | null;
};

/** It is as it must be. */
export function passed(seen: string): Finding {
  return { verdict: 'passed', seen };
}

/** It is not, and this is what to do. */
export function failed(seen: string, advice: string): Finding {
  return { verdict: 'failed', seen, advice };
}

/** The plan lacks what the check needs. */
export function notTested(seen: string): Finding {
  return { verdict: 'not_tested', seen };
}

/** The server offers no such thing, as its team says. */
export function notApplicable(what: string): Finding {
  return { verdict: 'not_applicable', seen: `The plan says that the server offers no ${what}.` };
}
