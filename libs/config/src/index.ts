export { type ApiKey, readApiKeys } from './read-api-keys.ts';
export { type AuthOptions, authOf, authSettings, type JwtOptions, type SigningKeysAt } from './auth-settings.ts';
export { type CertificateProblem, certificateProblem } from './certificate-problem.ts';
export { type ConfigProblem, formatProblems } from './config-problem.ts';
export { type ConfigReport } from './config-report.ts';
export { entriesIn } from './entries-in.ts';
export { type KafkaSecurity, kafkaSecurityOf, type KafkaSecuritySettings } from './kafka-security.ts';
export { kafkaSecuritySettings, withKafkaSecurityRules } from './kafka-security-settings.ts';
export { keyRingSetting } from './key-ring-setting.ts';
export { type KeyRing, openWithRing, parseKeyRing, type PersonalData, sealWithRing } from './key-ring.ts';
export { checkPlatformConfig, loadPlatformConfig, readPlatformOrThrow } from './load-platform-config.ts';
export { apiKeyPrefix, makeApiKey } from './make-api-key.ts';
export { loadPrivacyConfig, type PrivacyConfig } from './privacy-file.ts';
export { personalDataOf, personalDataSettings } from './personal-data-settings.ts';
export { childEnvironment, type Environment, readEnvironment, readEnvironmentOrThrow } from './read-environment.ts';
export { isScope, type Scope, scopeMeanings, scopes } from './scopes.ts';
export {
  commonSettings,
  databaseSettings,
  listSetting,
  portSetting,
  serverSettings,
  wholeNumberSetting,
} from './settings.ts';
export { type ServerEnvironment, serverEnvironments } from './server-environments.ts';
export { serverHeaders, serverHeaderSettings } from './server-headers.ts';
export { isSlowPattern } from './slow-pattern.ts';
