import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import preset from './jest.preset.mjs';

/** One jest project per workspace package; the suffix of a spec says what it needs (unit: nothing, int: Postgres or Kafka, e2e: the whole system). */
const packages = ['apps', 'libs'].flatMap((room) =>
  readdirSync(path.join(import.meta.dirname, room))
    .map((name) => path.join(import.meta.dirname, room, name))
    .filter((folder) => existsSync(path.join(folder, 'package.json'))),
);

const suffix = process.env.LATCH_TEST_SUFFIX ?? '{unit,int,e2e}';

/** The end-to-end specs share one running system; `npm test -- e2e` asks for it. */
const system = {
  globalSetup: '<rootDir>/system.setup.mjs',
  globalTeardown: '<rootDir>/system.teardown.mjs',
};

/** How many random histories the model-based tests play: enough for a look after each change, and ten thousand where everything is proven. */
const histories = Number(process.env.LATCH_TEST_HISTORIES ?? (process.env.CI ? 10_000 : 300));

/** How many minutes the random run against the referee takes: a look after each change; who wants to know more gives it an hour. */
const longMinutes = Number(process.env.LATCH_TEST_LONG ?? 0.25);

export default {
  // How long a test may take is no property of the product: a machine that does other work is slow, and a test that hangs ends all the same.
  testTimeout: 30_000,
  projects: packages.map((rootDir) => ({
    ...preset,
    globals: { histories, longMinutes },
    displayName: path.basename(rootDir),
    rootDir,
    testMatch: [`<rootDir>/src/**/*.${suffix}.spec.ts`],
    ...(suffix === 'e2e' && path.basename(rootDir) === 'e2e' ? system : {}),
  })),
};
