import { ChannelResponse, TerminalError } from '@latch/contracts';
import { type Sql } from './database.ts';
import { loadTurns } from './load.ts';
import { type OrphanRow } from './orphan-row.ts';
import { type PersonalVault } from './personal-vault.ts';
import { type StoredTurn } from './stored-conversation.ts';
import { turnUnsealing } from './unsealings.ts';

/**
 * The turns among these whose answer refuses them: it reports an error and is about no transaction. A turn that was not handled, or came too late, is answered so
 * and leaves no event, so its answer is all that tells of it. So does an erased answer, which says nothing any more.
 *
 * @returns their ids.
 */
export async function findRefusedTurns(
  { sql, vault }: { readonly sql: Sql; readonly vault: PersonalVault },
  rows: readonly Pick<OrphanRow, 'id' | 'tenant_id'>[],
): Promise<ReadonlySet<string>> {
  const refused = new Set<string>();
  for (const tenantId of new Set(rows.map((row) => row.tenant_id))) {
    const ids = rows.flatMap((row) => (row.tenant_id === tenantId ? row.id : []));
    for (const turn of (await loadTurns(sql, ids, { tenantId })).values()) {
      const opened = await openTurn({ sql, vault }, turn, tenantId);
      if (opened !== undefined && isRefused(opened)) refused.add(turn.turnId);
    }
  }
  return refused;
}

/** Undefined for one that was altered or moved. */
async function openTurn(
  { sql, vault }: { readonly sql: Sql; readonly vault: PersonalVault },
  turn: StoredTurn,
  tenantId: string,
): Promise<StoredTurn | undefined> {
  try {
    return await vault.unsealOne(
      sql,
      turn,
      turnUnsealing(() => tenantId),
    );
  } catch (error) {
    if (error instanceof TerminalError) return undefined;
    throw error;
  }
}

function isRefused({ status, response, isErased }: StoredTurn): boolean {
  if (status !== 'done') return false;
  if (isErased === true) return true;
  const answer = ChannelResponse.safeParse(Reflect.get(Object(parsed(response)), 'payload'));
  if (!answer.success) return false;
  const { error, ...claims } = answer.data.metadata;
  const { transaction_id, transaction_status, proposal_id, outcome, items } = claims;
  const claimed = [transaction_id, transaction_status, proposal_id, outcome, items];
  return (error ?? null) !== null && claimed.every((claim) => (claim ?? null) === null);
}

function parsed(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null');
  } catch {
    return undefined; // not what anybody of ours wrote
  }
}
