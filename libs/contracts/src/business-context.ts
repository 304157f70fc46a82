import { z } from 'zod';

/** A business key as channels send it: text, or null where the channel knows that there is none. */
const BusinessKey = z.string().nullish();

/**
 * The canonical business identity (SPEC-012 section 6). It reaches a tool only through `mcp_parameter_mapping.yaml`, never raw.
 */
export const BusinessContext = z.looseObject({
  customer_key: BusinessKey,
  contract_key: BusinessKey,
  interaction_key: BusinessKey,
  account_key: BusinessKey,
  resource_key: BusinessKey,
  session_key: BusinessKey,
  metadata: z.record(z.string(), z.unknown()).optional(),
});
export type BusinessContext = z.infer<typeof BusinessContext>;
