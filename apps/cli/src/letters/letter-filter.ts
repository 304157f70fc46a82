import { instantOption, wholeNumberOption } from '../run-command.ts';
import { type Letter } from './letter.ts';

/** Options that choose letters. */
export type FilterOptions = {
  readonly topic?: string;
  readonly code?: string;
  readonly tenant?: string;
  readonly since?: string;
  readonly until?: string;
  readonly limit?: string;
};

/** Which letters are meant; what is undefined does not matter. */
export type LetterFilter = {
  readonly topic?: string | undefined;
  readonly code?: string | undefined;
  readonly tenant?: string | undefined;
  /** Given up at this instant or later, UTC. */
  readonly since?: string | undefined;
  /** Given up before this instant, UTC. */
  readonly until?: string | undefined;
};

/** @throws Error that names the option which is wrong. */
export function filterOf({ topic, code, tenant, ...times }: FilterOptions): LetterFilter {
  const [since, until] = [instantOption('since', times.since), instantOption('until', times.until)];
  if (since !== undefined && until !== undefined && since >= until) throw new Error('--since must be before --until');
  return { topic, code, tenant, since, until };
}

/** Whether a filter leaves anything out. */
export function isEmptyFilter(filter: LetterFilter): boolean {
  return Object.values(filter).every((value) => value === undefined);
}

/** How many letters at the most. @throws Error that names the option. */
export function limitOf({ limit }: FilterOptions, byDefault: number): number {
  return wholeNumberOption('limit', limit, 1) ?? byDefault;
}

/** Whether a letter is meant. */
export function isMeant({ content, envelope }: Letter, { topic, code, tenant, since, until }: LetterFilter): boolean {
  const at = new Date(content.failed_at).toISOString();
  return (
    (topic === undefined || content.source.topic === topic) &&
    (code === undefined || content.reason.code === code) &&
    (tenant === undefined || envelope.tenant_id === tenant) &&
    (since === undefined || at >= since) &&
    (until === undefined || at < until)
  );
}
