import { afterAll } from '@jest/globals';
import { type PlatformConfig, type ToolConfig } from '@latch/contracts';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type ConfigProblem } from './config-problem.ts';
import { checkPlatformConfig } from './load-platform-config.ts';
import { type Environment } from './read-environment.ts';

/** A small configuration without any problem; a test replaces the file that it is about. */
export const soundFiles: Readonly<Record<string, string>> = {
  'agents.yaml': 'agents:\n  - agent_id: contas\n    intents: [cancel]\n',
  'routing.yaml': 'intents:\n  - name: cancel\n    tool: cancelar\n    keywords: [cancelar]\n',
  'tools.yaml':
    'tools:\n  cancelar:\n    mcp_server: contas\n    tool_type: action\n    args_schema:\n      subject: string\n',
  'mcp_servers.yaml': 'servers:\n  contas:\n    url: http://127.0.0.1:9101/mcp\n',
};

const folders: string[] = [];
afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })));

/** Writes a configuration folder; `null` leaves a file of {@link soundFiles} out. */
export function writeFolder(files: Readonly<Record<string, string | Uint8Array | null>>): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'latch-config-'));
  folders.push(folder);
  for (const [name, content] of Object.entries({ ...soundFiles, ...files })) {
    if (content === null) continue;
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), content);
  }
  return folder;
}

/** Reads the sound files with the given ones in their place. */
export async function readWith(
  files: Readonly<Record<string, string | Uint8Array | null>>,
  env: Environment = {},
): Promise<{ readonly config: PlatformConfig | null; readonly problems: ConfigProblem[] }> {
  return await checkPlatformConfig(writeFolder(files), env);
}

/** The problems as `file:line:column severity message`, easy to match. */
export async function problemsWith(
  files: Readonly<Record<string, string | Uint8Array | null>>,
  env: Environment = {},
): Promise<string[]> {
  const { problems } = await readWith(files, env);
  return problems.map(
    ({ file, line, column, severity, message }) => `${file}:${line}:${column} ${severity} ${message}`,
  );
}

/** A tool of the only agent `contas`, when the files have no error. */
export async function toolWith(files: Readonly<Record<string, string>>, name = 'cancelar'): Promise<ToolConfig> {
  const { config, problems } = await readWith(files);
  const tool = config?.agents['contas']?.tools[name];
  if (tool === undefined) throw new Error(`no tool ${name}: ${JSON.stringify(problems)}`);
  return tool;
}
