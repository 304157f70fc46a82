import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { authSettings } from '@latch/config';
import { eventually, findChromium, type IdentityProvider, openIdentityProvider } from '@latch/testing';
import { type Browser, chromium, type Page } from 'playwright-core';
import { openTestConsole, signal, storeOf, type TestConsole, transaction } from './test-console.features.ts';

let browser: Browser;
let provider: IdentityProvider;
let console: TestConsole;
let page: Page;
let asked: string[];

beforeAll(async () => {
  browser = await chromium.launch({ executablePath: findChromium(), args: ['--no-sandbox'] });
  provider = await openIdentityProvider();
}, 60_000);
afterAll(async () => {
  await browser?.close();
  await provider.close();
});

beforeEach(async () => {
  console = await openTestConsole({
    settings: authSettings.parse({
      ...{ ...provider.environment, LATCH_AUTH: 'jwt', LATCH_JWT_TOLERANCE_SECONDS: '0' },
    }),
    store: storeOf({ said: 'oi', answered: 'Olá', transaction: transaction({ items: [], tool: 'cancel_orders' }) }),
    before: [signal('one'), signal('of another', { tenantId: 'rival', type: 'NOC.STATE_INCONSISTENT' })],
  });
  page = await browser.newPage();
  asked = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.goto(console.url);
  await page.locator('#sign-in-form').waitFor({ state: 'visible' });
}, 30_000);
afterEach(async () => {
  await page.close();
  await console.close();
});

const textOf = (selector: string): Promise<string> => page.locator(selector).innerText();

async function signIn(credential: string): Promise<void> {
  await page.locator('#credential').fill(credential);
  await page.locator('#sign-in-form button').click();
}

const token = (parts: { readonly scope?: string; readonly expiresInSeconds?: number } = {}): Promise<string> => {
  const { scope = 'operate', expiresInSeconds = 300 } = parts;
  return provider.token({ claims: { scope }, expiresInSeconds });
};

describe('the page of a console that knows its callers', () => {
  it('shows nothing before somebody has signed in', async () => {
    expect(await page.locator('#content').isHidden()).toBe(true);
    expect(await page.locator('#sign-in-problem').isHidden()).toBe(true);
    expect(await page.evaluate('document.activeElement.id')).toBe('credential');
  });

  it('shows the tenant of the credential, live, and nothing of another', async () => {
    await signIn(await token());
    await eventually(async () => expect(await textOf('#connection')).toBe('Live'));
    await eventually(async () => expect(await textOf('#signals')).toContain('IC.TRANSACTION_STARTED'));
    expect(await page.locator('#tenant').inputValue()).toBe('acme');
    expect(await page.locator('#problem').isHidden()).toBe(true);
    await console.publish(signal('now', { type: 'NOC.MCP_TIMEOUT' }));
    await eventually(async () => expect(await textOf('#signals li:first-child')).toContain('NOC.MCP_TIMEOUT'));
    expect(await textOf('#signals')).not.toContain('NOC.STATE_INCONSISTENT');
  });

  it.each([
    ['garbage', 'garbage', 'auth.invalid'],
    ['a token without the scope', 'read', 'The credential lacks the scope operate. (auth.forbidden)'],
  ])('says why it takes no %s, and takes another', async (_, wrong, problem) => {
    await signIn(wrong === 'read' ? await token({ scope: 'read' }) : wrong);
    await eventually(async () => expect(await textOf('#sign-in-problem')).toContain(problem));
    expect(await page.locator('#content').isHidden()).toBe(true);
    await signIn(await token());
    await eventually(async () => expect(await textOf('#connection')).toBe('Live'));
  });

  it('hides what it has shown when the token expires, and goes on with another', async () => {
    await signIn(await token({ expiresInSeconds: 4 }));
    await eventually(async () => expect(await textOf('#connection')).toBe('Live'));
    await page.locator('#sign-in-form').waitFor({ state: 'visible', timeout: 15_000 });
    expect(await textOf('#sign-in-problem')).toContain('auth.expired');
    expect(await page.locator('#content').isHidden()).toBe(true);
    await signIn(await token());
    await eventually(async () => expect(await textOf('#connection')).toBe('Live'));
  }, 40_000);

  it('keeps the credential in the page alone: in no address, no storage and no field, and forgets it with the page', async () => {
    const credential = await token();
    await signIn(credential);
    await eventually(async () => expect(await textOf('#connection')).toBe('Live'));
    const stored = await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])');
    expect(stored).toBe('[{},{},""]');
    expect(await page.locator('#credential').inputValue()).toBe('');
    expect(asked.filter((address) => address.includes(credential))).toEqual([]);
    await page.locator('#sign-out').click();
    await page.locator('#sign-in-form').waitFor({ state: 'visible' });
    expect(await page.locator('#content').isHidden()).toBe(true);
  });
});
