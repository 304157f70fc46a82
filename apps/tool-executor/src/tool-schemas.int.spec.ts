import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { readToolResult } from '@latch/outcome';
import { eventually } from '@latch/testing';
import { ExecutorFixture } from './executor-fixture.features.ts';
import { type Domain, platformConfig, startDomain } from './sample-domain.features.ts';

let fixture: ExecutorFixture;
let domain: Domain;

beforeEach(async () => {
  fixture = await ExecutorFixture.create();
  domain = await startDomain();
});

afterEach(async () => {
  await fixture.close();
  await domain.stop();
});

const fresh = { env: { LATCH_SCHEMA_FRESH_MS: '0', LATCH_SCHEMA_REFRESH_MS: '200' } };

describe('a call under a pinned schema', () => {
  it('goes out when it was approved under the accepted one, and not under another', async () => {
    await fixture.startExecutor(platformConfig({ main: domain.url }), fresh);
    const tools = await eventually(async () => {
      const seen = await fixture.store.catalogue.read('main');
      if (seen.length < 3) throw new Error('not listed yet');
      return seen;
    });
    const accepted = tools.find(({ tool }) => tool === 'cancel')?.acceptedHash ?? '';
    const good = await fixture.approve('cancel', { schemaHash: accepted });
    const bad = await fixture.approve('cancel', { schemaHash: 'of-another-day' });
    await fixture.bus.publish([good.message, bad.message]);
    expect(readToolResult(await fixture.executionOf(good))).toMatchObject({ ok: true });
    const refused = await fixture.executionOf(bad);
    expect(refused.outcome).toMatchObject({ kind: 'refused', error: { code: 'tool.schema_changed' } });
    expect(refused.attempts).toEqual([]);
    expect(domain.effects.count).toBe(1);
    await eventually(() =>
      expect(fixture.signals.map(({ event_type }) => event_type)).toContain('IC.TOOL_SCHEMA_ACCEPTED'),
    );
  });

  it('is not made with arguments that the server would not take, and names the parameter', async () => {
    await fixture.startExecutor(platformConfig({ main: domain.url }), fresh);
    const call = await fixture.approve('cancel', { args: { ms: 'soon' } });
    await fixture.bus.publish([call.message]);
    expect((await fixture.executionOf(call)).outcome).toMatchObject({
      kind: 'refused',
      error: { code: 'tool.arguments_invalid', errorCategory: 'validation', parameter: 'ms' },
    });
    expect(await domain.keys()).toEqual([]);
  });
});
