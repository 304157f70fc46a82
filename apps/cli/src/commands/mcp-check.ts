import { readEnvironment } from '@latch/config';
import { type McpServerConfig } from '@latch/contracts';
import { z } from 'zod';
import { LabClient } from '../lab/lab-client.ts';
import { labServer } from '../lab/lab-server.ts';
import { type LabPlan, readLabPlan } from '../lab/lab-plan.ts';
import { gradeText, lineText, reportPage } from '../lab/lab-report.ts';
import { type LabReport, runLab } from '../lab/run-lab.ts';
import { sayCouldNotRun } from '../run-command.ts';
import { print } from '../terminal.ts';
import { writeOut } from '../write-out.ts';

/** Options of `latch mcp check`. */
export type McpCheckOptions = {
  readonly plan?: string;
  readonly header?: readonly string[];
  readonly out?: string;
  readonly json?: boolean;
};

/**
 * `latch mcp check <url>`: the conformance lab. Exit code 0: transaction-ready; 1: a required check failed; 2: inconclusive, or the lab could not run.
 */
export async function checkMcpServer(url: string, options: McpCheckOptions): Promise<void> {
  const prepared = await prepare(url, options);
  if (typeof prepared === 'string') return sayCouldNotRun(prepared, options);
  const { plan, client } = prepared;
  try {
    const listed = await client.listTools();
    if (!listed.ok && listed.error.kind === 'transport_error')
      return sayCouldNotRun(`${url} cannot be reached: ${listed.error.message}`, options);
    const report = await runLab({ plan, client }, (line) => {
      if (options.json !== true) print(lineText(line));
    });
    tell(report, options);
  } finally {
    await client.close();
  }
}

function tell(report: LabReport, options: McpCheckOptions): void {
  print(options.json === true ? JSON.stringify(report, null, 2) : `\n${gradeText(report)}`);
  if (options.out !== undefined) writeOut(options.out, reportPage(report));
  process.exitCode = { 'transaction-ready': 0, 'not-ready': 1, inconclusive: 2 }[report.grade];
}

async function prepare(
  url: string,
  options: McpCheckOptions,
): Promise<{ readonly plan: LabPlan; readonly client: LabClient } | string> {
  const server = labServer(url);
  if (server === null)
    return `"${url}" is no server: name the MCP endpoint, such as http://127.0.0.1:9101/mcp, or a program, such as "stdio:node server.js"`;
  const plan = await readLabPlan(options.plan);
  if (!plan.ok)
    return `the plan has ${plan.error.length} problems:\n${plan.error.map((problem) => `  ${problem}`).join('\n')}`;
  const headers = readHeaders(options.header ?? []);
  if (typeof headers === 'string') return headers;
  return { plan: plan.value, client: clientFor(server, plan.value, headers) };
}

function clientFor(server: McpServerConfig, plan: LabPlan, headers: Readonly<Record<string, string>>): LabClient {
  return new LabClient({
    ...{ server, headers },
    timeoutMs: plan.timeout_ms,
    resetUrl: plan.reset_url,
    faultsUrl: plan.faults_url,
  });
}

/** `NAME=VARIABLE` takes the value from the environment, so that no token stands in a shell's history. */
function readHeaders(given: readonly string[]): Readonly<Record<string, string>> | string {
  const headers: Record<string, string> = {};
  for (const header of given) {
    const [, name, variable] = /^([\w-]+)=([A-Z_][A-Z0-9_]*)$/.exec(header) ?? [];
    if (name === undefined || variable === undefined)
      return `--header ${header}: write NAME=VARIABLE, such as authorization=MY_TOKEN; the value is taken from that environment variable`;
    const value = readEnvironment(z.object({ [variable]: z.string().min(1) }));
    if (!value.ok) return `--header ${header}: ${value.error}`;
    headers[name.toLowerCase()] = value.value[variable] ?? '';
  }
  return headers;
}
