/** What {@link reference} costs on the machine that the limits of the specs were measured on. */
const referenceMs = 10;
/** Work of less needs no comparison: no limit is as low. */
const negligibleMs = 20;

/**
 * The processor time of a piece of work in milliseconds: the least of some runs. Other processes of a busy machine cost waiting, which is not counted; where they
 * make the processor itself slower, a fixed piece of work is slower too, and the time is told in proportion to it. The first run pays for the compiler. It counts
 * the whole process, so that nothing else may run in it meanwhile.
 *
 * @param runs how often the work is done. Minimum 1.
 * @default 3 runs
 */
export function processorMs(work: () => unknown, runs = 3): number {
  const spent = leastMs(work, runs);
  return spent < negligibleMs ? spent : spent / Math.max(1, leastMs(reference, 5) / referenceMs);
}

function leastMs(work: () => unknown, runs: number): number {
  const spent = Array.from({ length: runs }, () => {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  });
  return Math.min(...spent);
}

const text = JSON.stringify(Array.from({ length: 2_000 }, (_, id) => ({ id, name: `item ${id}`, tags: ['a', 'b'] })));

function reference(): void {
  for (let round = 0; round < 10; round += 1) JSON.stringify(JSON.parse(text));
}
