import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually, findChromium } from '@latch/testing';
import { type Browser, chromium, type Page } from 'playwright-core';
import { z } from 'zod';
import {
  alarmSignal,
  deadLetter,
  openTestConsole,
  signal,
  storeOf,
  type TestConsole,
  transaction,
} from './test-console.features.ts';

/** Texts that become a program where a page takes text for HTML, a name for an attribute, or an address for a link. */
const hostile = {
  script: '<script>window.isHacked = true</script>',
  image: '"><img src=x onerror="window.isHacked = true">',
  svg: "'><svg/onload=window.isHacked=true>",
  address: 'javascript:window.isHacked=true',
  template: '{{constructor.constructor("window.isHacked = true")()}} ${window.isHacked = true}',
  turned: '\u202Eevil\u202C </pre></details><style>*{display:none}</style>',
};
const everything = Object.values(hostile).join(' ');

const truth = transaction({
  items: [
    { id: 'PED-1001', label: hostile.image, outcome: 'succeeded', reason: null, protocol: hostile.svg },
    { id: hostile.address, label: 'pedido PED-1002', outcome: 'failed', reason: hostile.script, protocol: null },
    { id: 'PED-1003', label: 'pedido PED-1003', outcome: 'unknown', reason: null, protocol: null },
  ],
  tool: hostile.template,
});

let browser: Browser;
let console: TestConsole;
let page: Page;
let complaints: string[];

beforeAll(async () => {
  browser = await chromium.launch({ executablePath: findChromium(), args: ['--no-sandbox'] });
}, 60_000);
afterAll(() => browser?.close());

beforeEach(async () => {
  console = await openTestConsole({
    store: {
      ...storeOf({ said: everything, answered: `Entendi: ${everything}`, transaction: truth }),
      verifyStream: () => {
        const problem = { kind: 'event_altered', version: 2, detail: `its hash ${hostile.image}` } as const;
        return Promise.resolve({ events: 3, unsealedEvents: 2, problem });
      },
    },
    before: [
      signal('hostile', { type: 'IC.TRANSACTION_ENDED', payload: { note: everything } }),
      alarmSignal('down', { problem: hostile.image }),
      deadLetter(everything),
    ],
  });
  page = await browser.newPage();
  await page.addInitScript({ path: path.join(import.meta.dirname, 'fixtures/page-probes.js') });
  complaints = [];
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.goto(`${console.url}/?tenant_id=acme`);
}, 30_000);
afterEach(async () => {
  await page.close();
  await console.close();
});

const textOf = (selector: string): Promise<string> => page.locator(selector).innerText();

async function openTransaction(): Promise<void> {
  await page.locator('#transactions button').first().click();
  await page.locator('#transaction').waitFor({ state: 'visible' });
}

