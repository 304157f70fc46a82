import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { type CatalogueEntry, eventCatalogue } from '@latch/contracts';
import { parse } from 'yaml';
import { z } from 'zod';
import { inCheckout } from '../checkout.ts';

const Rules = z.object({
  groups: z.array(
    z.object({
      rules: z.array(
        z.object({
          alert: z.string(),
          expr: z.string(),
          labels: z.object({ severity: z.string() }),
          annotations: z.object({ summary: z.string(), runbook: z.string() }),
        }),
      ),
    }),
  ),
});

const rules = Rules.parse(parse(readFileSync(inCheckout('deploy/observability/alerts.yaml'), 'utf8'))).groups.flatMap(
  (group) => group.rules,
);
const runbook = readFileSync(inCheckout('docs/reference/runbook.md'), 'utf8');
const metrics = readFileSync(inCheckout('libs/observability/src/metrics.ts'), 'utf8');
const entries: readonly (readonly [string, CatalogueEntry])[] = Object.entries(eventCatalogue);

describe('the event catalogue', () => {
  it.each(entries.filter(([, { runbook: anchor }]) => anchor !== null))('has a runbook for %s', (_, entry) => {
    expect(runbook).toContain(`\n## ${entry.runbook}\n`);
  });

  it.each(entries.filter(([, { alert }]) => alert !== null))('has an alert for %s', (_, entry) => {
    const rule = rules.find(({ alert }) => alert === entry.alert);
    expect(rule?.labels.severity).toBe(entry.severity);
    expect(rule?.annotations.runbook).toBe(`docs/reference/runbook.md#${entry.runbook}`);
  });
});

describe('the alert rules', () => {
  /** Some conditions are seen in a metric and told by no event, such as a month for which no partition was made. */
  it.each(rules)('lead to a runbook entry: $alert', ({ annotations }) => {
    const [page, anchor] = annotations.runbook.split('#');
    expect(page).toBe('docs/reference/runbook.md');
    expect(runbook).toContain(`\n## ${anchor}\n`);
  });

  it('ask only for metrics that the services have', () => {
    for (const name of rules.flatMap(({ expr }) => expr.match(/latch_\w+/g) ?? [])) {
      expect(metrics).toContain(`'${name.replace(/^latch_/, '')}'`);
    }
  });
});
