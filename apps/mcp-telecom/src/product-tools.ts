import { answerWith, defineTool, type DomainTool } from '@latch/mcp-server';
import { z } from 'zod';
import { cancelServices } from './cancel-services.ts';
import { type Resolved, resolveName, unique } from './resolve-services.ts';
import { type TelecomState } from './telecom-state.ts';
import { confirmationOf, inProse, notEligible, validateCancellation } from './validate-cancellation.ts';

const Name = z.string().min(1).max(200);
const Item = z.union([Name, z.looseObject({ name: Name.optional(), id: Name.optional() })]);
const Items = z.array(Item).min(1).max(100).describe('Produtos, por nome ou por {name, id}.');
type Item = z.output<typeof Item>;

/** Cancellation of products by an explicit list (seeds/000 section 1, pattern B; seeds/001). */
export function createProductTools(state: TelecomState): DomainTool[] {
  return [
    defineTool({
      name: 'validar_produtos_cancelamento',
      title: 'Validar produtos',
      description: 'Resolve uma lista de produtos e diz quais podem ser cancelados. Sem efeito.',
      input: z.object({ items: Items }),
      output: z.looseObject({ eligible: z.boolean() }),
      isReadOnly: true,
      handle: ({ arguments: { items } }) => answerWith(validateItems(state, items)),
    }),
    defineTool({
      name: 'cancelar_produtos',
      title: 'Cancelar produtos',
      description: 'Cancela um ou mais produtos. Devolve results[] com o resultado de cada um.',
      input: z.object({ items: Items }),
      output: z.looseObject({ results: z.array(z.looseObject({ name: z.string(), success: z.boolean() })) }),
      isReadOnly: false,
      handle: (call) => {
        const results = cancelServices(state, resolveItems(call.arguments.items), call);
        return answerWith({ results }, results.filter(({ success }) => success).length);
      },
    }),
  ];
}

function resolveItems(items: readonly Item[]): Resolved[] {
  return unique(items.map((item) => resolveName(typeof item === 'string' ? item : (item.id ?? item.name ?? ''))));
}

function validateItems(state: TelecomState, items: readonly Item[]): Readonly<Record<string, unknown>> {
  const validation = validateCancellation(state, resolveItems(items), true);
  if (validation.eligible.length === 0)
    return notEligible(validation, inProse(validation.items.map(({ name }) => name)));
  return {
    eligible: true,
    ...(validation.rejected.length > 0 ? { status: 'PARTIALLY_ELIGIBLE' } : {}),
    transaction_decision: {
      resolved_arguments: { items: validation.items },
      target_tool: 'cancelar_produtos',
      confirmation_message: confirmationOf(validation),
    },
  };
}
