import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';

const checkout = path.resolve(import.meta.dirname, '../../..');

/** Names for readers outside of this repository, which nobody in it need import. */
const forOthers: Readonly<Record<string, RegExp>> = {
  contracts: /./, // the source of the published schemas: whoever writes TypeScript against them takes the types
  outcome: /^(to)?(Mcp|Claude|OpenAi)/, // the forms in which a host gives results to its model (docs/reference/tool-results.md)
};

const libs = readdirSync(path.join(checkout, 'libs'));
const asked = namesAskedFor();

/** What is imported from each lib by other packages, benchmarks and scripts included. */
function namesAskedFor(): ReadonlyMap<string, ReadonlySet<string>> {
  const names = new Map<string, Set<string>>(libs.map((lib) => [lib, new Set()]));
  for (const file of sources()) {
    for (const [lib, name] of importsIn(readFileSync(path.join(checkout, file), 'utf8')))
      if (!file.startsWith(`libs/${lib}/`)) names.get(lib)?.add(name);
  }
  return names;
}

function sources(): readonly string[] {
  return ['apps', 'libs', 'deploy'].flatMap((kind) =>
    readdirSync(path.join(checkout, kind), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(ts|mjs)$/.test(file) && !/(^|\/)(dist|node_modules)\//.test(file))
      .map((file) => path.posix.join(kind, file)),
  );
}

function importsIn(text: string): readonly (readonly [string, string])[] {
  const named = [...text.matchAll(/^(?:import|export) (?:type )?\{([^}]*)\} from '@latch\/([a-z-]+)'/gm)];
  return named.flatMap(([, list = '', lib = '']) => namesIn(list).map((name) => [lib, name] as const));
}

function namesIn(list: string): readonly string[] {
  return list
    .split(',')
    .map((entry) => entry.trim().replace(/^type /, ''))
    .filter((entry) => entry !== '')
    .map((entry) => entry.split(' as ')[0] ?? entry);
}

/** What a lib exports at its door. */
function shownAt(lib: string): readonly string[] {
  const door = readFileSync(path.join(checkout, 'libs', lib, 'src/index.ts'), 'utf8');
  return [...door.matchAll(/^export (?:type )?\{([^}]*)\} from/gm)].flatMap(([, list = '']) => namesIn(list));
}

describe('the door of a lib', () => {
  it.each(libs)('of %s shows only what another package imports', (lib) => {
    const shown = shownAt(lib);
    expect(shown.length).toBeGreaterThan(0);
    expect(shown.filter((name) => asked.get(lib)?.has(name) !== true && forOthers[lib]?.test(name) !== true)).toEqual(
      [],
    );
  });
});
