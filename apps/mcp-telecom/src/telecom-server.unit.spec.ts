import { describe, expect, it } from '@jest/globals';
import { loadPlatformConfig } from '@latch/config';
import path from 'node:path';
import { errorOf } from '@latch/mcp-server';
import { connectToTelecom } from './telecom-client.features.ts';

const spoken = 'TIM Fashion, Aya Audiobooks, Neymar Jr';
const canonical = 'TIM Fashion Mensal, Aya Audiobooks Premium, Neymar Jr';

describe('validar_vas_subject', () => {
  it('resolves the three services exactly as seeds/000 section 3 shows', async () => {
    const { callTool } = await connectToTelecom();
    expect((await callTool('validar_vas_subject', { subject: spoken })).structuredContent).toEqual({
      eligible: true,
      subject: spoken,
      resolved_subject: canonical,
      resolved_subjects: ['TIM Fashion Mensal', 'Aya Audiobooks Premium', 'Neymar Jr'],
      transaction_decision: {
        resolved_arguments: {
          subject: canonical,
          items: [{ name: 'TIM Fashion Mensal' }, { name: 'Aya Audiobooks Premium' }, { name: 'Neymar Jr' }],
        },
        target_tool: 'cancelar_vas_avulso',
        confirmation_message: 'Você confirma o cancelamento de TIM Fashion Mensal, Aya Audiobooks Premium e Neymar Jr?',
      },
    });
  });

  it('resolves the same with "e" before the last one', async () => {
    const { callTool } = await connectToTelecom();
    const answer = await callTool('validar_vas_subject', { subject: 'TIM Fashion, Aya Audiobooks e Neymar Jr' });
    expect(answer.structuredContent).toMatchObject({ resolved_subject: canonical });
  });

  it('keeps what can be done when a part cannot (seeds/000 section 3, partial validation)', async () => {
    const { callTool } = await connectToTelecom();
    const answer = await callTool('validar_vas_subject', { subject: 'TIM Fashion e Clube do Vinho' });
    expect(answer.structuredContent).toMatchObject({
      eligible: true,
      status: 'PARTIALLY_ELIGIBLE',
      transaction_decision: {
        resolved_arguments: {
          items: [
            { name: 'TIM Fashion Mensal', eligible: true },
            { name: 'Clube do Vinho', eligible: false, reason: 'item_nao_encontrado' },
          ],
        },
        confirmation_message: 'Você confirma o cancelamento de TIM Fashion Mensal?',
      },
    });
  });

  it('is not eligible, with the reasons, when nothing can be done', async () => {
    const { callTool } = await connectToTelecom();
    const answer = await callTool('validar_vas_subject', { subject: 'Clube do Vinho' });
    expect(answer.structuredContent).toMatchObject({
      eligible: false,
      reason: 'Clube do Vinho: não encontrado entre os seus serviços',
    });
  });

  it('changes nothing', async () => {
    const { url, callTool } = await connectToTelecom();
    await callTool('validar_vas_subject', { subject: spoken });
    expect(await (await fetch(`${url}/calls`)).json()).toMatchObject({ totalEffects: 0 });
  });
});

