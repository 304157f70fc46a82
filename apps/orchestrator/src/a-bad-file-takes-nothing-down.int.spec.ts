import { randomUUID } from 'node:crypto';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readEnvironment } from '@latch/config';
import { type Alarm, ChannelResponse, EventEnvelope, GatewayRequest, topics, turnIdOf } from '@latch/contracts';
import { migrate } from '@latch/event-store';
import { makeEnvelope, MemoryBus, toBusMessage } from '@latch/messaging';
import { createLogger, type RunningService } from '@latch/observability';
import { eventually, freshDatabase } from '@latch/testing';
import { orchestratorSettings } from './config.ts';
import { startOrchestrator } from './start.ts';

const logger = createLogger({ service: 'orchestrator', level: 'silent' });
const samples = fileURLToPath(new URL('../../../deploy/config', import.meta.url));

let folder: string;
let database: Awaited<ReturnType<typeof freshDatabase>>;
let bus: MemoryBus;
let service: RunningService;
const seen: EventEnvelope[] = [];

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'latch-reload-'));
  await cp(samples, folder, { recursive: true });
  database = await freshDatabase();
  await migrate(database.url);
  bus = new MemoryBus({ partitions: 1, logger });
  await bus.ensureTopics();
  await bus.consume({
    groupId: 'spec',
    topics: [topics.signals, topics.responses],
    handle: (batch) =>
      Promise.resolve(void seen.push(...batch.map(({ value }) => EventEnvelope.parse(JSON.parse(String(value)))))),
    onCrash: () => undefined,
  });
  const settings = readEnvironment(orchestratorSettings, {
    DATABASE_URL: database.url,
    LATCH_CONFIG_DIR: folder,
    LATCH_BUS: 'memory',
    LATCH_HTTP_PORT: '0',
    LATCH_CONFIG_POLL_MS: '50',
    LATCH_PERSONAL_DATA: 'clear',
  });
  if (!settings.ok) throw new Error(settings.error);
  service = await startOrchestrator(settings.value, { bus, logger });
});
afterAll(async () => {
  await service.stop();
  await bus.close();
  await database.drop();
  await rm(folder, { recursive: true });
});

async function write(file: string, change: (text: string) => string): Promise<void> {
  const place = path.join(folder, file);
  await writeFile(place, change(await readFile(place, 'utf8')));
}

const told = (type: string): readonly EventEnvelope[] => seen.filter(({ event_type }) => event_type === type);

/** What the agent answers to somebody who has never said anything before. */
async function answerTo(message: string): Promise<string> {
  const sessionId = randomUUID();
  const conversationKey = `default:retail_orders:${sessionId}`;
  const payload = { message, session_id: sessionId, message_id: 'm-1', user_id: 'ana' };
  const request = GatewayRequest.parse({ channel: 'web', tenant_id: 'default', agent_id: 'retail_orders', payload });
  const turn = makeEnvelope({
    eventType: 'IC.GATEWAY_RECEIVED',
    eventId: turnIdOf({ conversationKey, channel: 'web', userId: 'ana', messageId: 'm-1' }),
    payload: request,
    contractVersion: 'gateway-request-v1',
    tenantId: 'default',
    agentId: 'retail_orders',
    sessionId,
    conversationKey,
    traceId: 'trace-1',
    producer: 'spec',
    timestamp: new Date().toISOString(),
  });
  await bus.publish([toBusMessage(topics.turns, turn)]);
  const answers = (): readonly EventEnvelope[] =>
    told('IC.AGENT_COMPLETED').filter(({ conversation_key }) => conversation_key === conversationKey);
  await eventually(() => expect(answers()).toHaveLength(1));
  return ChannelResponse.parse(answers()[0]?.payload).text;
}

const alarmOf = (event: EventEnvelope | undefined): Partial<Alarm> => Object(event?.payload['alarm']);

describe('a running orchestrator whose configuration folder changes', () => {
  it('goes on with the last good files when the new ones have mistakes, and says so', async () => {
    const before = await answerTo('quero cancelar pedido');
    await write('tools.yaml', (text) => `${text}\nnot yaml: [`);
    await eventually(() => expect(told('NOC.CONFIG_REJECTED')).toHaveLength(1));
    expect(JSON.stringify(told('NOC.CONFIG_REJECTED')[0]?.payload['problems'])).toContain('tools.yaml');
    expect(await answerTo('quero cancelar pedido')).toBe(before);
    const ready = await fetch(`${service.url}/ready`);
    expect(ready.status).toBe(200);
  });

  it('uses the corrected files without a restart, and clears the alarm', async () => {
    await write('tools.yaml', (text) =>
      text.replace('\nnot yaml: [', '').replaceAll('o número do pedido', 'o código da compra'),
    );
    await eventually(() => expect(told('NOC.CONFIG_APPLIED')).toHaveLength(1));
    const [raised, cleared] = [told('NOC.CONFIG_REJECTED')[0], told('NOC.CONFIG_APPLIED')[0]];
    expect(alarmOf(cleared).alarm_id).toBe(alarmOf(raised).alarm_id);
    expect(cleared?.severity).toBe('cleared');
    expect(await answerTo('quero cancelar pedido')).toMatch(/código da compra/);
  });

  it('tells how many transactions are open, and that no stored state differs from its events', async () => {
    const metrics = await (await fetch(`${service.url}/metrics`)).text();
    expect(metrics).toMatch(/latch_transactions_active\{status="EXECUTING",service="orchestrator"\} \d+/);
    expect(metrics).toMatch(/latch_fold_mismatch_total\{service="orchestrator"\} 0/);
    expect(metrics).toMatch(/latch_signals_total\{type="NOC.CONFIG_REJECTED",service="orchestrator"\} 1/);
  });
});
