import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';

const checkout = path.resolve(import.meta.dirname, '../../..');
const Manifest = z.looseObject({ name: z.string(), dependencies: z.record(z.string(), z.string()).default({}) });
const TypeScript = z.looseObject({ references: z.array(z.object({ path: z.string() })).default([]) });

/** Every package of the workspace: its folder, and what its sources import. Specs may use the testing lib without being shipped with it. */
const rooms = ['apps', 'libs'].flatMap((kind) =>
  readdirSync(path.join(checkout, kind))
    .map((name) => path.join(kind, name))
    .filter((room) => existsSync(path.join(checkout, room, 'package.json'))),
);

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(path.join(checkout, file), 'utf8'));
}

function importsOf(room: string, isWanted: (file: string) => boolean): ReadonlySet<string> {
  const folder = path.join(checkout, room, 'src');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (file) => /\.ts$/.test(file) && isWanted(file),
  );
  const texts = files.map((file) => readFileSync(path.join(folder, file), 'utf8'));
  const names = texts.flatMap((text) => [...text.matchAll(/\bfrom '(@latch\/[a-z-]+)/g)].map(([, name = '']) => name));
  return new Set(names);
}

const isSpec = (file: string): boolean => /\.(spec|features)\.ts$/.test(file);

describe.each(rooms)('the manifest of %s', (room) => {
  const { name, dependencies } = Manifest.parse(readJson(path.join(room, 'package.json')));
  const declared = Object.keys(dependencies).filter((dependency) => dependency.startsWith('@latch/'));
  const shipped = [...importsOf(room, (file) => !isSpec(file))].filter((one) => one !== name);
  const tested = importsOf(room, isSpec);

  it('declares every package of the workspace that its sources import', () => {
    expect(shipped.filter((one) => !declared.includes(one))).toEqual([]);
  });

  it('declares nothing that neither its sources nor its specs import', () => {
    expect(declared.filter((one) => !shipped.includes(one) && !tested.has(one))).toEqual([]);
  });

  it('is in step with what the compiler is told to build first', () => {
    const { references } = TypeScript.parse(readJson(path.join(room, 'tsconfig.json')));
    const built = references.map(({ path: to }) => path.join(room, to));
    const needed = shipped.map(
      (one) => rooms.find((other) => path.basename(other) === one.slice('@latch/'.length)) ?? one,
    );
    expect(needed.filter((one) => !built.includes(one))).toEqual([]);
  });
});
