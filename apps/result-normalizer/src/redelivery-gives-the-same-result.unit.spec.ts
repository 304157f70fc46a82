import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type BusMessage, deterministicId, EventEnvelope, ToolResult, topics } from '@latch/contracts';
import { consumeBatch, makeEnvelope, MemoryBus, type Received, toBusMessage } from '@latch/messaging';
import { createLogger, createMetrics, type RunningService } from '@latch/observability';
import { eventually } from '@latch/testing';
import { resultNormalizerSettings } from './config.ts';
import { normalize } from './normalize.ts';
import { startResultNormalizer } from './start.ts';

const logger = createLogger({ service: 'spec', level: 'silent' });

function executionMessage(result: unknown, more: Record<string, unknown> = {}): BusMessage {
  const envelope = makeEnvelope({
    eventType: 'IC.TOOL_EXECUTED',
    payload: {
      invocation_id: 'inv-1',
      invocation: {
        tenant_id: 't',
        agent_id: 'a',
        tool_name: 'cancel',
        arguments: {},
        operation_type: 'transactional',
        ...more,
      },
      outcome: { kind: 'result', result },
      attempts: [],
      latency_ms: 5,
    },
    contractVersion: 'tool-execution-v1',
    tenantId: 't',
    agentId: 'a',
    sessionId: 's',
    conversationKey: 't:a:s',
    traceId: 'trace-1',
    eventId: 'execution-1',
    transactionId: 'tx-1',
    producer: 'tool-executor',
    timestamp: '2026-11-30T12:00:00.000Z',
  });
  return toBusMessage(topics.toolExecutions, envelope, { traceparent: '00-aa-bb-01' });
}

function received(message: BusMessage): Received {
  const { payload, ...envelope } = EventEnvelope.parse(JSON.parse(message.value));
  const record = {
    topic: message.topic,
    partition: 0,
    offset: '0',
    key: message.key,
    value: Buffer.from(message.value),
    headers: message.headers,
    timestampMs: 0,
  };
  return { record, envelope: { ...envelope, payload, event_id: 'execution-1', conversation_key: 't:a:s' }, payload };
}

describe('an execution that is delivered twice', () => {
  const message = executionMessage({
    structuredContent: {
      results: [
        { id: 'A', success: true },
        { id: 'B', success: false },
      ],
    },
  });

  it('gives the same bytes twice, under an id that is derived from the execution', () => {
    const [first] = normalize(received(message)).messages;
    expect(normalize(received(message)).messages).toEqual([first]);
    expect(first).toMatchObject({
      topic: topics.toolResults,
      key: 't:a:s',
      eventId: deterministicId('tool-result', 'execution-1'),
    });
    expect(first?.headers.traceparent).toBe('00-aa-bb-01');
  });

  it('names its cause and its transaction', () => {
    const [first] = normalize(received(message)).messages;
    const envelope = EventEnvelope.parse(JSON.parse(first?.value ?? ''));
    expect(envelope).toMatchObject({
      event_type: 'IC.TOOL_COMPLETED',
      causation_id: 'execution-1',
      transaction_id: 'tx-1',
      contract_version: 'tool-result-v1',
    });
    expect(ToolResult.parse(envelope.payload)).toMatchObject({
      multi_item_status: 'PARTIAL_SUCCESS',
      invocation_id: 'inv-1',
    });
  });
});

describe('an answer that breaks the contract', () => {
  it('is told to the NOC, beside the result', () => {
    const items = [
      { id: 'A', label: 'A' },
      { id: 'B', label: 'B' },
    ];
    const { messages } = normalize(received(executionMessage({ structuredContent: { done: true } }, { items })));
    expect(messages.map(({ topic }) => topic)).toEqual([topics.toolResults, topics.signals]);
    expect(EventEnvelope.parse(JSON.parse(messages[1]?.value ?? ''))).toMatchObject({
      event_type: 'NOC.INVALID_TOOL_RESULT',
      payload: { tool_name: 'cancel', outcome: 'UNKNOWN' },
    });
  });
});

describe('an answer that is nearly too large for the bus', () => {
  it('keeps its verdict and its counts and leaves the copies out', () => {
    const results = Array.from({ length: 400 }, (_, id) => ({
      id: `I${id}`,
      success: id % 2 === 0,
      blob: 'x'.repeat(2_400),
    }));
    const { messages, result } = normalize(received(executionMessage({ structuredContent: { results } })));
    expect(Buffer.byteLength(messages[0]?.value ?? '')).toBeLessThanOrEqual(1_048_576);
    expect(result.metadata?.multi_item).toMatchObject({ items_count: 400, items_succeeded_count: 200 });
    expect(result.items).toHaveLength(400);
    expect(result.data_omitted).toBe('items');
  });
});

describe('the running normalizer', () => {
  let bus: MemoryBus;
  let service: RunningService;

  beforeEach(async () => {
    bus = new MemoryBus({ partitions: 2, logger });
    const settings = resultNormalizerSettings.parse({
      LATCH_BUS: 'memory',
      LATCH_HTTP_PORT: '0',
      LATCH_LOG_LEVEL: 'silent',
    });
    service = await startResultNormalizer(settings, { bus, logger });
  });

  afterEach(async () => {
    await service.stop();
    await bus.close();
  });

  it('turns executions into results, in order, and is ready', async () => {
    const seen: Received[] = [];
    const metrics = createMetrics({ service: 'spec', version: '0' });
    await consumeBatch({
      bus,
      service: 'spec',
      groupId: 'spec',
      topics: [topics.toolResults],
      logger,
      metrics,
      onCrash: () => {},
      handle: async (batch) => void seen.push(...(await Promise.resolve(batch))),
    });
    const message = executionMessage({ content: [{ type: 'text', text: '[]' }] });
    await bus.publish([message, message]);
    await eventually(() => expect(seen).toHaveLength(2));
    expect(seen[0]?.envelope.event_id).toBe(seen[1]?.envelope.event_id);
    expect((await fetch(`${service.url}/ready`)).status).toBe(200);
  });
});
