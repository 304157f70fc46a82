import { createHash } from 'node:crypto';
import { type EvidenceBundle, type Locale } from '@latch/contracts';
import { type Html, join, markup } from './markup.ts';
import { type PageTexts, pageTexts } from './page-texts.ts';
import { pageStyle } from './page-style.ts';
import { type BundleReport, verifyBundle } from './verify-bundle.ts';

/**
 * The evidence of a transaction for people: the chat, the items, the calls, the timeline, and whether the file proves itself. One page that needs nothing else:
 * no script, no picture, no font, and a policy that lets none in. Every word of the file is escaped: what a user or a tool wrote is shown and never run.
 */
export function evidencePage(bundle: EvidenceBundle, trustedKeys: readonly string[] = []): string {
  const locale = localeOf(bundle.locale);
  const words = pageTexts[locale];
  const report = verifyBundle(JSON.stringify(bundle), trustedKeys);
  const parts = [
    heading(bundle, words),
    proof(report, bundle, words),
    chat(bundle, words),
    items(bundle, words),
    calls(bundle, words),
    timeline(bundle, words),
  ];
  return markup`<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8" />
<meta http-equiv="Content-Security-Policy" content="${policy}" />
<meta name="viewport" content="width=device-width, initial-scale=1" />
<title>${words.title} ${bundle.transaction_id}</title>
<style>${pageStyle}</style>
</head>
<body>
${join(parts)}
<footer>${words.howToCheck}</footer>
</body>
</html>
`.text;
}

/** Only this very style sheet; nothing is loaded, run, framed or sent. */
const styleHash = createHash('sha256').update(pageStyle.text).digest('base64');
const policy = `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'`;

function heading({ transaction, ...bundle }: EvidenceBundle, words: PageTexts): Html {
  const rows: readonly (readonly [string, string | null | undefined])[] = [
    [words.transaction, bundle.transaction_id],
    [words.conversation, bundle.conversation_key],
    [words.tool, transaction?.tool],
    [words.status, transaction?.status],
    [words.outcome, transaction?.outcome],
    [words.started, transaction?.started_at],
    [words.ended, transaction?.ended_at],
    [words.exported, bundle.exported_at],
  ];
  return markup`<header>
<h1>${words.title}</h1>
<dl>
${join(
  rows.map(
    ([name, value]) =>
      markup`<dt>${name}</dt>
              <dd>${value ?? '-'}</dd>`,
  ),
)}
    </dl>
  </header>`;
}

function proof(report: BundleReport, bundle: EvidenceBundle, words: PageTexts): Html {
  const findings = report.findings.map(({ check, place, detail }) => markup`<li>${check}: ${place}: ${detail}</li>`);
  const seals = (bundle.seals ?? []).map(
    ({ seal }) =>
      markup`<dt>${words.seal} ${seal.number}</dt>
<dd>${seal.sealed_at} <code>${seal.hash}</code></dd>`,
  );
  return markup`<section class="${report.isGood ? 'good' : 'bad'}">
<h2>${words.proof}</h2>
<p>${report.isGood ? words.proved : words.notProved}</p>
${
  findings.length > 0
    ? markup`<ul>
            ${join(findings)}
          </ul>`
    : markup``
}
    <dl>
      <dt>${words.head}</dt>
      <dd><code>${bundle.head_hash}</code></dd>
      <dt>${words.configuration}</dt>
      <dd><code>${bundle.config_digest ?? '-'}</code></dd>
      ${join(seals)}
    </dl>
    ${seals.length === 0 ? markup`<p>${words.noSeal}</p>` : markup``}
  </section>`;
}

function chat({ turns = [] }: EvidenceBundle, words: PageTexts): Html {
  const told = turns.flatMap(({ said, inputs, said_at, answer }) => [
    bubble('user', words.user, { at: said_at, text: wordsOf(said, inputs, words) }),
    ...(answer ? [bubble('agent', words.agent, { at: answer.answered_at, text: answer.text ?? words.erased })] : []),
  ]);
  return markup`<section>
<h2>${words.chat}</h2>
${join(told)}
</section>`;
}

function wordsOf(said: string | null, inputs: unknown, { erased }: PageTexts): string {
  if (said === null) return erased;
  return said === '' && inputs !== null && inputs !== undefined ? JSON.stringify(inputs) : said;
}

function bubble(
  who: 'user' | 'agent',
  name: string,
  { at, text }: { readonly at: string; readonly text: string },
): Html {
  return markup`<div class="said ${who}">
<b>${name}</b> <time>${at}</time>
<p>${text}</p>
</div>`;
}

function items({ items: all = [] }: EvidenceBundle, words: PageTexts): Html {
  if (all.length === 0) return markup``;
  const outcomes: Readonly<Record<string, string>> = words;
  const rows = all.map(
    ({ id, label, outcome, protocol, reason }) =>
      markup`<tr>
<td>${label ?? id}</td>
<td>${outcomes[outcome] ?? outcome}</td>
<td>${protocol ?? ''}</td>
<td>${reason ?? ''}</td>
</tr>`,
  );
  return markup`<section>
<h2>${words.items}</h2>
${table([words.item, words.outcome, words.protocol, words.reason], rows)}
</section>`;
}

function calls({ receipts = [] }: EvidenceBundle, words: PageTexts): Html {
  if (receipts.length === 0) return markup``;
  const rows = receipts.map(
    ({ tool, purpose, attempts, status, idempotency_key: key }) =>
      markup`<tr>
<td>${tool}</td>
<td>${purpose}</td>
<td>${attempts.length}</td>
<td>${status}</td>
<td><code>${key}</code></td>
</tr>`,
  );
  const names = [words.tool, words.purpose, words.attempts, words.status, 'idempotency key'];
  return markup`<section>
<h2>${words.calls}</h2>
${table(names, rows)}
</section>`;
}

function timeline({ events, chain }: EvidenceBundle, words: PageTexts): Html {
  const types = new Map((chain?.links ?? []).map(({ sequence, type }) => [sequence, type]));
  const rows = events.map(
    ({ envelope: { sequence = 0, timestamp, event_type: type }, hash }) =>
      markup`<tr>
<td>${sequence}</td>
<td>${timestamp}</td>
<td>${types.get(sequence) ?? type}</td>
<td><code>${hash.slice(0, 16)}</code></td>
</tr>`,
  );
  return markup`<section>
<h2>${words.timeline}</h2>
${table(['#', words.at, words.event, words.hash], rows)}
</section>`;
}

function table(names: readonly string[], rows: readonly Html[]): Html {
  return markup`<table>
<thead>
<tr>
${join(names.map((name) => markup`<th>${name}</th>`))}
      </tr>
    </thead>
    <tbody>
      ${join(rows)}
    </tbody>
  </table>`;
}

function localeOf(locale: string | undefined): Locale {
  return locale === 'pt-BR' || locale === 'es' ? locale : 'en';
}
