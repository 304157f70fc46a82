import { type StructuredError } from '@latch/contracts';
import { requestParameter } from './advance.ts';
import { type Draft, openedIn, record } from './draft.ts';
import { mappedValues } from './map-arguments.ts';

/**
 * Whether a failure names values that the user can give: the one that is wrong, or those that the tool asks for (`tool.input_required`). Each must be
 * declared, since nothing else can be sent; and an identity of the business context is not the user's to give.
 */
export function reopens(draft: Draft, error: StructuredError): boolean {
  const opened = openedIn(draft);
  const names = namedIn(error);
  if (opened === null || error.errorCategory !== 'validation' || names.length === 0) return false;
  const { tool, transaction } = opened;
  const mapped = mappedValues(tool, transaction.businessContext);
  return names.every((name) => Object.hasOwn(tool.parameters, name) && !Object.hasOwn(mapped, name));
}

/** Opens exactly the parameters that a tool refused or asks for, keeps the rest, and asks for the first of them. */
export function reopenParameters(draft: Draft, error: StructuredError): Draft {
  const open = draft.state.transaction;
  const names = namedIn(error);
  if (open === null) return draft;
  const { message: detail } = error;
  const reopened = record(
    draft,
    ...names.map((parameter) => ({ type: 'ParameterReopened', transactionId: open.id, parameter, detail }) as const),
  );
  // A value that was never given is not wrong: it is only missing.
  return isAsked(error)
    ? requestParameter(reopened, { missing: names, why: 'missing', detail: null })
    : requestParameter(reopened, { missing: names, why: 'invalid', detail });
}

function namedIn(error: StructuredError): readonly string[] {
  if (isAsked(error)) return [...new Set(error.missing)];
  return error.parameter === undefined ? [] : [error.parameter];
}

function isAsked(error: StructuredError): boolean {
  return error.code === 'tool.input_required' && error.missing !== undefined && error.missing.length > 0;
}