describe('cancelar_vas_avulso', () => {
  it('ends as seeds/000 section 5 shows: two succeed, Aya Audiobooks Premium is not found', async () => {
    const { url, callTool } = await connectToTelecom();
    const answer = await callTool('cancelar_vas_avulso', { subject: canonical }, 'k1');
    expect(answer.structuredContent).toMatchObject({
      results: [
        { subject: 'TIM Fashion Mensal', success: true, protocol: expect.stringMatching(/^CAN-[0-9A-F]{8}$/) },
        { subject: 'Aya Audiobooks Premium', success: false, reason: 'not_found' },
        { subject: 'Neymar Jr', success: true },
      ],
    });
    expect(await (await fetch(`${url}/calls`)).json()).toMatchObject({ totalEffects: 2 });
  });

  it('takes the canonical items where the validator has made them', async () => {
    const { callTool } = await connectToTelecom();
    const items = [
      { name: 'TIM Fashion Mensal', eligible: true },
      { name: 'Clube do Vinho', eligible: false },
    ];
    const answer = await callTool('cancelar_vas_avulso', { subject: 'TIM Fashion Mensal, Clube do Vinho', items });
    expect(answer.structuredContent).toMatchObject({
      results: [{ success: true }, { subject: 'Clube do Vinho', success: false, reason: 'item_nao_encontrado' }],
    });
  });

  it('cancels nothing twice: neither under the same key nor under another', async () => {
    const { url, callTool } = await connectToTelecom();
    const first = await callTool('cancelar_vas_avulso', { subject: 'Neymar Jr' }, 'k1');
    expect(await callTool('cancelar_vas_avulso', { subject: 'Neymar Jr' }, 'k1')).toEqual(first);
    const again = await callTool('cancelar_vas_avulso', { subject: 'Neymar Jr' }, 'k2');
    expect(again.structuredContent).toMatchObject({ results: [{ success: false, reason: 'already_cancelled' }] });
    expect(await (await fetch(`${url}/calls`)).json()).toMatchObject({ totalEffects: 1 });
  });

  it('can be asked about by its key', async () => {
    const { callTool } = await connectToTelecom();
    const done = await callTool('cancelar_vas_avulso', { subject: canonical }, 'k1');
    const told = await callTool('consultar_protocolo', { idempotency_key: 'k1' });
    expect(told.structuredContent).toEqual({
      ...done.structuredContent,
      found: true,
      tool_name: 'cancelar_vas_avulso',
    });
    const unknown = await callTool('consultar_protocolo', { idempotency_key: 'k9' });
    expect(unknown.structuredContent).toMatchObject({ results: [], count: 0 });
  });

  it('processes the first item only under the fault `partial`', async () => {
    const { url, callTool } = await connectToTelecom();
    const body = JSON.stringify({ tool: 'cancelar_vas_avulso', kind: 'partial' });
    await fetch(`${url}/faults`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    const answer = await callTool('cancelar_vas_avulso', { subject: 'TIM Fashion, Neymar Jr' }, 'k1');
    expect(answer.structuredContent).toMatchObject({
      results: [{ success: true }, { success: false, reason: 'temporarily_unavailable', isRetryable: true }],
    });
  });
});

describe('cancelar_produtos with its validator', () => {
  const items = ['TIM Fashion', { name: 'Aya Audiobooks' }, { name: 'Neymar Jr', id: '1003' }];

  it('resolves names and ids into the canonical list of seeds/001', async () => {
    const { callTool } = await connectToTelecom();
    expect((await callTool('validar_produtos_cancelamento', { items })).structuredContent).toEqual({
      eligible: true,
      transaction_decision: {
        resolved_arguments: {
          items: [
            { name: 'TIM Fashion Mensal', id: '1001' },
            { name: 'Aya Audiobooks Premium', id: '1002' },
            { name: 'Neymar Jr', id: '1003' },
          ],
        },
        target_tool: 'cancelar_produtos',
        confirmation_message: 'Você confirma o cancelamento de TIM Fashion Mensal, Aya Audiobooks Premium e Neymar Jr?',
      },
    });
  });

  it('answers per item', async () => {
    const { callTool } = await connectToTelecom();
    const answer = await callTool('cancelar_produtos', { items }, 'k1');
    expect(answer.structuredContent).toMatchObject({
      results: [
        { name: 'TIM Fashion Mensal', id: '1001', success: true },
        { name: 'Aya Audiobooks Premium', id: '1002', success: false, reason: 'not_found' },
        { name: 'Neymar Jr', id: '1003', success: true },
      ],
    });
  });

  it('is not eligible when every product is unknown', async () => {
    const { callTool } = await connectToTelecom();
    const answer = await callTool('validar_produtos_cancelamento', { items: ['Nada', 'Coisa'] });
    expect(answer.structuredContent).toMatchObject({ eligible: false });
  });
});

describe('consultar_fatura', () => {
  it('shows the invoice of SPEC-012 section 9, whose lines add up to it', async () => {
    const { callTool } = await connectToTelecom();
    const answer = await callTool('consultar_fatura', { msisdn: '11999999999', invoice_id: '3000131180' });
    expect(answer.structuredContent).toMatchObject({ invoice_id: '3000131180', valor_total: 249.9, status: 'ABERTA' });
    const { itens } = answer.structuredContent ?? {};
    const cents = (Array.isArray(itens) ? itens : []).reduce((sum, { valor }) => sum + Math.round(valor * 100), 0);
    expect(cents).toBe(24_990);
  });

  it('takes the open invoice where no number is given, and a number with country code', async () => {
    const { callTool } = await connectToTelecom();
    const answer = await callTool('consultar_fatura', { msisdn: '+55 (11) 99999-9999' });
    expect(answer.structuredContent).toMatchObject({ invoice_id: '3000131180' });
  });

  it('says that there is nothing, which is no error, where a line has no open invoice', async () => {
    const { callTool } = await connectToTelecom();
    const answer = await callTool('consultar_fatura', { msisdn: '31977776666' });
    expect(answer.isError).toBeUndefined();
    expect(answer.structuredContent).toEqual({
      results: [],
      count: 0,
      note: 'Não há fatura em aberto para esta linha.',
    });
  });

  it('names the wrong argument, with alternatives where there are some', async () => {
    const { callTool } = await connectToTelecom();
    expect(errorOf(await callTool('consultar_fatura', { msisdn: '10' }))).toMatchObject({
      ...{ errorCategory: 'validation', isRetryable: false, parameter: 'msisdn' },
    });
    const wrong = await callTool('consultar_fatura', { msisdn: '11999999999', invoice_id: '1' });
    expect(errorOf(wrong)).toMatchObject({ parameter: 'invoice_id', alternatives: ['3000131180', '3000129977'] });
  });
});

describe('contestar_cobranca with its validator', () => {
  const dispute = { subject: 'TIM CTRL Redes Sociais 8.0', valor: 71.99 };

  it.each([71.99, '71.99', '71,99', 'R$ 71,99'])('takes the value %p together with the subject', async (valor) => {
    const { callTool } = await connectToTelecom();
    expect((await callTool('validar_contestacao', { ...dispute, valor })).structuredContent).toEqual({
      eligible: true,
      transaction_decision: {
        resolved_arguments: dispute,
        target_tool: 'contestar_cobranca',
        confirmation_message: 'Você confirma a contestação de TIM CTRL Redes Sociais 8.0 no valor de R$ 71,99?',
      },
    });
  });

  it('is not eligible with another value, and tells the right one', async () => {
    const { callTool } = await connectToTelecom();
    expect((await callTool('validar_contestacao', { ...dispute, valor: 50 })).structuredContent).toMatchObject({
      eligible: false,
      code: 'valor_divergente',
      reason: 'Na fatura, TIM CTRL Redes Sociais 8.0 aparece com o valor de R$ 71,99.',
    });
  });

  it('is not eligible for a charge that is not on the invoice', async () => {
    const { callTool } = await connectToTelecom();
    const answer = await callTool('validar_contestacao', { subject: 'Clube do Vinho', valor: 1 });
    expect(answer.structuredContent).toMatchObject({ eligible: false, code: 'cobranca_nao_encontrada' });
  });

  it('opens the dispute once and shows it on the invoice', async () => {
    const { url, callTool } = await connectToTelecom();
    const answer = await callTool('contestar_cobranca', dispute, 'k1');
    expect(answer.structuredContent).toMatchObject({
      ...dispute,
      status: 'EM_ANALISE',
      protocol: expect.stringMatching(/^CTT-/),
    });
    expect(errorOf(await callTool('contestar_cobranca', dispute, 'k2'))).toMatchObject({ errorCategory: 'business' });
    const invoice = await callTool('consultar_fatura', { msisdn: '11999999999' });
    expect(JSON.stringify(invoice.structuredContent)).toContain('"em_contestacao":true');
    await fetch(`${url}/reset`, { method: 'POST' });
    expect((await callTool('validar_contestacao', dispute)).structuredContent).toMatchObject({ eligible: true });
  });
});

describe('the sample configuration and the server', () => {
  it('name the same tools, and the server has every argument that the configuration declares', async () => {
    const loaded = await loadPlatformConfig(path.join(import.meta.dirname, '../../../deploy/config'), {});
    const declared = loaded.ok ? Object.values(loaded.value.agents['telecom_contas']?.tools ?? {}) : [];
    const { client } = await connectToTelecom({ LATCH_MCP_ANSWERS: 'stream' });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name).sort()).toEqual(declared.map(({ name }) => name).sort());
    for (const { name, parameters, operationType } of declared) {
      const served = tools.find((tool) => tool.name === name);
      expect(Object.keys(served?.inputSchema.properties ?? {})).toEqual(
        expect.arrayContaining(Object.keys(parameters)),
      );
      expect(served?.annotations?.readOnlyHint).toBe(operationType !== 'transactional');
    }
  });
});
