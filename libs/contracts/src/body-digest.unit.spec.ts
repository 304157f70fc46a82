import { describe, expect, it } from '@jest/globals';
import { bodyDigestOf } from './body-digest.ts';
import { GatewayRequest } from './gateway-request.ts';

const request = (message: string, metadata?: object): GatewayRequest =>
  GatewayRequest.parse({ channel: 'web', payload: { message, session_id: 's', message_id: 'm', ...(metadata && { metadata }) } });

describe('the body digest of a message', () => {
  it('is the same for a repeat with another request id', () => {
    expect(bodyDigestOf(request('sim', { request_id: 'r-1' }))).toBe(bodyDigestOf(request('sim', { request_id: 'r-2' })));
    expect(bodyDigestOf(request('sim'))).toBe(bodyDigestOf(request('sim', { request_id: 'r-1' })));
  });

  it('is another one for another text', () => {
    expect(bodyDigestOf(request('sim'))).not.toBe(bodyDigestOf(request('sim, menos o segundo')));
  });
});
