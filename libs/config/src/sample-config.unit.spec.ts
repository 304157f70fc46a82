import { describe, expect, it } from '@jest/globals';
import path from 'node:path';
import { checkPlatformConfig } from './load-platform-config.ts';

const folder = path.join(import.meta.dirname, '../../../deploy/config');

describe('the sample configuration in deploy/config', () => {
  it('has no problem, not even a warning', async () => {
    expect((await checkPlatformConfig(folder, {})).problems).toEqual([]);
  });

  it('gives each agent its own tools only', async () => {
    const { config } = await checkPlatformConfig(folder, {});
    const toolsOf = (agentId: string): string[] => Object.keys(config?.agents[agentId]?.tools ?? {});
    expect(toolsOf('telecom_contas')).toEqual([
      ...['consultar_fatura', 'cancelar_vas_avulso', 'cancelar_produtos', 'contestar_cobranca'],
      ...['validar_vas_subject', 'consultar_protocolo', 'validar_produtos_cancelamento', 'validar_contestacao'],
    ]);
    expect(toolsOf('retail_orders')).toEqual([
      ...['retail_order_cancel', 'cancelar_pedidos', 'rastrear_pedido', 'consultar_pedido', 'solicitar_devolucao'],
      ...['validar_cancelamento_pedido', 'consultar_operacao'],
    ]);
  });

  it('asks before every effect, and lets every effect be reconciled', async () => {
    const { config } = await checkPlatformConfig(folder, {});
    const tools = Object.values(config?.agents ?? {}).flatMap((agent) => Object.values(agent.tools));
    for (const tool of tools.filter(({ operationType }) => operationType === 'transactional')) {
      expect(tool).toMatchObject({
        requiresConfirmation: true,
        declaredIdempotent: true,
        reconcileTool: expect.any(String),
      });
    }
  });

  it('runs the cancellation of several orders as a workflow over the tool for one', async () => {
    const { config } = await checkPlatformConfig(folder, {});
    expect(config?.agents['retail_orders']?.tools['cancelar_pedidos']?.workflow).toMatchObject({
      primary: 'cancelar',
      steps: [{ tool: 'retail_order_cancel', forEach: '$.arguments.order_ids' }, { tool: 'consultar_pedido' }],
    });
  });

  it('takes the addresses of the servers from the environment', async () => {
    const { config } = await checkPlatformConfig(folder, { LATCH_MCP_TELECOM_URL: 'http://127.0.0.1:19101/mcp' });
    expect(config?.servers['contas']?.url).toBe('http://127.0.0.1:19101/mcp');
    expect(config?.servers['retail']?.url).toBe('http://127.0.0.1:9102/mcp');
  });
});
