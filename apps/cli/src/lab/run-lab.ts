import { answerChecks } from './checks/answer-checks.ts';
import { effectChecks } from './checks/effect-checks.ts';
import { limitChecks } from './checks/limit-checks.ts';
import { listingChecks } from './checks/listing-checks.ts';
import { type Finding, type LabCheck, type LabSurroundings } from './lab-check.ts';
import { type LabClient } from './lab-client.ts';
import { type LabPlan } from './lab-plan.ts';

/** Every check of the lab, in the order in which they run. */
export const labChecks: readonly LabCheck[] = [...listingChecks, ...effectChecks, ...answerChecks, ...limitChecks];

/** A check and what it came to. */
export type LabLine = Pick<LabCheck, 'id' | 'title' | 'why' | 'isRequired'> & { readonly finding: Finding };

/**
 * How far a server is to be trusted with transactions. `transaction-ready` is claimed only when every required check passed; what was not tested makes it
 * `inconclusive`, never better.
 */
export type LabGrade = 'transaction-ready' | 'not-ready' | 'inconclusive';

/** What the lab found. */
export type LabReport = { readonly server: string; readonly grade: LabGrade; readonly lines: readonly LabLine[] };

/** Runs every check against one server, one after the other. A check that breaks down is a failed one and never ends the run. */
export async function runLab(
  { plan, client }: { readonly plan: LabPlan; readonly client: LabClient },
  onLine: (line: LabLine) => void = () => undefined,
): Promise<LabReport> {
  const effects = effectsOf(plan);
  const lines: LabLine[] = [];
  for (const check of labChecks) {
    const canReset = await client.reset().catch(() => false);
    if (canReset) effects.startAgain();
    const { id, title, why, isRequired } = check;
    const line = {
      id,
      title,
      why,
      isRequired,
      finding: await findingOf(check, { plan, client, nextEffect: effects.next }),
    };
    lines.push(line);
    onLine(line);
  }
  await client.reset().catch(() => false);
  return { server: plan.name, grade: gradeOf(lines), lines };
}

/** The grade of what was found. */
export function gradeOf(lines: readonly Pick<LabLine, 'isRequired' | 'finding'>[]): LabGrade {
  const required = lines.filter(({ isRequired }) => isRequired).map(({ finding }) => finding.verdict);
  if (required.includes('failed')) return 'not-ready';
  return required.length === 0 || required.includes('not_tested') ? 'inconclusive' : 'transaction-ready';
}

async function findingOf(check: LabCheck, around: LabSurroundings): Promise<Finding> {
  try {
    return await check.run(around);
  } catch (error) {
    return {
      verdict: 'failed',
      seen: `the check broke down: ${String(error)}`,
      advice: 'Look whether the server is still up, and run the lab again.',
    };
  }
}

/** The planned effects, each used once: a second use of the same arguments would meet the world that the first one left. */
function effectsOf({ effect }: LabPlan): { next: LabSurroundings['nextEffect']; startAgain(): void } {
  let used = 0;
  return {
    next: () => {
      const next = effect?.calls[used] ?? null;
      used += 1;
      return next;
    },
    startAgain: () => {
      used = 0;
    },
  };
}
