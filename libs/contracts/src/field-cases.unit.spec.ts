import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { GatewayRequest } from './gateway-request.ts';
import { upcast } from './upcast.ts';

/** A report from the field about old messages (fixtures/NOTICE.md). */
const row: { readonly id: string; readonly input: { readonly sequence: readonly { readonly payload: object }[] } } =
  JSON.parse(readFileSync(new URL('./fixtures/field-cases.jsonl', import.meta.url), 'utf8').trim());

describe(`${row.id}: a message that an older version wrote`, () => {
  const [written] = row.input.sequence;
  const older = {
    channel: 'web',
    text: 'quero contestar',
    session_id: 's',
    message_id: 'm',
    tool_arguments: written?.payload ?? {},
  };

  it('is read as the current version, its values as they are', () => {
    const read = upcast({ contract: 'gateway-request', major: 0, message: older });
    const request = GatewayRequest.parse(read.ok ? read.value : null);
    expect(request.payload.tool_arguments).toEqual({ amount: '71.99' });
    expect(request.payload.message).toBe('quero contestar');
    expect(request.channel).toBe('web');
  });

  it('stays as it was written', () => {
    const kept = JSON.stringify(older);
    upcast({ contract: 'gateway-request', major: 0, message: Object.freeze(older) });
    expect(JSON.stringify(older)).toBe(kept);
  });
});
