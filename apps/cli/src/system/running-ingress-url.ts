import { type CliSettings } from '../config.ts';
import { progress } from '../terminal.ts';
import { ingressUrlOf } from './describe-system.ts';
import { findRunningSystem } from './running-file.ts';
import { systemOptionsFrom } from './system-options.ts';

/** Where the ingress of the system that runs here answers. @throws Error when none does. */
export function runningIngressUrl(settings: CliSettings): string {
  const { stateFolder } = systemOptionsFrom(settings, progress);
  const running = findRunningSystem(stateFolder);
  const url = running && ingressUrlOf(running);
  if (url !== undefined) return url;
  throw new Error('Nothing runs here. Start it with `npm start` in another terminal, or name an ingress with --url.');
}
