export { freePorts, type Ports } from './system/ports.ts';
export { readRunningState, type RunningState } from './system/running-file.ts';
export { type ServiceName, serviceNames } from './system/services.ts';
export { type RunningSystem, type StartOutcome, startSystem } from './system/start-system.ts';
export { type SystemOptions } from './system/system-options.ts';
