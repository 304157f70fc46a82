// Jest runs this once after all end-to-end specs.

/** Stops what the setup started and drops its database. */
export default async function teardown() {
  const { system, database } = globalThis.latchEndToEnd;
  await system.stop();
  await database?.drop();
}