describe('the page of the console', () => {
  it('shows live signals, raised alarms, transactions and dead letters, and complains of nothing', async () => {
    await eventually(async () => expect(await textOf('#connection')).toBe('Live'));
    await eventually(async () => expect(await textOf('#signals')).toContain('IC.TRANSACTION_ENDED'));
    await eventually(async () => expect(await textOf('#alarms')).toContain('major'));
    await eventually(async () => expect(await textOf('#transactions')).toContain('PARTIAL_SUCCESS'));
    await eventually(async () => expect(await textOf('#letters')).toContain('message.unparsable'));
    await console.publish(signal('now', { type: 'NOC.STATE_INCONSISTENT' }));
    await eventually(async () => expect(await textOf('#signals li:first-child')).toContain('NOC.STATE_INCONSISTENT'));
    expect(complaints).toEqual([]);
  });

  it('takes an alarm away when it is cleared', async () => {
    await eventually(async () => expect(await page.locator('#alarms li').count()).toBe(1));
    await console.publish(alarmSignal('down', { isCleared: true }));
    await page.locator('#alarms-empty').waitFor({ state: 'visible', timeout: 15_000 });
    expect(await page.locator('#alarms li').count()).toBe(0);
  }, 30_000);

  it('tells the truth about each item of a transaction, with chat and timeline', async () => {
    await openTransaction();
    const items = await page.locator('#items li').allInnerTexts();
    expect(items.map((item) => item.split(' ')[0])).toEqual(['succeeded', 'failed', 'unknown']);
    expect(items[1]).toContain('because:');
    expect(await textOf('#chat')).toContain('Latch: Entendi:');
    expect(await textOf('#timeline')).toContain('IC.TURN_RECEIVED');
  });

  it('proves a conversation when it is asked to, word by word, and says where something is wrong', async () => {
    await openTransaction();
    expect(await textOf('#proof')).toBe('');
    await page.locator('#prove').click();
    await eventually(async () => expect(await page.locator('#proof li').count()).toBe(3));
    const proof = await page.locator('#proof li').allInnerTexts();
    expect(proof[0]).toMatch(/^differs .*event 2: event_altered, its hash .*onerror.* \(3 events, 1 of them sealed\)$/);
    expect(proof[1]).toMatch(/^differs /);
    expect(proof[2]).toMatch(/^unreadable /);
    expect(await page.locator('#proof img').count()).toBe(0);
    await page.locator('#close-transaction').click();
    await openTransaction();
    expect(await textOf('#proof')).toBe('');
  });

  it('shows hostile text as text: nothing of it runs, and nothing of it becomes an element', async () => {
    await openTransaction();
    await ask('openDetails()');
    await eventually(async () => expect(await textOf('#signals')).toContain('onerror'));
    await eventually(async () => expect(await textOf('#letters')).toContain('<svg/onload='));
    expect(await textOf('#alarms')).toContain(hostile.image);
    expect(await textOf('#items')).toContain(hostile.script);
    expect(await textOf('#items')).toContain(hostile.svg);
    for (const text of Object.values(hostile)) expect(await page.locator('#chat').textContent()).toContain(text);
    expect(await page.locator('main img, main svg, main script, main style, main iframe, main a').count()).toBe(0);
    expect(await ask('isHacked()')).toBe(false);
    expect(complaints).toEqual([]);
  });

  it('forbids what a hostile text would need: inline scripts, other servers, frames', async () => {
    await ask('addScript()');
    expect(await ask('isHacked()')).toBe(false);
    expect(await ask('parseHtml()')).toBe('refused');
    expect(await ask("reaches('https://example.com/')")).toBe(false);
    const policy = (await console.get('/')).headers.get('content-security-policy');
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
  });

  it('can be used with the keyboard alone, and gives the focus back', async () => {
    await page.locator('#transactions button').first().waitFor();
    await page.keyboard.press('Tab');
    expect(await focused()).toBe('Skip to content');
    const button = page.locator('#transactions button').first();
    await button.focus();
    await page.keyboard.press('Enter');
    await eventually(async () => expect(await focused()).toBe('Transaction'));
    await page.locator('#close-transaction').focus();
    await page.keyboard.press('Enter');
    expect(await focused()).toBe('t-1');
  });

  it('has a name for every control, one language, one title, and headings in order', async () => {
    expect(await ask('nameless()')).toEqual([]);
    const levels = z.array(z.number()).parse(await ask('headingLevels()'));
    expect(levels[0]).toBe(1);
    expect(levels.every((level, index) => index === 0 || level - (levels[index - 1] ?? 0) <= 1)).toBe(true);
    expect(await ask('language()')).toEqual(['en', 'Latch console']);
  });

  it.each(['light', 'dark'] as const)(
    'can be read: every text stands out from its ground by 4.5 to 1 (%s)',
    async (colorScheme) => {
      await page.emulateMedia({ colorScheme });
      await openTransaction();
      const ratios = z.array(z.object({ text: z.string(), ratio: z.number() })).parse(await ask('contrasts()'));
      expect(ratios.length).toBeGreaterThan(20);
      expect(ratios.filter(({ ratio }) => ratio < 4.5)).toEqual([]);
    },
  );

  it('does not ask again for signals that it was refused for good', async () => {
    await eventually(async () => expect(await textOf('#connection')).toBe('Live'));
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.route('**/v1/signals/stream?*', (route) =>
      route.fulfill({
        status: 422,
        contentType: 'application/problem+json',
        body: '{"status":422,"code":"request.invalid"}',
      }),
    );
    await page.locator('#family').selectOption('NOC');
    await eventually(async () => expect(await textOf('#connection')).toBe('Not connected'));
    await eventually(() => expect(asked.filter((path) => path === '/v1/overview').length).toBeGreaterThan(0));
    expect(asked.filter((path) => path === '/v1/signals/stream')).toHaveLength(1);
  }, 20_000);

  it('says what is wrong when the console cannot read, and goes on when it can', async () => {
    await page.locator('#agent').fill('x'.repeat(64));
    await page.route('**/v1/transactions?*', (route) =>
      route.fulfill({
        status: 503,
        contentType: 'application/problem+json',
        body: '{"detail":"The store is away.","code":"store.unavailable"}',
      }),
    );
    await page.locator('#transactions-form button').click();
    await eventually(async () => expect(await textOf('#problem')).toBe('The store is away. (store.unavailable)'));
    await page.unroute('**/v1/transactions?*');
    await page.locator('#transactions-form button').click();
    await eventually(async () => expect(await page.locator('#problem').isHidden()).toBe(true));
  });
});

/** Asks the probes inside the page. */
function ask(probe: string): Promise<unknown> {
  return page.evaluate(`probes.${probe}`);
}

function focused(): Promise<unknown> {
  return ask('focused()');
}
