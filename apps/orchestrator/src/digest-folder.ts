import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';

/** A configuration folder is small; what is larger is none, and is not read again and again. */
const mostFiles = 1_000;
const mostBytes = 16 * 1024 * 1024;

/**
 * The digest of what the YAML files of a configuration folder say, those of `agents/<agent_id>/` included: mount and rename tricks of a cluster change the files'
 * times and links, and not this.
 *
 * @throws Error when the folder or a file in it cannot be read, or is too large to be a configuration.
 */
export async function digestFolder(folder: string): Promise<string> {
  const files = await yamlFilesIn(folder);
  const hash = createHash('sha256');
  let bytes = 0;
  for (const file of files) {
    const content = await readFile(path.join(folder, file));
    bytes += content.length;
    if (bytes > mostBytes) throw new Error(`The configuration folder holds more than ${mostBytes} bytes`);
    hash.update(`${file}\n${content.length}\n`).update(content);
  }
  return hash.digest('hex');
}

async function yamlFilesIn(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder);
  const agents = names.includes('agents') ? await readdir(path.join(folder, 'agents')) : [];
  const ofAgents = await Promise.all(agents.map((agent) => namesIn(folder, path.join('agents', agent))));
  const files = [...names, ...ofAgents.flat()].filter((name) => /\.ya?ml$/.test(name)).sort();
  if (files.length > mostFiles) throw new Error(`The configuration folder holds more than ${mostFiles} files`);
  return files;
}

async function namesIn(root: string, folder: string): Promise<readonly string[]> {
  const inside = path.join(root, folder);
  if (!(await stat(inside)).isDirectory()) return [];
  return (await readdir(inside)).map((name) => path.join(folder, name));
}
