import path from 'node:path';

/** The root of the checkout: `apps/cli/src` and `apps/cli/dist` are equally deep in it. */
export const checkoutFolder = path.resolve(import.meta.dirname, '../../..');

/** An absolute path for one that a setting gives relative to the checkout. */
export function inCheckout(file: string): string {
  return path.resolve(checkoutFolder, file);
}
