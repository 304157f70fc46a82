import { parentPort, workerData } from 'node:worker_threads';
import { type StreamFilter } from '@latch/event-store';
import { jobOf, type Replayed } from './replay-job.ts';
import { receivedAccess, type ThreadAnswer, type ThreadData, type ThreadTask } from './replay-thread.ts';
import { reasonOf } from '../run-command.ts';
import { openAuditedStore } from './open-audited-store.ts';

// The entry of a worker of a replay: it opens the store with the auditor's role, and replays the stretches that it is given until it is told to end.
const { access, order }: ThreadData = workerData;
const opened = open();
opened.catch(() => undefined); // told with the first stretch
parentPort?.on('message', (task: ThreadTask) => void answer(task));

type Opened = { replay(stretch: StreamFilter): Promise<Replayed<unknown>>; close(): Promise<void> };

async function open(): Promise<Opened> {
  const store = await openAuditedStore(receivedAccess(access));
  const replay = jobOf(order).prepare(store);
  return { replay: (stretch) => replay(store.streams.read(stretch)), close: () => store.close() };
}

async function answer(task: ThreadTask): Promise<void> {
  try {
    const { replay, close } = await opened;
    if (task !== 'end') return post({ number: task.number, replayed: await replay(task.stretch) });
    await close();
  } catch (error) {
    post({ failed: reasonOf(error) });
  } finally {
    // Also when the store could not be opened or closed: as long as somebody listens, the thread lives.
    if (task === 'end') parentPort?.close();
  }
}

function post(said: ThreadAnswer<unknown>): void {
  parentPort?.postMessage(said);
}
