import { z } from 'zod';
import { personal } from './personal.ts';

const businessKey = (meaning: string, example: string): z.ZodOptional<z.ZodNullable<z.ZodString>> =>
  z
    .string()
    .nullish()
    .meta({ description: `${meaning} Null where the channel knows that there is none.`, examples: [example] });

/**
 * The canonical business identity: who the customer is and what the conversation is about, without the format of any channel. It reaches a tool only
 * through `mcp_parameter_mapping.yaml`, never raw.
 *
 * @example { customer_key: '11999999999', contract_key: '3000131180', session_key: 'session-001' }
 * @see SPEC-012 section 6
 */
export const BusinessContext = z
  .looseObject({
    customer_key: businessKey('The customer, as the business names one: a phone number, a tax id.', '11999999999').meta(personal),
    contract_key: businessKey('The contract, invoice or subscription that is talked about.', '3000131180').meta(personal),
    interaction_key: businessKey('The contact in which this happens, such as a call id.', '301953872').meta(personal),
    account_key: businessKey('The account that pays.', 'acc-77').meta(personal),
    resource_key: businessKey('The thing that is talked about: a line, a device, an order.', 'PED-1001').meta(personal),
    session_key: businessKey('The session of the channel.', 'session-001'),
    metadata: z.record(z.string(), z.unknown()).optional().describe('Whatever else the channel knows.').meta(personal),
  })
  .meta({
    description:
      'The canonical business identity: who the customer is and what the conversation is about, without the format of any channel.',
    'x-source': 'SPEC-012 section 6',
  });
export type BusinessContext = z.infer<typeof BusinessContext>;
