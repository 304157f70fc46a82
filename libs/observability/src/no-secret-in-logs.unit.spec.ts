import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createLogger, type LogFields } from './logger.ts';

/** Invariant I16: no secret or clear personal data in logs. */
const secrets = {
  cpf: '529.982.247-25',
  bareCpf: '52998224725',
  cnpj: '12.ABC.345/01DE-35',
  card: '4111 1111 1111 1111',
  phone: '(11) 98765-4321',
  email: 'ana.silva@example.com',
  token: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl',
  key: 'sk-abcdefghijklmnopqrst',
};

function logged(fields: LogFields): string {
  const lines: string[] = [];
  createLogger({ service: 'x', level: 'trace', destination: { write: (line) => lines.push(line) } }).error('e', fields);
  return lines.join('');
}

describe('a log line', () => {
  it.each(Object.entries(secrets))(
    'shows no %s in a message, a field, a name, a list, an error or its cause',
    (_, secret) => {
      const line = logged({
        message: `texto ${secret} fim`,
        conversation_key: `default:agent:${secret}`,
        nested: { list: [{ value: secret }], [secret]: 1 },
        json: JSON.stringify({ a: { b: secret } }),
        map: new Map([[secret, secret]]),
        error: new Error(`failed on ${secret}`, { cause: new Error(secret) }),
      });
      expect(line).not.toContain(secret);
      expect(line).toMatch(/\[(cpf|cnpj|card|phone|email|secret)\]/);
    },
  );

  it.each([
    'authorization',
    'Authorization',
    'x-api-key',
    'apiKey',
    'access_token',
    'client_secret',
    'password',
    'senha',
    'set-cookie',
  ])('shows nothing of what the field %s holds', (name) => {
    expect(logged({ headers: { [name]: 'plain-value-1' } })).not.toContain('plain-value-1');
    expect(logged({ headers: { [name]: ['plain-value-1', { deeper: 'plain-value-1' }] } })).not.toContain(
      'plain-value-1',
    );
  });

  it('shows no document number that came as a JSON number', () => {
    const line = logged({ payload: { document: 52_998_224_725, card: 4_111_111_111_111_111 }, big: 52_998_224_725n });
    expect(line).not.toMatch(/52998224725|4111111111111111/);
  });

  it('keeps measurements as numbers', () => {
    const record: unknown = JSON.parse(logged({ duration_ms: 12.5, input_tokens: 1_234, at: 1_751_234_567_890 }));
    expect(record).toMatchObject({ duration_ms: 12.5, input_tokens: 1_234, at: 1_751_234_567_890 });
  });

  it('shows no secret, wherever in a structure it stands', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...Object.values(secrets)),
        fc.array(fc.constantFrom('a', 'b', 0), { maxLength: 6 }),
        (secret, path) => {
          const value = path.reduce<unknown>(
            (inner, step) => (step === 0 ? [inner] : { [step]: inner }),
            `x ${secret}`,
          );
          expect(logged({ value })).not.toContain(secret);
        },
      ),
    );
  });
});
