import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { digestFolder } from './digest-folder.ts';

let folder: string;
const write = (name: string, text: string): Promise<void> => writeFile(path.join(folder, name), text);

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'latch-config-'));
  await mkdir(path.join(folder, 'agents', 'retail'), { recursive: true });
  await write('tools.yaml', 'tools: {}');
});
afterAll(() => rm(folder, { recursive: true }));

describe('the digest of a configuration folder', () => {
  it('is another one when a file changes, comes or goes, also one of an agent', async () => {
    const digests = [await digestFolder(folder)];
    await write('tools.yaml', 'tools: { a: {} }');
    digests.push(await digestFolder(folder));
    await write('agents/retail/routing.yaml', 'intents: {}');
    digests.push(await digestFolder(folder));
    await rm(path.join(folder, 'agents/retail/routing.yaml'));
    expect(await digestFolder(folder)).toBe(digests[1]);
    expect(new Set(digests).size).toBe(3);
  });

  it('does not mind the time of a file, nor files that are no YAML', async () => {
    const before = await digestFolder(folder);
    await utimes(path.join(folder, 'tools.yaml'), new Date(0), new Date(0));
    await write('README.md', 'notes');
    await write('agents/notes.txt', 'notes');
    expect(await digestFolder(folder)).toBe(before);
  });

  it('cannot be told of a folder that is not there', async () => {
    await expect(digestFolder(path.join(folder, 'nowhere'))).rejects.toThrow('ENOENT');
  });
});
