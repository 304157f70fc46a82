import { type ConfigReport } from '@latch/config';
import { mask } from '@latch/observability';
import { ConfigReports } from './config-reports.ts';
import { emitSignals } from './emit-signals.ts';
import { type ServiceGround } from './start-service.ts';

/** How a service tells operators what became of its changed files: on the bus, and counted. */
export function reportConfig({
  service,
  bus,
  logger,
  metrics,
}: Pick<ServiceGround, 'service' | 'bus' | 'logger' | 'metrics'>): (report: ConfigReport) => void {
  const reports = new ConfigReports(service, () => new Date().toISOString());
  return (told) => {
    const signal = reports.tell(masked(told));
    metrics.signals.inc({ type: signal.event_type });
    void emitSignals({ bus, logger }, [signal]);
  };
}

/** A problem quotes what the file says, and somebody may have written a secret into it (invariant I16). */
function masked(report: ConfigReport): ConfigReport {
  if (report.kind === 'applied') return report;
  return { ...report, problems: report.problems.map((problem) => ({ ...problem, message: mask(problem.message) })) };
}
