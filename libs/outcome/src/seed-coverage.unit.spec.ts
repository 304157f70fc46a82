import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { coverage } from './seed-coverage.features.ts';

const root = path.join(import.meta.dirname, '../../..');
const text = (file: string): string => readFileSync(path.join(root, file), 'utf8');

/** The headings, checklist lines, bullets and table rows of a source: everything that states a rule. */
function rulesOf(source: string): readonly string[] {
  if (source === 'DESIGN section 5') {
    const [, section = ''] = text('docs/design/DESIGN.md').split(/\n## 5\. /);
    return (section.split('\n## ')[0] ?? '').split('\n').filter((line) => line.startsWith('* '));
  }
  const lines = text(`docs/design/seeds/${source}`).split('\n');
  if (source.startsWith('000'))
    return lines.filter((line, at) => isRuleOf000(lines, at) || line.includes(' + multi-item'));
  if (source.startsWith('001')) return lines.filter((line) => /^#|^\| (?:todos|alguns)/.test(line));
  const isHeading = (line: string): boolean => headings004.some((heading) => line.startsWith(heading));
  const documentation = lines.findIndex((line) => line.startsWith('Documentação oficial'));
  return lines.slice(0, documentation).filter((line) => isHeading(line) || line.startsWith('• '));
}

/** Numbered headings, the rows of its two tables, and the bullets of sections 11 and 12; other bullets are steps of an example. */
function isRuleOf000(lines: readonly string[], at: number): boolean {
  const line = lines[at] ?? '';
  if (/^\d{1,2}\. \p{Lu}|^\d{1,2}\. tool_policies/u.test(line)) return true;
  if (/^\S.*\t/.test(line) && !/^(?:Situação|Camada)\t/.test(line)) return true;
  const section = lines.slice(0, at).findLast((each) => /^\d{1,2}\. \p{Lu}/u.test(each)) ?? '';
  return line.startsWith('• ') && /^1[12]\. /.test(section);
}

const headings004 = [
  'Objetivos de aprendizagem',
  'Sinalizando erro: is_error',
  'Categorias de erro e retryability',
  'Falha de acesso ≠',
  'Recuperação local vs',
  'Construindo o tool_result',
  'Pegadinhas da prova',
];

describe.each(Object.entries(coverage))('%s', (source, rows) => {
  it('has a test for each of its sections, checklist lines, bullets and table rows', () => {
    const rules = rulesOf(source);
    expect(rules.length).toBeGreaterThan(7);
    expect(rules.filter((rule) => !Object.keys(rows).some((row) => rule.startsWith(row)))).toEqual([]);
  });

  it('has no row about something that the source does not say', () => {
    const rules = rulesOf(source);
    expect(Object.keys(rows).filter((row) => !rules.some((rule) => rule.startsWith(row)))).toEqual([]);
  });

  it('is shown by tests that exist', () => {
    const proofs = Object.values(rows).flat();
    const missing = proofs.filter(([file, test]) => !text(file).includes(test));
    expect(missing).toEqual([]);
    expect(Object.values(rows).filter((row) => row.length === 0)).toEqual([]);
  });
});
