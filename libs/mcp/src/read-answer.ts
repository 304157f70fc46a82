import { type CallToolResult, type RawOutcome } from '@latch/contracts';
import { z } from 'zod';
import { type Question } from './call-scope.ts';

/**
 * What an answer comes to.
 *
 * - It asks for input (MCP 2026-07-28), or the server asked in the middle of the call and was told `cancel`: `input_required`. A tool that fails for want of an
 *   answer did nothing; one that goes on all the same may have done anything, so its result is kept and the effect counts as open.
 * - Anything else is a result as it came. What is in it is for `libs/outcome` to say.
 */
export function readAnswer(result: CallToolResult, question: Question | null): RawOutcome {
  const announced = announcedQuestion(result);
  if (announced !== null) return { kind: 'input_required', ...announced };
  if (question === null) return { kind: 'result', result };
  return { kind: 'input_required', ...question, ...(isFlagged(result.isError) ? {} : { result }) };
}

/** As the flag is read everywhere: only its absence and a plain no are a success. */
function isFlagged(isError: unknown): boolean {
  return isError !== undefined && isError !== null && isError !== false;
}

const Announcement = z.looseObject({
  resultType: z.literal('input_required'),
  inputRequests: z.record(z.string(), z.unknown()).catch({}),
});

const Elicitation = z.looseObject({
  params: z.looseObject({
    message: z.string().catch(''),
    requestedSchema: z.looseObject({ properties: z.record(z.string(), z.unknown()).catch({}) }),
  }),
});

/** All that a result asks for, as one question. What is no form (a page to open, a model to ask) has no parameters. */
function announcedQuestion(result: CallToolResult): Question | null {
  const announcement = Announcement.safeParse(result);
  if (!announcement.success) return null;
  const forms = Object.values(announcement.data.inputRequests).flatMap((request) => {
    const form = Elicitation.safeParse(request);
    return form.success ? [form.data.params] : [];
  });
  const properties = Object.assign({}, ...forms.map(({ requestedSchema }) => requestedSchema.properties));
  return {
    message: forms.map(({ message }) => message).join(' ') || 'The tool asks for input.',
    requestedSchema: { type: 'object', properties },
  };
}
