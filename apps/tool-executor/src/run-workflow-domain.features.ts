import { setTimeout as sleep } from 'node:timers/promises';
import { type PlatformConfig, type ToolConfig, type WorkflowConfig, type WorkflowStep } from '@latch/contracts';
import { answerWith, defineTool, reconcileTool, refuseWith, serveDomain } from '@latch/mcp-server';
import { z } from 'zod';
import { platformConfig } from './sample-domain.features.ts';

/** What was done to which order, and under which key. */
export type Effect = { readonly tool: string; readonly order: string; readonly key: string | null };

/** A domain whose orders are cancelled one at a time, with what it did, and how to make it fail. */
export type OrderDomain = {
  readonly url: string;
  readonly effects: Effect[];
  /** At most so many cancellations ran at the same time. */
  readonly busiest: { count: number };
  /** From now on a cancellation waits a while for others, until so many ran at the same time once. */
  gather(count: number): void;
  fail(fault: Readonly<Record<string, unknown>>): Promise<void>;
  stop(): Promise<void>;
};

/** Starts the domain. `P-2` has been sent and can't be cancelled. */
export async function startOrderDomain(): Promise<OrderDomain> {
  const effects: Effect[] = [];
  const busiest = { count: 0 };
  let [running, together] = [0, 0];
  const order = z.object({ order_id: z.string(), reason: z.string().optional() });
  const findOrders = defineTool({
    name: 'find_orders',
    title: 'find',
    description: 'find',
    input: z.object({ customer: z.string() }),
    isReadOnly: true,
    handle: ({ arguments: { customer } }) =>
      answerWith({ customer, orders: ['P-1', 'P-2', 'P-3'].map((id) => ({ id, name: `Order ${id}` })) }),
  });
  const cancelOne = (name: string): ReturnType<typeof defineTool> =>
    defineTool({
      name,
      title: name,
      description: name,
      input: order,
      isReadOnly: false,
      handle: async ({ arguments: { order_id: id }, idempotencyKey: key }) => {
        busiest.count = Math.max(busiest.count, (running += 1));
        for (let waits = 0; waits < 30 && (waits === 0 || busiest.count < together); waits += 1) await sleep(30);
        running -= 1;
        if (id === 'P-2')
          return refuseWith({ errorCategory: 'business', isRetryable: false, message: 'already_shipped' });
        effects.push({ tool: name, order: id, key });
        return answerWith({ order_id: id, status: 'CANCELLED', protocol: `CAN-${id}` }, 1);
      },
    });
  const tell = defineTool({
    name: 'tell_customer',
    title: 'tell',
    description: 'tell',
    input: z.object({ text: z.string(), results: z.array(z.unknown()).optional() }),
    isReadOnly: false,
    handle: ({ arguments: { text }, idempotencyKey: key }) => {
      effects.push({ tool: 'tell_customer', order: text, key });
      return answerWith({ sent: true }, 1);
    },
  });
  const ask = reconcileTool({ name: 'ask_operation', title: 'ask', description: 'ask' });
  const tools = [findOrders, cancelOne('cancel_one'), cancelOne('cancel_one_once'), tell, ask];
  const server = await serveDomain({ name: 'orders', version: '1.0.0', port: 0, tools, reset: () => {} });
  return {
    url: `${server.url}/mcp`,
    effects,
    busiest,
    gather: (count) => {
      together = count;
    },
    async fail(fault) {
      const body = JSON.stringify(fault);
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch(`${server.url}/faults`, { method: 'POST', headers, body });
      if (answer.status !== 201) throw new Error(await answer.text());
    },
    stop: () => server.stop(),
  };
}

/** A step with nothing but what a test says of it. */
export function step(id: string, tool: string, more: Partial<WorkflowStep> = {}): WorkflowStep {
  return { id, tool, arguments: {}, onError: 'stop', forEach: null, maxParallel: 4, ...more };
}

/** Cancels each order of the approved list. */
export const cancelEach: WorkflowStep = step('cancel', 'cancel_one', {
  forEach: '$.arguments.orders',
  arguments: { order_id: '$.item' },
});

/** The fixture's platform with a tool `cancel_orders` that runs as these steps. */
export function workflowPlatform(
  url: string,
  of: { readonly steps: readonly WorkflowStep[]; readonly primary?: string; readonly tool?: Partial<ToolConfig> },
): PlatformConfig {
  const config = platformConfig({ main: url });
  const [agent] = Object.values(config.agents);
  const plain = agent?.tools['cancel'];
  if (agent === undefined || plain === undefined) throw new Error('the fixture has no agent');
  const workflow: WorkflowConfig = { name: 'cancel_orders', steps: of.steps, primary: of.primary ?? 'cancel' };
  const read = { operationType: 'read_only', requiresConfirmation: false } as const;
  const tools: readonly ToolConfig[] = [
    { ...plain, name: 'find_orders', ...read, requires: ['customer'] },
    { ...plain, name: 'cancel_one', timeoutMs: 1_500, requires: ['order_id'] },
    { ...plain, name: 'cancel_one_once', declaredIdempotent: false, timeoutMs: 800, requires: ['order_id'] },
    { ...plain, name: 'tell_customer', timeoutMs: 800 },
    {
      ...plain,
      ...read,
      name: 'ask_operation',
      mapping: { map: {}, defaults: {}, idempotencyArgument: 'idempotency_key' },
    },
    { ...plain, name: 'cancel_orders', timeoutMs: 4_000, workflow, ...of.tool },
  ];
  return {
    ...config,
    agents: { agent: { ...agent, tools: Object.fromEntries(tools.map((tool) => [tool.name, tool])) } },
  };
}
