import { z } from 'zod';
import { type KeyRing, parseKeyRing } from './key-ring.ts';

/** A setting of the secret environment that holds keys: `id:base64[,id:base64]`, 32 bytes each, or one key without an id. Not set: undefined. */
export function keyRingSetting(): z.ZodOptional<z.ZodPipe<z.ZodString, z.ZodTransform<KeyRing, string>>> {
  return z
    .string()
    .transform((text, context): KeyRing => {
      const ring = parseKeyRing(text);
      if (ring.ok) return ring.value;
      context.addIssue({ code: 'custom', message: ring.error });
      return z.NEVER;
    })
    .optional();
}
