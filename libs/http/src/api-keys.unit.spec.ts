import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { type ConfigReport, makeApiKey } from '@latch/config';
import { createLogger } from '@latch/observability';
import { eventually } from '@latch/testing';
import { ApiKeys } from './api-keys.ts';

const file = path.join(mkdtempSync(path.join(os.tmpdir(), 'latch-keys-')), 'keys.yaml');
const opened: ApiKeys[] = [];
afterEach(async () => {
  for (const keys of opened.splice(0)) await keys.stop();
});

const gateway = makeApiKey();
const kiosk = makeApiKey();
const farOff = '2999-01-01T00:00:00Z';
const entryOf = (id: string, { sha256 }: { readonly sha256: string }, more: object = {}): object => ({
  ...{ id, sha256, tenant_id: 'acme', scopes: ['speak', 'read'], expires_at: farOff },
  ...more,
});

function write(...entries: readonly object[]): void {
  writeFileSync(file, JSON.stringify({ keys: entries }));
}

type Told = { readonly keys: ApiKeys; readonly reports: ConfigReport[]; readonly lines: string[] };

async function open(): Promise<Told> {
  const [reports, lines]: [ConfigReport[], string[]] = [[], []];
  const logger = createLogger({ service: 'spec', destination: { write: (line) => lines.push(line) } });
  const keys = await ApiKeys.open(file, { logger, report: (report) => reports.push(report), everyMs: 10 });
  opened.push(keys);
  return { keys, reports, lines };
}

async function codeOf(keys: ApiKeys, { key }: { readonly key: string }): Promise<string> {
  const known = await keys.read(key);
  return known.ok ? 'ok' : known.error.refusal.code;
}

describe('an API key', () => {
  it('says tenant, scopes and user: it is one itself, unless it speaks for others', async () => {
    write(entryOf('kiosk', kiosk), entryOf('gateway', gateway, { scopes: ['speak-for-others'], tenant_id: 'rival' }));
    const { keys } = await open();
    expect(await keys.read(kiosk.key)).toMatchObject({
      ok: true,
      value: { tenantId: 'acme', userId: 'key:kiosk', scopes: ['speak', 'read'] },
    });
    expect(await keys.read(gateway.key)).toMatchObject({ ok: true, value: { tenantId: 'rival', userId: null } });
  });

  it('is 32 random bytes, and is kept as a hash', () => {
    expect(gateway.key).toMatch(/^latch_[A-Za-z0-9_-]{43}$/);
    expect(gateway.key).not.toBe(kiosk.key);
    expect(gateway.sha256).toMatch(/^[0-9a-f]{64}$/);
  });

  it.each(['latch_', `latch_${'a'.repeat(43)}`, gateway.key.toUpperCase(), `${gateway.key}x`, gateway.sha256])(
    'is taken only as it is: %#',
    async (credential) => {
      write(entryOf('gateway', gateway));
      const { keys } = await open();
      expect(await codeOf(keys, gateway)).toBe('ok');
      expect(await codeOf(keys, { key: credential })).toBe('auth.invalid');
    },
  );

  it('ends when its time is over', async () => {
    write(entryOf('gateway', gateway, { expires_at: new Date(Date.now() + 300).toISOString() }));
    const { keys } = await open();
    const known = await keys.read(gateway.key);
    expect(known.ok && known.value.lapsed()).toBeNull();
    await eventually(async () => expect(await codeOf(keys, gateway)).toBe('auth.expired'));
    expect(known.ok && known.value.lapsed()).toMatchObject({ code: 'auth.expired' });
  });
});

describe('a changed file of keys', () => {
  it('is taken over while the service runs: a key that is taken out stops, also where it is in use', async () => {
    write(entryOf('gateway', gateway));
    const { keys, reports } = await open();
    const inUse = await keys.read(gateway.key);
    write(entryOf('kiosk', kiosk));
    await eventually(async () => expect(await codeOf(keys, kiosk)).toBe('ok'));
    expect(await codeOf(keys, gateway)).toBe('auth.invalid');
    expect(inUse.ok && inUse.value.lapsed()).toMatchObject({ code: 'auth.invalid' });
    expect(reports).toMatchObject([{ kind: 'applied' }]);
  });

  it.each([
    ['is no YAML', (): void => writeFileSync(file, 'keys: [')],
    [
      'has a mistake in one entry',
      (): void => write(entryOf('kiosk', kiosk), entryOf('gateway', gateway, { scopes: ['all'] })),
    ],
    ['is not there', (): void => rmSync(file)],
  ])('that %s is told and not used, once; the last good one stays until another is good', async (_, spoil) => {
    write(entryOf('gateway', gateway));
    const { keys, reports, lines } = await open();
    spoil();
    await eventually(() => expect(reports).toMatchObject([{ kind: 'rejected', problems: [{ file: 'keys.yaml' }] }]));
    expect(await codeOf(keys, gateway)).toBe('ok');
    expect(await codeOf(keys, kiosk)).toBe('auth.invalid');
    expect(lines.filter((line) => line.includes('auth.keys_rejected'))).toHaveLength(1);
    write(entryOf('gateway', gateway), entryOf('kiosk', kiosk));
    await eventually(async () => expect(await codeOf(keys, kiosk)).toBe('ok'));
    expect(reports.map(({ kind }) => kind)).toEqual(['rejected', 'applied']);
  });

  it('with a mistake is told as right again when it is put back as it was', async () => {
    write(entryOf('gateway', gateway));
    const { reports } = await open();
    writeFileSync(file, 'keys: [');
    await eventually(() => expect(reports).toHaveLength(1));
    write(entryOf('gateway', gateway));
    await eventually(() => expect(reports.map(({ kind }) => kind)).toEqual(['rejected', 'applied']));
  });

  it('with a mistake keeps a service from starting, and says what is wrong', async () => {
    write(entryOf('gateway', gateway, { tenant_id: undefined }));
    await expect(open()).rejects.toThrow(/LATCH_API_KEYS_FILE cannot be used:\n.*tenant_id/);
  });
});
