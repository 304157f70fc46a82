import { canonicalJson } from '@latch/contracts';
import {
  failed,
  type Finding,
  type LabCheck,
  type LabSurroundings,
  notApplicable,
  notTested,
  passed,
} from '../lab-check.ts';
import { type LabAnswer } from '../lab-client.ts';

/** What must be true of a tool with an effect and its idempotency key. */
export const effectChecks: readonly LabCheck[] = [
  {
    id: 'effect.evidence',
    title: 'Says clearly that an effect has happened',
    why: 'What the answer does not say cannot be told to the customer; it would be called unknown.',
    isRequired: true,
    run: (around) => withEffect(around, effectIsEvident),
  },
  {
    id: 'repeat.same_answer',
    title: 'The same call again: one effect, the first answer',
    why: 'Every retry after a lost answer would cancel, pay or order a second time.',
    isRequired: true,
    run: (around) => withEffect(around, repeatGivesFirstAnswer),
  },
  {
    id: 'repeat.at_once',
    title: 'The same call five times at once: one effect, one answer',
    why: 'A look at the keys before the effect, without a lock, lets the second call through while the first still runs.',
    isRequired: true,
    run: (around) => withEffect(around, repeatsAtOnceShareOneEffect),
  },
  {
    id: 'repeat.other_arguments',
    title: 'A key that was used for other arguments is refused',
    why: 'Else the answer of one operation is told as that of another.',
    isRequired: true,
    run: keyReuseIsRefused,
  },
  {
    id: 'repeat.after_lost_answer',
    title: 'After a call whose answer was lost, the same key has one effect',
    why: 'A deadline that passes after the commit is the most common way to a doubled effect.',
    isRequired: true,
    run: (around) => withEffect(around, lostAnswerIsRepeated),
  },
  {
    id: 'reconcile.tells',
    title: 'A read tells, by the key, what became of a call',
    why: 'Without it a lost answer stays unknown until a person looks.',
    isRequired: false,
    run: (around) => withEffect(around, reconcileTells),
  },
];

type Effect = { readonly tool: string; readonly arguments: Readonly<Record<string, unknown>> };
type EffectCheck = (around: LabSurroundings, effect: Effect) => Promise<Finding>;

const keyAdvice =
  'Keep the first answer per idempotency key (_meta["latch/idempotency-key"], or else the header Idempotency-Key) in the same transaction as the effect, and repeat it.';

async function withEffect(around: LabSurroundings, check: EffectCheck): Promise<Finding> {
  const { effect } = around.plan;
  if (effect === undefined) return notTested('The plan names no tool with an effect: add `effect`.');
  const next = around.nextEffect();
  if (next === null) return notTested('The plan has no more calls: add some to `effect.calls`, or a `reset_url`.');
  return check(around, { tool: effect.tool, arguments: next });
}

async function effectIsEvident({ client }: LabSurroundings, effect: Effect): Promise<Finding> {
  const answer = await client.call({ ...effect, key: client.newKey() });
  if (answer.result.outcome === 'SUCCESS') return passed('read as SUCCESS');
  return failed(
    `read as ${answer.result.outcome ?? 'nothing'}: ${wordsOf(answer)}`,
    'Answer a success with structuredContent (or JSON text) that says what was done, with a protocol number; or correct the plan, if this call must fail.',
  );
}

async function repeatGivesFirstAnswer(around: LabSurroundings, effect: Effect): Promise<Finding> {
  const { client } = around;
  const key = client.newKey();
  const untouched = await probe(around);
  const first = await client.call({ ...effect, key });
  if (!first.result.ok)
    return failed(`the first call failed: ${wordsOf(first)}`, 'Correct the plan: `effect.calls` must succeed.');
  const before = await probe(around);
  if (before !== null && before === untouched)
    return notTested('`effect.seen_by` says the same before and after the effect: name a read that shows it.');
  const second = await client.call({ ...effect, key });
  const after = await probe(around);
  if (before !== after) return failed('the effect happened a second time', keyAdvice);
  if (said(second) !== said(first)) return failed(`the second answer is another one: ${wordsOf(second)}`, keyAdvice);
  return passed(
    before === null ? 'the answers are equal' : 'the answers are equal, and the second call changed nothing',
  );
}

