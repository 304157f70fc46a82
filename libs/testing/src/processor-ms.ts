/**
 * The processor time of a piece of work in milliseconds: the least of some runs. Other processes of a busy machine cost waiting, which is not counted, and
 * the first run pays for the compiler. It counts the whole process, so that nothing else may run in it meanwhile.
 *
 * @param runs how often the work is done. Minimum 1.
 * @default 3 runs
 */
export function processorMs(work: () => unknown, runs = 3): number {
  const spent = Array.from({ length: runs }, () => {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  });
  return Math.min(...spent);
}
