import prometheus from 'prom-client';

/** Label values of one sample; each is a plain word from a bounded set, never a conversation, user or message id. */
export type Labels<Name extends string> = Readonly<Record<Name, string>>;

/** A number that only grows. A metric without labels takes `{}`. */
export type Counter<Name extends string> = { inc(labels: Labels<Name>, by?: number): void };

/** A number that goes up and down. */
export type Gauge<Name extends string> = { set(labels: Labels<Name>, value: number): void };

/** A distribution, in seconds. */
export type Histogram<Name extends string> = { observe(labels: Labels<Name>, seconds: number): void };

/** What a metric is called (without the `latch_` prefix), what it tells, and by what it is split. */
export type MetricDefinition<Name extends string> = {
  readonly name: string;
  readonly help: string;
  readonly labels: readonly Name[];
};

/** One more than this many values of a label, and the rest is counted as `other`: a caller's text cannot fill the memory. */
export const maxLabelValues = 100;
const maxLabelLength = 80;

/** From half a millisecond to a minute: a plain turn takes milliseconds, a tool call up to its deadline. */
const secondsBuckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** A counter that comes into being with its first sample. */
export function counter<Name extends string>(
  registry: prometheus.Registry,
  definition: MetricDefinition<Name>,
): Counter<Name> {
  const metric = lazily(() => new prometheus.Counter<string>(configurationOf(registry, definition)));
  const bound = boundLabels(definition.labels);
  return { inc: (labels, by = 1) => metric().inc(bound(labels), by) };
}

/** A gauge that comes into being with its first sample. */
export function gauge<Name extends string>(
  registry: prometheus.Registry,
  definition: MetricDefinition<Name>,
): Gauge<Name> {
  const metric = lazily(() => new prometheus.Gauge<string>(configurationOf(registry, definition)));
  const bound = boundLabels(definition.labels);
  return { set: (labels, value) => metric().set(bound(labels), value) };
}

/** A histogram of seconds that comes into being with its first sample. */
export function histogram<Name extends string>(
  registry: prometheus.Registry,
  definition: MetricDefinition<Name>,
): Histogram<Name> {
  const metric = lazily(
    () => new prometheus.Histogram<string>({ ...configurationOf(registry, definition), buckets: secondsBuckets }),
  );
  const bound = boundLabels(definition.labels);
  return { observe: (labels, seconds) => metric().observe(bound(labels), seconds) };
}

function configurationOf<Name extends string>(
  registry: prometheus.Registry,
  { name, help, labels }: MetricDefinition<Name>,
): { name: string; help: string; labelNames: string[]; registers: prometheus.Registry[] } {
  return { name: `latch_${name}`, help, labelNames: [...labels], registers: [registry] };
}

function lazily<T>(create: () => T): () => T {
  let created: T | undefined;
  return () => (created ??= create());
}

/** Lets only the declared labels through, and at most `maxLabelValues` values of each. */
function boundLabels<Name extends string>(names: readonly Name[]): (labels: Labels<Name>) => Record<string, string> {
  const known = new Map<string, Set<string>>(names.map((name) => [name, new Set<string>()]));
  return (labels) => Object.fromEntries(names.map((name) => [name, boundValue(known.get(name), String(labels[name]))]));
}

function boundValue(known: Set<string> | undefined, value: string): string {
  if (!known || known.has(value)) return value;
  if (known.size >= maxLabelValues || value.length > maxLabelLength) return 'other';
  known.add(value);
  return value;
}
