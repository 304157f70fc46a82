import { describe, expect, it } from '@jest/globals';
import { loadPlatformConfig } from '@latch/config';
import path from 'node:path';
import { errorOf } from '@latch/mcp-server';
import { connectToRetail } from './retail-client.features.ts';

describe('validar_cancelamento_pedido', () => {
  it('asks one question about an order that is still here', async () => {
    const { callTool } = await connectToRetail();
    expect((await callTool('validar_cancelamento_pedido', { order_id: 'PED-1001' })).structuredContent).toEqual({
      eligible: true,
      transaction_decision: {
        resolved_arguments: { order_id: 'PED-1001' },
        target_tool: 'retail_order_cancel',
        confirmation_message: 'Você confirma o cancelamento do pedido PED-1001?',
      },
    });
  });

  it.each([
    ['PED-1002', 'already_shipped', 'já foi enviado'],
    ['PED-1004', 'already_delivered', 'já foi entregue'],
    ['PED-1005', 'already_cancelled', 'já está cancelado'],
  ])('is not eligible for %s: %s', async (order_id, code, why) => {
    const { callTool } = await connectToRetail();
    expect((await callTool('validar_cancelamento_pedido', { order_id })).structuredContent).toMatchObject({
      eligible: false,
      code,
      reason: `O pedido ${order_id} ${why} e não pode mais ser cancelado.`,
    });
  });

  it('names the argument when there is no such order: that is not "not eligible"', async () => {
    const { callTool } = await connectToRetail();
    const answer = await callTool('validar_cancelamento_pedido', { order_id: 'PED-9999' });
    expect(errorOf(answer)).toMatchObject({ errorCategory: 'validation', isRetryable: false, parameter: 'order_id' });
  });
});

describe('retail_order_cancel', () => {
  it('cancels once, with a protocol, and the order shows it', async () => {
    const { url, callTool } = await connectToRetail();
    const first = await callTool('retail_order_cancel', { order_id: 'PED-1001' }, 'k1');
    expect(first.structuredContent).toMatchObject({
      ...{ order_id: 'PED-1001', status: 'CANCELADO', protocol: expect.stringMatching(/^CAN-[0-9A-F]{8}$/) },
    });
    expect(await callTool('retail_order_cancel', { order_id: 'PED-1001' }, 'k1')).toEqual(first);
    expect((await callTool('consultar_pedido', { order_id: 'ped-1001' })).structuredContent).toMatchObject({
      status: 'CANCELADO',
    });
    expect(await (await fetch(`${url}/calls`)).json()).toMatchObject({ totalEffects: 1 });
    const told = await callTool('consultar_operacao', { idempotency_key: 'k1' });
    expect(told.structuredContent).toEqual({
      ...first.structuredContent,
      found: true,
      tool_name: 'retail_order_cancel',
    });
  });

  it('refuses an order that has left, whatever the validator said before', async () => {
    const { callTool } = await connectToRetail();
    const answer = await callTool('retail_order_cancel', { order_id: 'PED-1002' }, 'k1');
    expect(errorOf(answer)).toMatchObject({ errorCategory: 'business', isRetryable: false, reason: 'already_shipped' });
  });

  it('can be cancelled again after a reset', async () => {
    const { url, callTool } = await connectToRetail();
    await callTool('retail_order_cancel', { order_id: 'PED-1001' }, 'k1');
    await fetch(`${url}/reset`, { method: 'POST' });
    expect((await callTool('retail_order_cancel', { order_id: 'PED-1001' }, 'k2')).isError).toBeUndefined();
  });
});

describe('consultar_pedido and rastrear_pedido', () => {
  it('tell what was bought and where it is', async () => {
    const { callTool } = await connectToRetail();
    expect((await callTool('consultar_pedido', { order_id: 'PED-1003' })).structuredContent).toMatchObject({
      ...{ order_id: 'PED-1003', status: 'PAGO', valor_total: 119.8 },
    });
    expect((await callTool('rastrear_pedido', { order_id: 'PED-1002' })).structuredContent).toMatchObject({
      ...{ status: 'ENVIADO', transportadora: 'Rápido Sul', ultimo_evento: 'Em trânsito' },
    });
  });

  it('name the argument when there is no such order', async () => {
    const { callTool } = await connectToRetail();
    for (const tool of ['consultar_pedido', 'rastrear_pedido', 'retail_order_cancel']) {
      expect(errorOf(await callTool(tool, { order_id: 'PED-9999' }))).toMatchObject({ parameter: 'order_id' });
    }
  });
});

describe('solicitar_devolucao', () => {
  const whole = { order_id: 'PED-1004', reason: 'não serviu' };

  it('returns the whole order item by item', async () => {
    const { callTool } = await connectToRetail();
    const answer = await callTool('solicitar_devolucao', whole, 'k1');
    expect(answer.structuredContent).toMatchObject({
      ...{ order_id: 'PED-1004', motivo: 'não serviu' },
      results: [
        { name: 'Tênis de corrida 42', success: true, protocol: expect.stringMatching(/^DEV-/) },
        { name: 'Kit de meias', success: true },
      ],
    });
    expect(errorOf(await callTool('solicitar_devolucao', whole, 'k2'))).toMatchObject({ errorCategory: 'business' });
  });

  it('returns some items and says which one it does not know', async () => {
    const { callTool } = await connectToRetail();
    const answer = await callTool(
      'solicitar_devolucao',
      { ...whole, items: ['tenis', { id: 'MEI-003' }, 'boné'] },
      'k1',
    );
    expect(answer.structuredContent).toMatchObject({
      results: [
        { name: 'Tênis de corrida 42', success: true },
        { name: 'Kit de meias', success: true },
        { name: 'boné', success: false, reason: 'item_nao_encontrado' },
      ],
    });
  });

  it('refuses an order that has not arrived', async () => {
    const { callTool } = await connectToRetail();
    const answer = await callTool('solicitar_devolucao', { order_id: 'PED-1002', reason: 'x' }, 'k1');
    expect(errorOf(answer)).toMatchObject({
      errorCategory: 'business',
      message: expect.stringMatching(/ainda não foi entregue/),
    });
  });
});

describe('the sample configuration and the server', () => {
  it('name the same tools, and the server has every argument that the configuration declares', async () => {
    const loaded = await loadPlatformConfig(path.join(import.meta.dirname, '../../../deploy/config'), {});
    const tools = loaded.ok ? Object.values(loaded.value.agents['retail_orders']?.tools ?? {}) : [];
    // A tool that is run as a workflow is made of the server's tools and is none of them.
    const declared = tools.filter(({ workflow }) => workflow === undefined);
    const { client } = await connectToRetail({ LATCH_MCP_ANSWERS: 'stream' });
    const { tools: served } = await client.listTools();
    expect(served.map(({ name }) => name).sort()).toEqual(declared.map(({ name }) => name).sort());
    for (const { name, parameters, operationType } of declared) {
      const tool = served.find((each) => each.name === name);
      expect(Object.keys(tool?.inputSchema.properties ?? {})).toEqual(expect.arrayContaining(Object.keys(parameters)));
      expect(tool?.annotations?.readOnlyHint).toBe(operationType !== 'transactional');
    }
  });
});
