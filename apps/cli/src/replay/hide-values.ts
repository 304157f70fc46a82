import {
  type AgainstReport,
  type DifferenceKind,
  type RebuildVerdict,
  type RedecideVerdict,
  type ReplaySummary,
} from '@latch/replay';

/** What stands for a value that is not shown. */
export const notShown = '(not shown: personal)';

/**
 * What a rebuild has found, as a terminal or the log of a pipeline may show it: where the states differ, as far as our own members name it, and not what stands there,
 * which people or tools have said.
 */
export function hideStates(summary: ReplaySummary<RebuildVerdict>): ReplaySummary<RebuildVerdict> {
  const findings = summary.findings.map((finding) => {
    if (finding.verdict.kind !== 'differs') return finding;
    const path = ownPath(finding.verdict.difference.path);
    return {
      ...finding,
      verdict: { kind: 'differs' as const, difference: { path, stored: notShown, found: notShown } },
    };
  });
  return { ...summary, findings };
}

/** The same of decisions: of the input and the events the types are shown. */
export function hideDecisions({ findings, ...counts }: ReplaySummary<RedecideVerdict>): ShownDecisions {
  const shown = findings.map((finding) => {
    if (finding.verdict.kind !== 'differs') return finding;
    const { input, recorded, decided, ...where } = finding.verdict.divergence;
    const divergence = {
      ...{ ...where, input: typeOf(input) },
      ...{ recorded: recorded.map(typeOf), decided: decided.map(typeOf) },
    };
    return { ...finding, verdict: { kind: 'differs' as const, divergence } };
  });
  return { ...counts, findings: shown };
}

type ShownDecisions = Omit<ReplaySummary<RedecideVerdict>, 'findings'> & { readonly findings: readonly unknown[] };

/** The same of what another configuration would have decided: which tool, which question and which end is shown, and no argument, value or answer. */
export function hideAspects(report: AgainstReport): AgainstReport {
  const conversations = report.conversations.map(({ conversationKey, differences }) => ({
    conversationKey,
    differences: differences.map((difference) => ({
      ...difference,
      aspects: difference.aspects.map((aspect) =>
        saysNothing[aspect.kind] ? aspect : { kind: aspect.kind, recorded: [notShown], decided: [notShown] },
      ),
    })),
  }));
  return { ...report, conversations };
}

/** Whether an aspect of a decision says nothing of a person: names of tools, intents and parameters, statuses and times. */
const saysNothing: Readonly<Record<DifferenceKind, boolean>> = {
  other_intent: true,
  other_tool: true,
  other_confirmation: false,
  other_call: false,
  other_question: true,
  other_values: false,
  other_refusal: true,
  other_end: true,
  other_answer: false,
  other_deadline: true,
  other_detail: false,
  agent_gone: true,
};

function typeOf({ type }: { readonly type: string }): { readonly type: string } {
  return { type };
}

/** Members of a state that hold no members of a tool or a person. */
const ownMembers = new Set([
  ...['stateVersion', 'transaction', 'parked', 'unresolved', 'last', 'resumeOffer', 'lastTurn', 'clarifications'],
  ...['id', 'tool', 'intent', 'rev', 'configDigest', 'status', 'missing', 'reopened', 'deadlineAt', 'startedAt'],
  ...['call', 'proposal', 'confirmation', 'reconcile', 'reconcileAttempts', 'preValidation', 'lineage', 'purpose'],
  ...['proposalId', 'invocationId', 'turnId', 'messageId', 'confirmedAt', 'expiresAt', 'receivedAt', 'parkedAt'],
  ...['reason', 'detail', 'outcome', 'endedInTurn', 'endedAt', 'channel', 'route', 'userId', 'text', 'message'],
]);

/** Members whose own members are named by a tool or a person. */
const othersMembers = new Set([
  ...['arguments', 'resolvedArguments', 'businessContext', 'values', 'items', 'rejected', 'corrections', 'evidence'],
  ...['error', 'untold', 'turn'],
]);

/** A path of `firstDifference` up to the first member that is not ours. */
function ownPath(path: string): string {
  let end = 1;
  for (const [step, name] of path.slice(1).matchAll(/\[\d+\]|\.(\w+)/gy)) {
    const isTheirs = name !== undefined && othersMembers.has(name);
    if (name !== undefined && !isTheirs && !ownMembers.has(name)) break;
    end += step.length;
    if (isTheirs) break;
  }
  return end === path.length ? path : `${path.slice(0, end)}.(not shown)`;
}
