import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { type EvidenceBundle } from '@latch/contracts';
import { findChromium } from '@latch/testing';
import { evidencePage } from './evidence-page.ts';

const attack = `<script>document.title='owned'</script><img src=x onerror="document.title='owned'">"'&`;

const bundle: EvidenceBundle = {
  transaction_id: attack,
  conversation_key: 'default:shop:s-1',
  tenant_id: 'default',
  agent_id: 'shop',
  exported_at: '2026-11-30T12:00:00.000Z',
  locale: 'pt-BR',
  events: [],
  head_hash: 'a'.repeat(64),
  transaction: {
    ...{ tool: attack, status: 'COMPLETED', rev: 1, outcome: 'SUCCESS' },
    ...{ started_at: '2026-11-30T12:00:00.000Z', ended_at: null },
  },
  items: [{ id: attack, label: attack, outcome: 'succeeded', protocol: attack, reason: attack }],
  turns: [
    {
      ...{
        turn_id: 't',
        message_id: 'm',
        sequence: 1,
        said_at: '2026-11-30T12:00:00.000Z',
        channel: 'web',
        said: attack,
      },
      answer: { sequence: 2, text: attack, answered_at: '2026-11-30T12:00:01.000Z' },
    },
  ],
};

/** What a real browser makes of the page. */
function rendered(page: string): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'latch-page-'));
  try {
    const file = path.join(folder, 'page.html');
    writeFileSync(file, page);
    const options = ['--headless', '--no-sandbox', '--disable-gpu', `--user-data-dir=${folder}`, '--dump-dom'];
    return execFileSync(findChromium(), [...options, `file://${file}`], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

describe('the evidence page', () => {
  const page = evidencePage(bundle);

  it('lets in nothing but its own style: no script, no picture, no form, no frame', () => {
    expect(page).toMatch(
      /Content-Security-Policy" content="default-src &#39;none&#39;; style-src &#39;sha256-[^&]+&#39;/,
    );
    expect(page).not.toMatch(/<(script|img|iframe|form|link|object)\b/);
    expect(page).not.toMatch(/<[^>]* on[a-z]+=/);
  });

  it('lets its own style in: the policy holds the hash of exactly what stands between the tags', () => {
    const [, style = ''] = /<style>([\s\S]*)<\/style>/.exec(page) ?? [];
    expect(page).toContain(`sha256-${createHash('sha256').update(style).digest('base64')}`);
  });

  it('shows the words of a user and a tool as words, whatever they are, in a real browser', () => {
    const dom = rendered(page);
    expect(dom).not.toContain('<title>owned</title>');
    expect(dom).not.toMatch(/<(script|img)\b/);
    expect(dom).toContain('&lt;script&gt;');
  }, 60_000);

  it('is in the language of the agent, and in English for one that it does not know', () => {
    expect(page).toContain('<html lang="pt-BR">');
    expect(page).toContain('A conversa em palavras');
    expect(evidencePage({ ...bundle, locale: 'fr' })).toContain('Conversation in words');
    expect(evidencePage({ ...bundle, locale: 'es' })).toContain('La conversación en palabras');
  });

  it('says when the file does not prove itself, and can be printed', () => {
    expect(page).toContain('NÃO se comprova');
    expect(page).toContain('@media print');
  });
});
