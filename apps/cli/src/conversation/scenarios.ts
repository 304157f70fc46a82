import { type Scenario } from './scenario.ts';
import { retailScenarios } from './scenarios.retail.ts';
import { telecomScenarios } from './scenarios.telecom.ts';

/** The conversations of the source documents, A to G, in their order. */
export const scenarios: readonly Scenario[] = [...retailScenarios, ...telecomScenarios].sort((a, b) =>
  a.id < b.id ? -1 : 1,
);
