/** One kept thing, and when it came in the order of all. */
type Kept<T> = { readonly order: number; readonly value: T };

/**
 * The newest of what came, over all tenants at most so many. When it is full, the tenant that has most loses its oldest: who is loud pushes out its own
 * and nobody else's (invariant I17).
 */
export class KeptByTenant<T> {
  private readonly tenants = new Map<string, Kept<T>[]>();
  private size = 0;
  private order = 0;

  constructor(
    private readonly limit: number,
    private readonly onDropped: (value: T) => void = () => undefined,
  ) {}

  add(tenantId: string, value: T): void {
    const list = this.tenants.get(tenantId) ?? [];
    this.tenants.set(tenantId, list);
    list.push({ order: (this.order += 1), value });
    this.size += 1;
    if (this.size > this.limit) this.drop();
  }

  /** What is kept of these tenants, oldest first. */
  of(tenantIds: readonly string[]): readonly T[] {
    const kept = [...new Set(tenantIds)].flatMap((tenantId) => this.tenants.get(tenantId) ?? []);
    return kept.sort((a, b) => a.order - b.order).map(({ value }) => value);
  }

  private drop(): void {
    const [largest] = [...this.tenants].sort(([, a], [, b]) => b.length - a.length);
    if (largest === undefined) return;
    const [tenantId, list] = largest;
    const dropped = list.shift();
    if (list.length === 0) this.tenants.delete(tenantId);
    this.size -= 1;
    if (dropped) this.onDropped(dropped.value);
  }
}
