import pc from 'picocolors';
import { type CliSettings } from '../config.ts';
import { eventLine } from '../conversation/event-line.ts';
import { playScenario, type PlayedStep, type ScenarioReport } from '../conversation/play-scenario.ts';
import { type Scenario } from '../conversation/scenario.ts';
import { scenarios } from '../conversation/scenarios.ts';
import { sideBySide } from '../conversation/side-by-side.ts';
import { SystemControl } from '../conversation/system-control.ts';
import { startOptionsFrom } from '../system/system-options.ts';
import { withSystem } from '../system/with-system.ts';
import { print, progress } from '../terminal.ts';

/** Options of `latch demo`. */
export type DemoOptions = { readonly only?: string; readonly json?: boolean };

/** How wide the two columns are: the chat gets what it needs, the timeline the rest of the terminal. */
const terminalWidth = Math.max(process.stdout.columns ?? 150, 100);
const widths = { left: Math.min(66, Math.floor(terminalWidth * 0.45)), total: terminalWidth };

/**
 * `latch demo`: plays the conversations of the source documents through HTTP and shows each as a chat with the evidence timeline beside it. Fails unless
 * every expectation held.
 */
export async function demo(settings: CliSettings, { only, json = false }: DemoOptions): Promise<void> {
  const chosen = scenarios.filter(({ id }) => only === undefined || only.toUpperCase().split(',').includes(id));
  if (chosen.length === 0)
    throw new Error(`There is no conversation ${only}. There are: ${scenarios.map(({ id }) => id).join(', ')}`);
  const options = startOptionsFrom(settings, progress);
  const reports = await withSystem(options, () => playAll(chosen, new SystemControl(options.stateFolder), !json));
  if (json) print(JSON.stringify(reports, undefined, 2));
  else summarize(reports);
  if (reports.some(({ ok }) => !ok)) process.exitCode = 1;
}

async function playAll(
  chosen: readonly Scenario[],
  system: SystemControl,
  isShown: boolean,
): Promise<ScenarioReport[]> {
  const show = isShown ? print : (): void => undefined;
  const reports: ScenarioReport[] = [];
  for (const scenario of chosen) {
    show(`\n${pc.bold(`${scenario.id}. ${scenario.title}`)}`);
    const report = await playScenario(scenario, system, (step) => stepLines(step).forEach(show));
    for (const problem of report.problems) show(pc.red(`  ✗ ${problem}`));
    show(verdictLine(report));
    reports.push(report);
  }
  return reports;
}

function stepLines(step: PlayedStep): readonly string[] {
  const chat = step.status === null && step.answer === null ? [`***    ${step.did}`] : [`user>  ${step.did}`];
  if (step.answer !== null)
    chat.push(...step.answer.split('\n').map((line, index) => (index === 0 ? 'latch> ' : '       ') + line));
  if (step.status !== null) chat.push(`       [${step.status}]`);
  return [
    ...sideBySide(chat, step.events.map(eventLine), widths),
    ...step.problems.map((problem) => pc.red(`  ✗ ${problem}`)),
  ];
}

function verdictLine({ ok, seconds }: ScenarioReport): string {
  return `${ok ? pc.green('  ✓ everything held') : pc.red('  ✗ did not hold')} ${pc.dim(`(${seconds.toFixed(1)} s)`)}`;
}

function summarize(reports: readonly ScenarioReport[]): void {
  const held = reports.filter(({ ok }) => ok).length;
  print();
  for (const { id, title, ok } of reports) print(`${ok ? pc.green('held    ') : pc.red('not held')} ${id}. ${title}`);
  print(`\n${held} of ${reports.length} conversations held`);
}
