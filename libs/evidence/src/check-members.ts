import {
  Attempt,
  EvidenceBundle,
  EvidenceReceipt,
  EvidenceTurn,
  ToolExecution,
  ToolInvocation,
} from '@latch/contracts';
import { type Finding, finding, unless } from './finding.ts';

/** Where people read, there is no member that this release does not know: nothing would prove it. */
export function checkMembers(bundle: EvidenceBundle): readonly Finding[] {
  const { turns = [], receipts = [], transaction } = bundle;
  return [
    ...unknownIn('file', bundle, EvidenceBundle),
    ...unknownIn('transaction', transaction, EvidenceBundle.shape.transaction.unwrap()),
    ...turns.flatMap((turn) => [
      ...unknownIn(`turn ${turn.turn_id}`, turn, EvidenceTurn),
      ...unknownIn(`turn ${turn.turn_id}`, turn.answer, EvidenceTurn.shape.answer.unwrap()),
    ]),
    ...receipts.flatMap((receipt) => {
      const place = `call ${receipt.invocation_id}`;
      const { execution, invocation, attempts } = receipt;
      return [
        ...unknownIn(place, receipt, EvidenceReceipt),
        ...unknownIn(place, invocation, ToolInvocation),
        ...unknownIn(place, execution, ToolExecution),
        ...[...attempts, ...(execution?.attempts ?? [])].flatMap((attempt) => unknownIn(place, attempt, Attempt)),
      ];
    }),
    ...unless((bundle.locale ?? 'en') === localeIn(bundle), 'its locale is not that of its configuration').map(
      (problem) => finding('configurations', 'file', problem),
    ),
  ];
}

type Shaped = { readonly shape: Readonly<Record<string, unknown>> };

function unknownIn(place: string, value: object | null | undefined, { shape }: Shaped): readonly Finding[] {
  return Object.keys(value ?? {})
    .filter((name) => !Object.hasOwn(shape, name))
    .map((name) => finding('members', place, `it has a member that nothing proves: ${JSON.stringify(name)}`));
}

function localeIn({ configurations = [] }: EvidenceBundle): unknown {
  return configurations[0]?.['locale'] ?? 'en';
}
