import { type LabLine, type LabReport } from './run-lab.ts';

const marks = { passed: 'pass', failed: 'FAIL', not_tested: 'not tested', not_applicable: 'n/a' } as const;

const meanings = {
  'transaction-ready': 'Every required check passed.',
  'not-ready': 'A required check failed: see below what to do.',
  inconclusive: 'Nothing required failed, and not everything required was tested: what is not tested is no pass.',
} as const;

/** One check in one line, for a terminal. */
export function lineText({ id, finding, isRequired }: LabLine): string {
  return `${marks[finding.verdict].padEnd(10)}  ${id.padEnd(24)}  ${isRequired ? '' : '(advised) '}${finding.seen}`;
}

/** The last word, for a terminal. */
export function gradeText({ server, grade, lines }: LabReport): string {
  const count = (verdict: LabLine['finding']['verdict']): number =>
    lines.filter(({ finding }) => finding.verdict === verdict).length;
  const counts = `${count('passed')} passed, ${count('failed')} failed, ${count('not_tested')} not tested, ${count('not_applicable')} not applicable`;
  return `${server}: ${grade}. ${meanings[grade]} ${counts}.`;
}

/** The report as a page (Markdown) that a server's team can work through: what was seen, why it matters, what to do. */
export function reportPage(report: LabReport): string {
  const failures = report.lines.filter(({ finding }) => finding.verdict === 'failed');
  return [
    `# ${report.server}: ${report.grade}`,
    '',
    gradeText(report),
    '',
    ...(failures.length === 0 ? [] : ['## To do', '', ...failures.flatMap(toDo)]),
    '## All checks',
    '',
    '| check | required | verdict | seen |',
    '| --- | --- | --- | --- |',
    ...report.lines.map(
      ({ id, title, isRequired, finding }) =>
        `| \`${id}\` ${text(title)} | ${isRequired ? 'yes' : 'advised'} | ${marks[finding.verdict]} | ${text(finding.seen)} |`,
    ),
    '',
  ].join('\n');
}

function toDo({ id, title, why, finding }: LabLine): readonly string[] {
  const advice = finding.verdict === 'failed' ? finding.advice : '';
  return [
    `### ${title} (\`${id}\`)`,
    '',
    `- Seen: ${text(finding.seen)}`,
    `- Why it matters: ${why}`,
    `- What to do: ${advice}`,
    '',
  ];
}

/** What a server said stays text: no markup of its own, no new row. */
function text(seen: string): string {
  return seen.replaceAll(/[\r\n]+/g, ' ').replaceAll(/[<>&*_`[\]|\\]/g, (sign) => `\\${sign}`);
}
