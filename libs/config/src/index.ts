export { childEnvironment, type Environment, readEnvironment } from './read-environment.ts';
export {
  commonSettings,
  databaseSettings,
  listSetting,
  portSetting,
  serverSettings,
  wholeNumberSetting,
} from './settings.ts';
