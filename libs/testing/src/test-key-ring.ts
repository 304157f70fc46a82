import { type KeyRing } from '@latch/config';

/** A key ring for tests: every test seals personal data, as an installation does. */
export const testKeyRing: KeyRing = { current: 'test', keys: new Map([['test', Buffer.alloc(32, 7)]]) };

/** The same as the environment variable `LATCH_DATA_KEY` has it, for a process that a test starts. */
export const testDataKey = `test:${Buffer.alloc(32, 7).toString('base64')}`;
