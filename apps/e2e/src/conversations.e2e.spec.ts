import { describe, expect, it, jest } from '@jest/globals';
import { playScenario, scenarios } from '@latch/cli';
import { systemUnderTest } from './system-under-test.ts';

jest.setTimeout(120_000);

describe('the conversations of the source documents', () => {
  it.each(scenarios.map((scenario) => [scenario.id, scenario.title, scenario] as const))(
    '%s: %s',
    async (_id, _title, scenario) => {
      const report = await playScenario(scenario, systemUnderTest().control);
      const problems = [...report.steps.flatMap((step) => step.problems), ...report.problems];
      expect(problems).toEqual([]);
    },
  );
});
