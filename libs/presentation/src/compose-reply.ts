import { type Locale } from '@latch/contracts';
import { type Reply, type ReplySlot } from '@latch/transaction';
import { describeError } from './describe-error.ts';
import { capitalize, describeOutcome, uniqueLabels } from './describe-outcome.ts';
import { describeProblem } from './describe-problem.ts';
import { cleanText, formatReason } from './format-value.ts';
import { formatShown } from './render-data.ts';
import { texts } from './texts.ts';

/**
 * The answer to one turn as text: each slot in its order, a blank line between them. Deterministic: the same slots and locale give the same text, without a model and
 * without a clock. It claims nothing that the slots do not hold (invariant I22).
 */
export function composeReply(reply: Reply, locale: Locale): string {
  return reply.slots
    .map((slot) => say(slot, locale).trim())
    .filter((text) => text !== '')
    .join('\n\n');
}

function say(slot: ReplySlot, locale: Locale): string {
  const words = texts[locale];
  if (isPlain(slot)) return words[plainTexts[slot.kind]];
  if (isAboutTool(slot)) return words[toolTexts[slot.kind]](slot.toolLabel);
  switch (slot.kind) {
    case 'fixed':
      return slot.text;
    case 'help':
      return sayHelp(slot.options, locale);
    case 'ask_parameter':
      return askParameter(slot, locale);
    case 'ask_confirmation':
      return askConfirmation(slot, locale);
    case 'outcome':
      return describeOutcome(slot, locale);
    case 'not_eligible':
      return [words.notEligible(slot.toolLabel), ...reasonLine(slot.reason, locale)].join('\n');
    case 'validation_failed':
      return [words.validationFailed(slot.toolLabel), ...describeError(slot.error, locale)].join('\n');
    default:
      return slot satisfies never;
  }
}

/** Slots that are one fixed sentence. */
const plainTexts = {
  nothing_to_confirm: 'nothingToConfirm',
  stale_confirmation: 'staleConfirmation',
  not_yours_to_confirm: 'notYoursToConfirm',
  handoff: 'handoff',
  inconsistent: 'inconsistent',
} as const;

/** Slots that are one sentence about the tool. */
const toolTexts = {
  cancelled: 'cancelled',
  expired: 'expired',
  working: 'working',
  parked: 'parked',
  offer_resume: 'offerResume',
  resumed: 'resumed',
} as const;

function isPlain(slot: ReplySlot): slot is Extract<ReplySlot, { kind: keyof typeof plainTexts }> {
  return Object.hasOwn(plainTexts, slot.kind);
}

function isAboutTool(slot: ReplySlot): slot is Extract<ReplySlot, { kind: keyof typeof toolTexts }> {
  return Object.hasOwn(toolTexts, slot.kind);
}

function sayHelp(options: readonly string[], locale: Locale): string {
  const { help, helpWith } = texts[locale];
  if (options.length === 0) return help;
  return [helpWith, ...options.map((option) => `- ${cleanText(option, locale)}`)].join('\n');
}

function reasonLine(reason: string | null, locale: Locale): readonly string[] {
  return reason === null || reason.trim() === '' ? [] : [texts[locale].reason(formatReason(reason, locale))];
}

function askParameter(slot: Extract<ReplySlot, { kind: 'ask_parameter' }>, locale: Locale): string {
  const words = texts[locale];
  const question = slot.parameter.userPrompt ?? words.askFor(slot.parameter.label);
  if (slot.why === 'missing') return question;
  const isExplained = slot.why === 'invalid' && slot.detail !== null && slot.detail.trim() !== '';
  const lead = isExplained ? describeProblem(slot.detail ?? '', locale) : words.notUnderstood;
  return `${lead} ${question}`;
}

type Confirmation = Extract<ReplySlot, { kind: 'ask_confirmation' }>;

/** The question shows everything that a yes approves: what the validator's own question leaves out is listed behind it (invariant I5). */
function askConfirmation(slot: Confirmation, locale: Locale): string {
  const words = texts[locale];
  const question = slot.message === null ? words.confirm(slot.toolLabel) : slot.message.trim();
  const lead = slot.why === 'first' ? [] : [words.confirmWhy[slot.why]];
  const details = [...itemLines(slot, question, locale), ...valueLines(slot, question, locale)];
  const isChangeable = slot.items.length > 1;
  const how = isChangeable ? words.answerOrChange : words.answerYesOrNo;
  return [...lead, question, ...details, ...rejectedLines(slot, locale), how].join('\n');
}

function itemLines(slot: Confirmation, question: string, locale: Locale): readonly string[] {
  const labels = uniqueLabels(
    slot.items.map(({ label }, index) => ({ id: String(index + 1), label })),
    locale,
  );
  const rejected = new Set(slot.rejected.map(({ label }) => cleanText(label, locale)));
  return labels.filter((label) => !names(question, label) && !rejected.has(label)).map((label) => `- ${label}`);
}

function valueLines(slot: Confirmation, question: string, locale: Locale): readonly string[] {
  return slot.values.flatMap(({ label, value }) => {
    const shown = formatShown({ label, value }, locale);
    if (shown === '' || names(question, shown)) return [];
    return [`- ${capitalize(cleanText(label, locale))}: ${shown}`];
  });
}

function rejectedLines(slot: Confirmation, locale: Locale): readonly string[] {
  if (slot.rejected.length === 0) return [];
  const lines = slot.rejected.map(({ label, reason }) => {
    const why = reason === null || reason.trim() === '' ? '' : ` (${formatReason(reason, locale)})`;
    return `- ${cleanText(label, locale)}${why}`;
  });
  return [texts[locale].likelyRefused, ...lines];
}

/** Whether a text names something as a word of its own, whatever its case. */
function names(text: string, label: string): boolean {
  const at = text.toLowerCase().indexOf(label.toLowerCase());
  if (label === '' || at < 0) return false;
  const before = text.charAt(at - 1);
  const after = text.charAt(at + label.length);
  return !/[\p{L}\p{N}]/u.test(before) && !/[\p{L}\p{N}]/u.test(after);
}
