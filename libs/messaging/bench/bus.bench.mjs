// Latency and throughput of the bus over the Kafka of KAFKA_BROKERS: publish -> handled, 700-byte envelopes, acks = all.
//   npx tsc -b libs/messaging && node libs/messaging/bench/bus.bench.mjs 127.0.0.1:9092 [seconds per row]
import { randomBytes } from 'node:crypto';
import { KafkaBus } from '@latch/messaging';
import { createLogger } from '@latch/observability';

const [brokers = '127.0.0.1:9092', seconds = '5'] = process.argv.slice(2);
const topic = 'latch.signals.v1';
const padding = 'x'.repeat(640);

for (const users of [1, 32, 256]) {
  const logger = createLogger({ service: 'bench', level: 'silent' });
  const topicPrefix = `bench-${randomBytes(4).toString('hex')}-`;
  const bus = new KafkaBus({ brokers: brokers.split(','), clientId: 'bench', topicPrefix, partitions: 4, logger });
  await bus.ensureTopics();
  const waiting = new Map();
  let batches = 0;
  await bus.consume({
    groupId: 'bench',
    topics: [topic],
    handle: async (batch) => {
      batches += 1;
      for (const { headers } of batch) waiting.get(headers.ce_id)?.();
    },
    onCrash: (error) => {
      throw error;
    },
  });
  const once = async (key, id) => {
    const arrived = new Promise((resolve) => waiting.set(id, resolve));
    const value = JSON.stringify({ id, padding });
    await Promise.all([arrived, bus.publish([{ topic, key, eventId: id, value, headers: { ce_id: id } }])]);
    waiting.delete(id);
  };
  const measure = async (forMs) => {
    const latencies = [];
    const endsAt = performance.now() + forMs;
    const user = async (name) => {
      for (let n = 0; performance.now() < endsAt; n += 1) {
        const startedAt = performance.now();
        await once(`user-${name}`, `${name}-${n}-${startedAt}`);
        latencies.push(performance.now() - startedAt);
      }
    };
    await Promise.all(Array.from({ length: users }, (_, name) => user(name)));
    return latencies.sort((a, b) => a - b);
  };
  await measure(1_500);
  batches = 0;
  const cpu = process.cpuUsage();
  const startedAt = performance.now();
  const latencies = await measure(Number(seconds) * 1_000);
  const elapsedMs = performance.now() - startedAt;
  const used = process.cpuUsage(cpu);
  const at = (share) => latencies[Math.floor(latencies.length * share)].toFixed(2);
  const cpuMs = ((used.user + used.system) / 1_000 / latencies.length).toFixed(3);
  const perSecond = Math.round((latencies.length / elapsedMs) * 1_000);
  const perBatch = (latencies.length / batches).toFixed(1);
  process.stdout.write(
    `${users} users: ${perSecond} messages/s, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, ${cpuMs} CPU-ms per message, ${perBatch} per batch\n`,
  );
  await bus.close();
}
