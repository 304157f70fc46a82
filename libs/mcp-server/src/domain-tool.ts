import { type StructuredError } from '@latch/contracts';
import { type z } from 'zod';
import { type RememberedAnswer } from './first-answers.ts';

/** What a handler gets: the parsed arguments and what came with the call. */
export type ToolCall<Arguments> = {
  readonly arguments: Arguments;
  /** `_meta["latch/idempotency-key"]`, or else the `Idempotency-Key` header; null when the caller gave none. */
  readonly idempotencyKey: string | null;
  /** `_meta["latch/tenant-id"]`; null when the caller gave none. */
  readonly tenant: string | null;
  /** Aborted when the client cancels or the server stops. */
  readonly signal: AbortSignal;
  /** Process at most so many items and report the others as failed (fault `partial`); null: all. */
  readonly itemLimit: number | null;
  /** What an earlier call under a key was answered with; null when there was none. For reconcile tools. */
  recall(idempotencyKey: string): RememberedAnswer | null;
};

/** What a handler says. An error is a value: it becomes `isError` with the StructuredError as JSON text. */
export type ToolAnswer =
  | {
      readonly ok: true;
      /** `structuredContent`, and the same as JSON text. */
      readonly content: Readonly<Record<string, unknown>>;
      /** How many things were changed in the domain; 0 for a read. */
      readonly effects: number;
    }
  | { readonly ok: false; readonly error: StructuredError };

/** A tool of a sample server, with its argument types closed over. Made by {@link defineTool}. */
export type DomainTool = {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: z.ZodObject;
  readonly output: z.ZodObject | undefined;
  readonly isReadOnly: boolean;
  /** Parses the arguments once more for the handler's types and runs it. */
  handle(call: ToolCall<unknown>): Promise<ToolAnswer>;
};

/** Ties a handler to the schema of its arguments, so that it gets them typed. */
export function defineTool<Input extends z.ZodObject>(of: {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: Input;
  /** Schema of a successful `content`; left out where the shape depends on the data. */
  readonly output?: z.ZodObject;
  readonly isReadOnly: boolean;
  readonly handle: (call: ToolCall<z.output<Input>>) => ToolAnswer | Promise<ToolAnswer>;
}): DomainTool {
  return {
    ...of,
    output: of.output,
    handle: async (call) => await of.handle({ ...call, arguments: of.input.parse(call.arguments) }),
  };
}

/** A successful answer. */
export function answerWith(content: Readonly<Record<string, unknown>>, effects = 0): ToolAnswer {
  return { ok: true, content, effects };
}

/** A failed answer, in the terms of seeds/004. */
export function refuseWith(error: StructuredError): ToolAnswer {
  return { ok: false, error };
}
