import { describe, expect, it } from '@jest/globals';
import { type CatalogueTool } from '@latch/event-store';
import { catalogueLines } from '../commands/catalogue.ts';

const schema = { type: 'object', properties: { id: { type: 'string' }, old: { type: 'string' } }, required: ['id'] };
const accepted: CatalogueTool = {
  server: 'contas',
  tool: 'cancelar',
  observedHash: 'a'.repeat(64),
  acceptedHash: 'a'.repeat(64),
  inputSchema: schema,
  outputSchema: null,
  acceptedInputSchema: schema,
  acceptedOutputSchema: null,
  observedAt: '2026-11-30T12:00:00.000Z',
  acceptedAt: '2026-11-30T12:00:00.000Z',
  acceptedBy: 'first_sight',
};

describe('the catalogue, for an operator', () => {
  it('lists what is accepted, by whom', () => {
    expect(catalogueLines([accepted])).toEqual([
      'tool             state     schema        accepted by',
      'contas/cancelar  accepted  aaaaaaaaaaaa  first_sight, 2026-11-30T12:00Z',
    ]);
  });

  it('shows what changed in a tool that waits, and how to accept exactly that', () => {
    const changed = { type: 'object', properties: { id: { type: 'number' }, reason: {} }, required: ['id', 'reason'] };
    const lines = catalogueLines([
      { ...accepted, observedHash: 'b'.repeat(64), inputSchema: changed, outputSchema: { type: 'object' } },
    ]);
    expect(lines).toEqual(
      expect.arrayContaining([
        '  input ~ id: {"type":"string"} -> {"type":"number"}',
        '  input - old: {"type":"string"}',
        '  input + reason: {}',
        '  input ~ (required): ["id"] -> ["id","reason"]',
        '  output + (type): "object"',
        '  Accept it: latch catalogue accept contas cancelar --hash bbbbbbbbbbbb',
      ]),
    );
  });
});
