/** A row that may belong to nothing, and when it began. */
export type OrphanRow = { readonly id: string; readonly tenant_id: string; readonly begun: Date };

/** Whether retention has not come to a row yet; it goes in steps, and may be in the middle of them. */
export type IsKept = (row: Pick<OrphanRow, 'tenant_id' | 'begun'>) => boolean;

/** The most rows of one tenant in one table that are named. */
export const mostOrphans = 100;

/** Rows that belong to nothing, and how many refused turns there are besides, of which no event knows either. */
export type FoundRows = { readonly rows: readonly OrphanRow[]; readonly refused: number };
