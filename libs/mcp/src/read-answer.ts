import { type CallToolResult, type RawOutcome, type Result, success } from '@latch/contracts';
import { z } from 'zod';
import { type Question } from './call-scope.ts';
import { compileSchema, type SchemaCheck } from './compile-schema.ts';
import { type JsonSchema } from './listed-tool.ts';

/** The check of a tool's successes; null where it declares no output schema. */
export function outputCheck(schema: JsonSchema | null): Result<SchemaCheck | null, string> {
  return schema === null ? success(null) : compileSchema(schema, 'first');
}

/**
 * What an answer comes to.
 *
 * - It asks for input (MCP 2026-07-28), or the server asked in the middle of the call and was told `cancel`: `input_required`. A tool that fails for want of an
 *   answer did nothing; one that goes on all the same may have done anything, so its result is kept and the effect counts as open.
 * - A success that does not fit the output schema: `output_invalid`, `sent`. The tool says that it did something and nobody can rely on what it says, so it is
 *   neither a failure (the effect may have come about) nor a success (its items would be read out of a shape that nobody accepted): a call with an effect is
 *   unknown until it is reconciled, a read is an error that is not retried. What the server said is kept as evidence.
 * - An error is read as it is: no schema speaks of it.
 */
export function readAnswer(
  result: CallToolResult,
  by: { readonly question: Question | null; readonly check: SchemaCheck | null },
): RawOutcome {
  const announced = announcedQuestion(result);
  if (announced !== null) return { kind: 'input_required', ...announced };
  const isError = isFlagged(result.isError);
  if (by.question !== null) return { kind: 'input_required', ...by.question, ...(isError ? {} : { result }) };
  if (isError || by.check === null) return { kind: 'result', result };
  const [problem] = by.check(contentOf(result));
  if (problem === undefined) return { kind: 'result', result };
  const place = problem.path === '' ? 'It' : `"${problem.path}"`;
  const message = `The answer does not fit the output schema of the tool. ${place} ${problem.message}`;
  return { kind: 'transport_error', code: 'output_invalid', message, sent: true, result };
}

/** As the flag is read everywhere: only its absence and a plain no are a success. */
function isFlagged(isError: unknown): boolean {
  return isError !== undefined && isError !== null && isError !== false;
}

/** `structuredContent`, or the JSON text in its place, which is what is read then. */
function contentOf({ structuredContent, content }: CallToolResult): unknown {
  if (structuredContent !== undefined) return structuredContent;
  const text = TextBlock.safeParse(content?.find((block) => TextBlock.safeParse(block).success));
  if (!text.success) return undefined;
  try {
    return JSON.parse(text.data.text);
  } catch {
    return undefined;
  }
}

const TextBlock = z.looseObject({ type: z.literal('text'), text: z.string() });

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
