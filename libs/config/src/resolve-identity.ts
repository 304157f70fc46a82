import { type IdentityConfig } from '@latch/contracts';
import { type IdentityFile, type IdentityRules } from './identity-file.ts';
import { recordOf } from './resolve-tools.ts';

/** Lays an agent's own `identity.yaml` over the shared one, key by key. Null when no file says anything. */
export function resolveIdentity(layers: readonly (IdentityFile | null)[]): IdentityConfig | null {
  const files = layers.filter((layer) => layer !== null);
  const channels = new Set(files.flatMap((file) => Object.keys(file.channels)));
  const identity = {
    everywhere: overlay(files.map((file) => file.everywhere)),
    channels: recordOf(
      [...channels].map((channel) => [
        channel,
        overlay(files.flatMap((file) => (Object.hasOwn(file.channels, channel) ? [file.channels[channel]] : []))),
      ]),
    ),
  };
  const isEmpty = Object.keys(identity.everywhere).length + channels.size === 0;
  return isEmpty ? null : identity;
}

function overlay(rules: readonly (IdentityRules | undefined)[]): IdentityRules {
  return recordOf(rules.flatMap((layer) => Object.entries(layer ?? {})));
}
