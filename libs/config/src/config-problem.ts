/** One thing that is wrong, or looks wrong, in the configuration folder. */
export type ConfigProblem = {
  /** Path below the configuration folder, such as `agents/retail_orders/tools.yaml`. */
  readonly file: string;
  /** From 1; 1 when the problem is the file as a whole. */
  readonly line: number;
  /** From 1, in UTF-16 units. */
  readonly column: number;
  /** A sentence that says what is wrong and what to do. */
  readonly message: string;
  /** An error keeps the configuration from being used; a warning does not. */
  readonly severity: 'error' | 'warning';
};

/**
 * Writes problems for a terminal, one per line in the `file:line:column` form that editors and CI systems turn into links, and a count
 * at the end. No problem: one line that says so.
 *
 * @param folder put before each file name.
 */
export function formatProblems(problems: readonly ConfigProblem[], folder = ''): string {
  if (problems.length === 0) return 'The configuration has no problems.';
  const prefix = folder === '' ? '' : `${folder.replace(/\/+$/, '')}/`;
  const lines = sortProblems(problems).map(
    ({ file, line, column, severity, message }) => `${prefix}${file}:${line}:${column}: ${severity}: ${message}`,
  );
  return [...lines, countOf(problems)].join('\n');
}

/** By file, then by position: the order in which somebody fixes them. */
export function sortProblems(problems: readonly ConfigProblem[]): ConfigProblem[] {
  return [...problems].sort((a, b) => compareText(a.file, b.file) || a.line - b.line || a.column - b.column);
}

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function countOf(problems: readonly ConfigProblem[]): string {
  const errors = problems.filter(({ severity }) => severity === 'error').length;
  return `${plural(errors, 'error')}, ${plural(problems.length - errors, 'warning')}`;
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
