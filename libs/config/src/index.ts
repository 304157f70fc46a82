export { type ConfigProblem, formatProblems } from './config-problem.ts';
export { checkPlatformConfig, loadPlatformConfig } from './load-platform-config.ts';
export { childEnvironment, type Environment, readEnvironment } from './read-environment.ts';
export {
  authSetting,
  commonSettings,
  databaseSettings,
  listSetting,
  portSetting,
  serverSettings,
  wholeNumberSetting,
} from './settings.ts';
