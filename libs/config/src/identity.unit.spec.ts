import { describe, expect, it } from '@jest/globals';
import { problemsWith, readWith } from './config-folder.features.ts';

const shared = `business_context:
  customer_key: [context.msisdn, msisdn]
  session_key: session_id
channels:
  voice: { customer_key: context.ani, interaction_key: context.call_id }
`;

describe('identity.yaml', () => {
  it('says which fields of a request feed the business context, everywhere and by channel', async () => {
    const { config } = await readWith({ 'identity.yaml': shared });
    expect(config?.agents['contas']?.identity).toEqual({
      everywhere: { customer_key: ['context.msisdn', 'msisdn'], session_key: ['session_id'] },
      channels: { voice: { customer_key: ['context.ani'], interaction_key: ['context.call_id'] } },
    });
  });

  it('is laid over by an agent of its own, key by key', async () => {
    const own = 'business_context: { customer_key: user_id }\nchannels:\n  voice: { customer_key: metadata.from }\n';
    const { config } = await readWith({ 'identity.yaml': shared, 'agents/contas/identity.yaml': own });
    expect(config?.agents['contas']?.identity).toEqual({
      everywhere: { customer_key: ['user_id'], session_key: ['session_id'] },
      channels: { voice: { customer_key: ['metadata.from'], interaction_key: ['context.call_id'] } },
    });
  });

  it('changes the digest of an agent, and its absence does not', async () => {
    const digestWith = async (text: string | null): Promise<string | undefined> =>
      (await readWith({ 'identity.yaml': text })).config?.agents['contas']?.digest;
    expect(await digestWith(null)).toBe(await digestWith('version: 1\n'));
    expect(await digestWith(null)).not.toBe(await digestWith(shared));
  });

  it.each([
    [
      'business_context: { customer_key: message }\n',
      'identity.yaml:1:35 error business_context.customer_key must not lead to what the user writes or fills in. Name a field that the channel sets.',
    ],
    [
      'business_context: { customer_key: "context ani" }\n',
      'identity.yaml:1:35 error business_context.customer_key must be the path of a field inside `payload`, such as context.ani or user_id.',
    ],
    [
      'business_context: { custmer_key: user_id }\n',
      'identity.yaml:1:21 warning business_context.custmer_key is not a known key and is ignored. Did you mean "customer_key"?',
    ],
  ])('tells what is wrong with %j', async (text, problem) => {
    expect(await problemsWith({ 'identity.yaml': text })).toEqual([problem]);
  });
});
