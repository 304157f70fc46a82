/** Refuses to call nothing equal: of a tenant that was named wrong there is no conversation. @throws Error in a sentence when there is none of a named tenant. */
export function assertTenantIsThere(tenant: string | undefined, conversations: number): void {
  if (tenant !== undefined && conversations === 0) throw new Error(`there is no conversation of tenant ${tenant}`);
}
