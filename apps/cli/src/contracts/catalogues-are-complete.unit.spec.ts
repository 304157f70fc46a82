import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { errorCatalogue, eventCatalogue, evidenceCatalogue, publishedContracts } from '@latch/contracts';
import { inCheckout } from '../checkout.ts';

/** Rooms that only read events, or list them: what stands there is not emitted there. */
const readers = ['apps/cli', 'apps/e2e', 'libs/contracts', 'libs/testing'];

type Source = { readonly file: string; readonly text: string };

/** The sources that run in a service. */
function serviceSources(): readonly Source[] {
  const rooms = ['apps', 'libs'].flatMap((kind) =>
    readdirSync(inCheckout(kind)).map((name) => path.join(kind, name)),
  );
  return rooms.filter((room) => !readers.includes(room)).flatMap(sourcesIn);
}

function sourcesIn(room: string): readonly Source[] {
  const folder = inCheckout(path.join(room, 'src'));
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !/\.(spec|features|bench)\.ts$|fixtures/.test(file))
      .map((file) => ({ file: path.join(room, 'src', file), text: readFileSync(path.join(folder, file), 'utf8') }));
  } catch {
    return []; // a room without sources yet
  }
}

const sources = serviceSources();

/** All matches of a pattern's first group over the services, each with where it stands. */
function found(pattern: RegExp): ReadonlyMap<string, string> {
  return new Map(
    sources.flatMap(({ file, text }) =>
      [...text.matchAll(pattern)].map(([, name = '']): [string, string] => [name, file]),
    ),
  );
}

describe('the event catalogue', () => {
  /** A comparison reads an event and does not emit it. */
  const emitted = found(/(?<![=!]== )'((?:IC|NOC|GRL)\.[A-Z0-9_]+)'/g);

  it('holds every event type that a service can emit', () => {
    expect(emitted.size).toBeGreaterThan(20);
    const unknown = [...emitted].filter(([type]) => !Object.hasOwn(eventCatalogue, type));
    expect(unknown).toEqual([]);
  });

  it('holds nothing that no service emits', () => {
    expect(Object.keys(eventCatalogue).filter((type) => !emitted.has(type))).toEqual([]);
  });

  it('names contracts that are published', () => {
    const versions = new Set(['signal', ...publishedContracts.map(({ version }) => version)]);
    expect(Object.values(eventCatalogue).filter(({ payload }) => !versions.has(payload))).toEqual([]);
  });

  it('has a runbook for everything that alerts', () => {
    expect(Object.values(eventCatalogue).filter(({ alert, runbook }) => alert !== null && runbook === null)).toEqual([]);
  });
});

describe('the evidence catalogue', () => {
  it('holds every type of stored event, and nothing else', () => {
    const { text } = sources.find(({ file }) => file === 'libs/transaction/src/events.ts') ?? { text: '' };
    const stored = [...text.matchAll(/readonly type: '(\w+)'/g)].map(([, type = '']) => type);
    const shown = stored.map((type) => `IC.${type.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, '_').toUpperCase()}`);
    expect(shown.sort()).toEqual(Object.keys(evidenceCatalogue).sort());
  });
});

describe('the error catalogue', () => {
  const quoted = found(/'([a-z_]+(?:\.[a-z_]+)*)'/g);

  it('holds every code that a service can give', () => {
    const given = found(/\b(?:code|code\?): '([a-z_]+(?:\.[a-z_]+)+)'/g);
    expect(given.size).toBeGreaterThan(20);
    expect([...given].filter(([code]) => !Object.hasOwn(errorCatalogue, code))).toEqual([]);
  });

  it('holds nothing that no service gives', () => {
    expect(Object.keys(errorCatalogue).filter((code) => !quoted.has(code))).toEqual([]);
  });
});
