/** Whose name the conditions of the installation itself carry, such as an MCP server that is down. */
export const platformTenant = 'platform';

/** The tenants whose signals a tenant may see: its own, and those of the platform, which hold no tenant's data and concern everybody. */
export function visibleTenants(tenantId: string): readonly string[] {
  return [tenantId, platformTenant];
}
