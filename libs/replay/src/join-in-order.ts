/**
 * Joins the results of stretches that were cut one behind the other, in whatever order they come, as if they had come in the order of their numbers. What lies side
 * by side is joined at once: kept are as many results as there are gaps, which is at most as many as are being worked on.
 *
 * @param join joins two neighbours; the first one stands before the second.
 */
export class JoinInOrder<T> {
  /** Joined stretches with gaps between them, in no order. */
  private parts: readonly Part<T>[] = [];

  constructor(private readonly join: (one: T, next: T) => T) {}

  /** The result of a stretch. @param number its place, from 0, each once. */
  add(number: number, value: T): void {
    const before = this.parts.find(({ until }) => until === number);
    const behind = this.parts.find(({ from }) => from === number + 1);
    const left = before === undefined ? value : this.join(before.value, value);
    const whole = behind === undefined ? left : this.join(left, behind.value);
    const others = this.parts.filter((part) => part !== before && part !== behind);
    this.parts = [...others, { from: before?.from ?? number, until: behind?.until ?? number + 1, value: whole }];
  }

  /** Everything joined; undefined when there was nothing. @throws TypeError when the result of a stretch is missing. */
  whole(): T | undefined {
    const [first, ...others] = this.parts;
    if (others.length > 0 || (first && first.from !== 0)) throw new TypeError('The result of a stretch is missing');
    return first?.value;
  }
}

/** The joined result of the stretches `from` to before `until`. */
type Part<T> = { readonly from: number; readonly until: number; readonly value: T };
