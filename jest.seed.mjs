// Runs before every spec: the one place where the random numbers of the property tests come from.
// LATCH_TEST_SEED (an integer of 32 bits) makes each run the same, and `.ci/run` sets it; without it every property takes a new seed.
// Either way a failure says how to have it again.
import fc from 'fast-check';

fc.configureGlobal({ ...seedOf(process.env.LATCH_TEST_SEED), reporter: report });

function seedOf(text) {
  if (!text) return {};
  const seed = Number(text);
  if ((seed | 0) !== seed) throw new Error(`LATCH_TEST_SEED has to be an integer of 32 bits, and is: ${text}`);
  return { seed };
}

function report(details) {
  if (!details.failed) return;
  const file = globalThis.expect?.getState().testPath ?? '';
  const [, name = '', suite = 'unit'] = /([^/]+)\.(unit|int|e2e)\.spec\.ts$/.exec(file) ?? [];
  const repeat = `To have it again: LATCH_TEST_SEED=${details.seed} npm test -- ${suite} ${name}`;
  throw new Error(`${fc.defaultReportMessage(details)}\n\n${repeat}`, { cause: details.errorInstance ?? undefined });
}
