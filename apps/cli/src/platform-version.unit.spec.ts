import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { platformVersion } from '@latch/contracts';
import { inCheckout } from './checkout.ts';

describe('the version that every service tells', () => {
  it('is that of the root package.json', () => {
    const { version }: { version: unknown } = JSON.parse(readFileSync(inCheckout('package.json'), 'utf8'));
    expect(platformVersion).toBe(version);
  });
});
