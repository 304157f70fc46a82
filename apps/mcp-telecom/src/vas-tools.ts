import { answerWith, defineTool, type DomainTool } from '@latch/mcp-server';
import { z } from 'zod';
import { cancelServices } from './cancel-services.ts';
import { resolveExpression, resolveName, unique, type Resolved } from './resolve-services.ts';
import { type TelecomState } from './telecom-state.ts';
import { confirmationOf, notEligible, validateCancellation } from './validate-cancellation.ts';

const Subject = z.string().min(1).max(2_000).describe('Serviço ou expressão com um ou mais serviços.');

/** Cancellation of additional services by a scalar `subject` that the server expands (seeds/000 section 1, pattern A). */
export function createVasTools(state: TelecomState): DomainTool[] {
  return [
    defineTool({
      name: 'validar_vas_subject',
      title: 'Validar serviços VAS',
      description:
        'Resolve os serviços citados para os nomes do catálogo e diz quais podem ser cancelados. Sem efeito.',
      input: z.object({ subject: Subject }),
      output: z.looseObject({ eligible: z.boolean(), subject: z.string() }),
      isReadOnly: true,
      handle: ({ arguments: { subject } }) => answerWith(validateSubject(state, subject)),
    }),
    defineTool({
      name: 'cancelar_vas_avulso',
      title: 'Cancelar serviços VAS',
      description: 'Cancela um ou mais serviços VAS. Devolve results[] com o resultado de cada um.',
      input: z.object({
        subject: Subject,
        items: z
          .array(z.looseObject({ name: z.string().min(1).max(200) }))
          .max(100)
          .optional(),
      }),
      output: z.looseObject({ results: z.array(z.looseObject({ subject: z.string(), success: z.boolean() })) }),
      isReadOnly: false,
      handle: (call) => {
        const { subject, items } = call.arguments;
        const cancelled = cancelServices(state, namedItems(subject, items), call);
        const results = cancelled.map(({ name, ...result }) => ({ subject: name, ...result }));
        return answerWith({ results }, results.filter(({ success }) => success).length);
      },
    }),
  ];
}

/** The canonical list wins where the validator has already made one; otherwise the server expands the expression itself. */
function namedItems(subject: string, items: readonly { readonly name: string }[] | undefined): Resolved[] {
  return items === undefined || items.length === 0
    ? resolveExpression(subject)
    : unique(items.map(({ name }) => resolveName(name)));
}

function validateSubject(state: TelecomState, subject: string): Readonly<Record<string, unknown>> {
  const validation = validateCancellation(state, resolveExpression(subject), false);
  if (validation.eligible.length === 0) return notEligible(validation, subject);
  const names = validation.items.map(({ name }) => name);
  return {
    eligible: true,
    ...(validation.rejected.length > 0 ? { status: 'PARTIALLY_ELIGIBLE' } : {}),
    subject,
    resolved_subject: names.join(', '),
    resolved_subjects: names,
    transaction_decision: {
      resolved_arguments: { subject: names.join(', '), items: validation.items },
      target_tool: 'cancelar_vas_avulso',
      confirmation_message: confirmationOf(validation),
    },
  };
}