async function repeatsAtOnceShareOneEffect({ client }: LabSurroundings, effect: Effect): Promise<Finding> {
  const key = client.newKey();
  const answers = await Promise.all(Array.from({ length: 5 }, () => client.call({ ...effect, key })));
  // "Still running, ask again" is an honest answer to a second call; it must lead to the first one's answer in the end.
  const settled = [
    ...answers.filter(({ result }) => result.error?.errorCategory !== 'transient'),
    await client.call({ ...effect, key }),
  ];
  const different = new Set(settled.map(said));
  if (different.size !== 1)
    return failed(
      `${different.size} different answers to one call`,
      `${keyAdvice} Lock the key while the first call runs.`,
    );
  if (settled[0]?.result.ok !== true)
    return failed(
      `all failed: ${settled[0] ? wordsOf(settled[0]) : ''}`,
      'Correct the plan: `effect.calls` must succeed.',
    );
  return passed('all answers are equal');
}

async function keyReuseIsRefused(around: LabSurroundings): Promise<Finding> {
  const { client, plan } = around;
  const [first, second] = [around.nextEffect(), around.plan.effect?.calls.at(-1)];
  if (plan.effect === undefined || first === null || second === undefined)
    return notTested('The plan needs `effect.calls` for this.');
  if (canonicalJson(first) === canonicalJson(second))
    return notTested('The plan needs two different `effect.calls` for this.');
  const key = client.newKey();
  await client.call({ tool: plan.effect.tool, arguments: first, key });
  const reused = await client.call({ tool: plan.effect.tool, arguments: second, key });
  if (!isFromServer(reused)) return failed(`no answer: ${wordsOf(reused)}`, 'Answer within the deadline.');
  if (reused.result.ok)
    return failed(
      'it was accepted',
      'Keep a digest of the arguments beside the key and refuse another one with isError, category validation.',
    );
  return passed(`refused: ${wordsOf(reused)}`);
}

async function lostAnswerIsRepeated(around: LabSurroundings, effect: Effect): Promise<Finding> {
  const { client } = around;
  const key = client.newKey();
  const isSwitched = await client.breakNext({ tool: effect.tool, kind: 'timeout_after_commit', delayMs: 2_000 });
  const lost = await client.call({ ...effect, key, timeoutMs: isSwitched ? 500 : 2 });
  const again = await client.call({ ...effect, key });
  const before = await probe(around);
  const third = await client.call({ ...effect, key });
  if (!again.result.ok) return failed(`the repeated call failed: ${wordsOf(again)}`, keyAdvice);
  if (said(third) !== said(again) || (await probe(around)) !== before)
    return failed('a third call had another answer or another effect', keyAdvice);
  if (lost.outcome.kind !== 'timeout')
    return notTested('The server answered before its answer could be lost: name its fault switch as `faults_url`.');
  return passed('the repeated call tells what the lost one did');
}

async function reconcileTells({ client, plan }: LabSurroundings, effect: Effect): Promise<Finding> {
  const { reconcile } = plan;
  if (reconcile === undefined) return notTested('The plan names no such read: add `reconcile`.');
  if (reconcile === 'not_offered') return notApplicable('reconcile tool');
  const key = client.newKey();
  const ask = (about: string): Promise<LabAnswer> =>
    client.call({ tool: reconcile.tool, arguments: { ...reconcile.arguments, [reconcile.key_argument]: about } });
  const never = await ask(client.newKey());
  if (never.result.error)
    return failed(
      `a key that was never used is an error: ${wordsOf(never)}`,
      'Answer with an empty list: nothing was done is no failure.',
    );
  await client.call({ ...effect, key });
  const known = await ask(key);
  if (!known.result.ok || known.result.empty === true)
    return failed(
      `after the effect it says: ${wordsOf(known)}`,
      'Answer with the first answer of the key, item by item.',
    );
  return passed('nothing for a new key, the first answer for a used one');
}

/** What the world looks like from outside; null where the plan names no way to see it. */
async function probe({ client, plan }: LabSurroundings): Promise<string | null> {
  const by = plan.effect?.seen_by;
  return by === undefined ? null : said(await client.call(by));
}

/** The answer as it can be compared: what the tool said, without what the wire adds. */
function said({ outcome }: LabAnswer): string {
  if (outcome.kind !== 'result') return canonicalJson(outcome);
  const { structuredContent, content, isError } = outcome.result;
  return canonicalJson({ said: structuredContent ?? content ?? null, isError: isError === true });
}

/** Whether the server itself has spoken: a refusal or a lost connection on our side proves nothing about it. */
export function isFromServer({ outcome }: LabAnswer): boolean {
  return outcome.kind === 'result' || outcome.kind === 'protocol_error' || outcome.kind === 'http_error';
}

/** An answer in one line of a report. */
export function wordsOf({ outcome, result }: LabAnswer): string {
  const words = result.error?.message ?? said({ outcome, result, latencyMs: 0 });
  return words.length > 200 ? `${words.slice(0, 199)}…` : words;
}
