/** One change of a contract, as its changelog tells it. */
export type ContractChange = {
  /** The release of Latch that brought it; `unreleased` until there is one. */
  readonly release: string;
  readonly change: string;
};

/** The contracts that were not in the first release. */
const addedLater: Readonly<Record<string, string>> = {
  'turn-explanation': 'unreleased',
  'pre-validation-answer': 'unreleased',
  alarm: 'unreleased',
  'dead-letter-redrive': 'unreleased',
};

/**
 * What came after a contract was first published, newest first. A change that lets more values in must stand here: a consumer of the release before may refuse
 * them, so it is upgraded before the producer (`latch contracts diff` asks for the entry).
 */
const later: Readonly<Record<string, readonly ContractChange[]>> = {
  'event-envelope': [
    { release: 'unreleased', change: '`replay`, where `latch replay reemit` has published the event again.' },
  ],
  'evidence-bundle': [
    {
      release: 'unreleased',
      change:
        'What a reader needs to check it without a database: `chain`, `stored` and `opening` of each event, `seals`, `configurations`, `capsules`, `receipts`, `items`, `turns`, `digest`.',
    },
  ],
  'tool-execution': [
    {
      release: 'unreleased',
      change: '`rebuilt`, where the record of the executor was lost and stands there again from the events.',
    },
    {
      release: 'unreleased',
      change:
        'An outcome may be `input_required`: the tool asked for input (MCP elicitation). `workflow.steps` and `step` of an attempt tell what became of each step.',
    },
  ],
};

/** The history of a contract, newest first. */
export function changesOf(name: string): readonly ContractChange[] {
  const first = { release: addedLater[name] ?? '0.1.0', change: 'First published.' };
  return [...(later[name] ?? []), first];
}
