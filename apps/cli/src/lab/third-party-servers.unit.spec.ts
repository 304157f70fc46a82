import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { inCheckout } from '../checkout.ts';
import { LabClient } from './lab-client.ts';
import { type LabPlan, parsePlan } from './lab-plan.ts';
import { labServer } from './lab-server.ts';
import { type LabGrade, type LabLine, runLab } from './run-lab.ts';

// Each server is a process of its own that has to start first.
jest.setTimeout(30_000);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'latch-lab-'));
  await writeFile(path.join(folder, 'note.txt'), 'hello');
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

describe('a server that nobody wrote for Latch', () => {
  it('server-filesystem: lists and refuses well, and is not ready for transactions, since it knows no keys', async () => {
    const plan = planOf(`
      name: server-filesystem
      effect:
        tool: write_file
        calls:
${Array.from({ length: 8 }, (_, index) => `          - { path: ${folder}/out-${index}.txt, content: "${index}" }`).join('\n')}
        seen_by: { tool: list_directory, arguments: { path: ${folder} } }
      items: not_offered
      reconcile: not_offered
      invalid: { tool: read_text_file, arguments: { path: 7 }, parameter: path }
      refused: not_offered
      denied: { tool: read_text_file, arguments: { path: /etc/hostname } }
      empty: { tool: search_files, arguments: { path: ${folder}, pattern: nothing-like-this } }
      large: { tool: read_text_file, arguments: { path: ${folder}/note.txt } }`);
    const { passed, failed, grade } = await verdictsOf(packagePath('server-filesystem/dist/index.js', folder), plan);
    // It takes one key for two different files, says "No matches found" in words alone, and names no argument in its errors.
    expect(failed).toEqual(['repeat.other_arguments', 'error.invalid', 'empty.is_success']);
    expect(passed).toEqual(
      expect.arrayContaining([
        ...['listing.complete', 'listing.schemas', 'listing.stable', 'listing.unknown_tool', 'effect.evidence'],
        ...['repeat.same_answer', 'repeat.at_once', 'error.denied', 'error.clean', 'limits.largest_answer'],
      ]),
    );
    expect(grade).toBe('not-ready');
  });

  it('server-everything: what applies to it', async () => {
    const plan = planOf(`
      name: server-everything
      items: not_offered
      reconcile: not_offered
      invalid: { tool: get-sum, arguments: { a: one, b: 2 }, parameter: a }
      refused: not_offered
      denied: not_offered
      empty: not_offered
      large: { tool: get-structured-content, arguments: { location: New York } }`);
    const { passed, failed, grade } = await verdictsOf(packagePath('server-everything/dist/index.js', 'stdio'), plan);
    expect(failed).toEqual(['error.invalid']);
    expect(passed).toEqual([
      ...['listing.complete', 'listing.schemas', 'listing.stable', 'listing.unknown_tool'],
      ...['error.clean', 'limits.largest_answer'],
    ]);
    expect(grade).toBe('not-ready');
  });
});

function planOf(text: string): LabPlan {
  const plan = parsePlan(text);
  if (!plan.ok) throw new Error(plan.error.join('\n'));
  return plan.value;
}

function packagePath(file: string, argument: string): string {
  return `stdio:${process.execPath} ${inCheckout(`node_modules/@modelcontextprotocol/${file}`)} ${argument}`;
}

type Verdicts = { readonly passed: readonly string[]; readonly failed: readonly string[]; readonly grade: LabGrade };

async function verdictsOf(target: string, plan: LabPlan): Promise<Verdicts> {
  const server = labServer(target);
  if (server === null) throw new Error(`${target} is no server`);
  const client = new LabClient({ server, headers: {}, timeoutMs: 10_000, resetUrl: undefined, faultsUrl: undefined });
  try {
    const { grade, lines } = await runLab({ plan, client });
    const those = (verdict: LabLine['finding']['verdict']): readonly string[] =>
      lines.filter(({ finding }) => finding.verdict === verdict).map(({ id }) => id);
    return { passed: those('passed'), failed: those('failed'), grade };
  } finally {
    await client.close();
  }
}
