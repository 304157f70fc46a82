import { isPersonal, type ProjectionDifference } from '@latch/event-store';
import { mask, maskFields } from '@latch/observability';
import { firstDifference } from '@latch/replay';
import { notShown } from './hide-values.ts';
import { namedPath } from './named-path.ts';

/** A difference as it may be seen. */
export type ShownDifference = Pick<
  ProjectionDifference,
  'kind' | 'reason' | 'table' | 'row' | 'column' | 'stored' | 'found'
> & {
  /** The conversation, or the tenant of a row that belongs to none. */
  readonly where: string;
  /** The place inside the value of the column. */
  readonly path?: string;
};

/**
 * A difference as it may be seen: masked, and of a column that may hold something personal only the place inside, as far as our own contracts name it, never what stands
 * there.
 */
export function showDifference(difference: ProjectionDifference): ShownDifference {
  const { kind, reason, table, row, column, tenantId, conversationKey } = difference;
  const where = mask(conversationKey ?? `tenant ${tenantId}`);
  const place = { kind, ...(reason !== undefined && { reason }), table, row: mask(row), column, where };
  if (kind !== 'changed') return { ...place, stored: null, found: null };
  const { path, stored, found } = firstDifference(difference.stored, difference.found) ?? { path: '$', ...difference };
  if (isPersonal(difference)) {
    return { ...place, ...pathOf(namedPath(`${table}.${column}`, path)), stored: notShown, found: notShown };
  }
  return { ...place, ...pathOf(mask(path)), stored: maskFields(stored), found: maskFields(found) };
}

function pathOf(path: string): { readonly path?: string } {
  return path === '$' ? {} : { path };
}
