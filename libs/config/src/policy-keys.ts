import { type CallLimits, type OperationType } from '@latch/contracts';
import { z } from 'zod';
import { Name, section } from './parse-section.ts';

/** How a tool is to be run. The keys stand in `tool_policies.yaml`; `tools.yaml` may hold them too, and then the policy wins. */
export type PolicyEntry = {
  readonly operationType?: OperationType;
  readonly requiresConfirmation?: boolean;
  readonly requires?: readonly string[];
  readonly preValidation?: { readonly tool: string; readonly failOpen: boolean } | null;
  readonly declaredIdempotent?: boolean;
  readonly reconcileTool?: string;
  readonly timeoutMs?: number;
  readonly maxAttempts?: number;
  readonly cacheTtlSeconds?: number;
  readonly channels?: readonly string[];
  readonly limits?: CallLimits;
  /** The workflow that the tool is run as; null: it is called itself, although a workflow has its name. */
  readonly workflow?: string | null;
};

const preValidation = section({
  enabled: z.boolean().default(true),
  tool: Name.optional(),
  fail_open: z.boolean().default(false),
})
  .refine((value) => !value.enabled || value.tool !== undefined, {
    path: ['tool'],
    error: 'is missing. Name the tool that validates, or write enabled: false.',
  })
  .transform((value) =>
    value.enabled && value.tool !== undefined ? { tool: value.tool, failOpen: value.fail_open } : null,
  );

/** The ancestor's way to bind a tool to a workflow. Only the version in the folder is there to be run. */
const execution = section({
  mode: z.enum(['direct', 'workflow']).optional(),
  workflow: Name.optional(),
  version: z.unknown().optional(),
})
  .refine(({ mode, workflow }) => mode !== 'workflow' || workflow !== undefined, {
    path: ['workflow'],
    error: 'is missing. Name a workflow of workflows.yaml.',
  })
  .transform(({ mode, workflow }) => (mode === 'direct' ? null : workflow));

const cache = section({ ttl_seconds: z.int().min(1).max(86_400) });

const limits = section({
  max_items: z.int().min(1).max(10_000).optional(),
  max_amounts: z.record(Name, z.number().nonnegative()).default({}),
}).transform(({ max_items, max_amounts }) => ({ maxItems: max_items ?? null, maxAmounts: max_amounts }));

/** The kinds of operation, as the seeds write them. */
const operationTypes = ['read_only', 'conversational', 'transactional', 'internal'] as const;

/** The three spellings of one key that the seeds and their ancestor use. */
const confirmationSpellings = ['require_confirmation', 'requires_confirmation', 'confirmation_required'] as const;

/** Keys of {@link PolicyEntry} on file. `timeout_ms`, `max_attempts`, `idempotent`, `reconcile_tool`, `cache`, `channels` and `limits` are Latch's own. */
export const policyShape = {
  operation_type: z.enum(operationTypes).optional(),
  require_confirmation: z.boolean().optional(),
  requires_confirmation: z.boolean().optional(),
  confirmation_required: z.boolean().optional(),
  requires: z.array(Name).optional(),
  pre_validation: preValidation.optional(),
  idempotent: z.boolean().optional(),
  reconcile_tool: Name.optional(),
  timeout_ms: z.int().min(1).max(600_000).optional(),
  max_attempts: z.int().min(1).max(20).optional(),
  execution: execution.optional(),
  cache: cache.optional(),
  channels: z.array(Name).min(1).optional(),
  limits: limits.optional(),
};

type PolicyKeys = z.output<z.ZodObject<typeof policyShape>>;

/** Renames the keys on file to ours. Spellings of the same key that disagree are found by {@link refuseTwoSpellings}. */
export function toPolicyEntry(keys: PolicyKeys): PolicyEntry {
  return {
    operationType: keys.operation_type,
    requiresConfirmation: confirmationSpellings.map((name) => keys[name]).find((value) => value !== undefined),
    requires: keys.requires,
    preValidation: keys.pre_validation,
    declaredIdempotent: keys.idempotent,
    reconcileTool: keys.reconcile_tool,
    timeoutMs: keys.timeout_ms,
    maxAttempts: keys.max_attempts,
    cacheTtlSeconds: keys.cache?.ttl_seconds,
    channels: keys.channels,
    limits: keys.limits,
    workflow: keys.execution,
  };
}

/** Reports the spellings of one key that contradict each other; the same value twice is harmless. */
export function refuseTwoSpellings(
  spellings: readonly string[],
): (value: Readonly<Record<string, unknown>>, context: z.core.$RefinementCtx) => void {
  return (value, context) => {
    const [first, ...others] = spellings.filter((name) => value[name] !== undefined);
    for (const other of others) {
      if (first === undefined || value[other] === value[first]) continue;
      context.addIssue({
        code: 'custom',
        path: [other],
        message: `says the opposite of ${first}. Keep one of the two.`,
      });
    }
  };
}

/** Reports contradictions between the spellings of the confirmation key. */
export const refuseTwoConfirmations: ReturnType<typeof refuseTwoSpellings> = refuseTwoSpellings(confirmationSpellings);
