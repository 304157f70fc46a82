export { accessFailures, type Endpoint } from './access-failures.ts';
export { echoesIn, tellTalesIn } from './echoes-in.ts';
export { eventually } from './eventually.ts';
export { findChromium } from './find-chromium.ts';
export { freshDatabase, type FreshDatabase } from './fresh-database.ts';
export { freshTopicPrefix } from './fresh-topic-prefix.ts';
export { type IdentityProvider, openIdentityProvider } from './identity-provider.ts';
export { testBrokers } from './integration-environment.ts';
export {
  defaultOf,
  type Dialogue,
  dialogueFiles,
  dialogueInputs,
  dialoguesIn,
  type DialogueTool,
  dialogueTools,
  type DialogueTurn,
  expectedOfTurn,
  outcomeOfTurn,
  type TurnOutcome,
} from './real-dialogues.ts';
export { processorMs } from './processor-ms.ts';
export { operationsOf, routesOf } from './routes-of.ts';
export { scopesOfOperations, scopesOfTable } from './scopes-of-operations.ts';
export { testDataKey, testKeyRing } from './test-key-ring.ts';
export { heardByAnybody, keyTricks, leaksIn, readPathsOf, tenantInCredential, type TenantRead } from './leaks-in.ts';
export { wrongCredentials } from './wrong-credentials.ts';
export { markOf, recordedConversation, twoTenants } from './recorded-conversation.ts';
