import { createServer } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { assertPortsAreFree } from './assert-ports-are-free.ts';
import { freePorts, portNames, portsFrom, takenPorts } from './ports.ts';
import { type SystemOptions } from './system-options.ts';

const optionsOn = (ports: SystemOptions['ports'], more: Partial<SystemOptions> = {}): SystemOptions => ({
  stateFolder: '/nowhere',
  ports,
  brokers: [],
  kafka: 'auto',
  databaseUrl: undefined,
  mode: 'processes',
  configFolder: '/nowhere',
  topicPrefix: '',
  onProgress: () => undefined,
  ...more,
});

describe('the ports of an installation', () => {
  it('stand at a fixed distance from the base, except for those that are set one by one', () => {
    const ports = portsFrom(28_000, { evaluator: 5000 });
    expect(ports).toMatchObject({ ingress: 28_000, orchestrator: 28_001, evaluator: 5000, postgres: 28_432 });
    expect(new Set(Object.values(ports)).size).toBe(portNames.length);
  });

  it('are told apart into free and taken', async () => {
    const ports = await freePorts();
    const server = createServer().listen(ports.orchestrator, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    expect(await takenPorts(ports, portNames)).toEqual(['orchestrator']);
    await expect(assertPortsAreFree(optionsOn(ports))).rejects.toThrow(
      new RegExp(
        `A port is taken.*${ports.orchestrator} \\(orchestrator; choose another with LATCH_PORT_ORCHESTRATOR`,
        's',
      ),
    );
    server.close();
  });

  it('are not looked at where the part is not started here', async () => {
    const ports = await freePorts();
    const servers = [ports.kafka, ports.postgres].map((port) => createServer().listen(port, '127.0.0.1'));
    await Promise.all(servers.map((server) => new Promise((resolve) => server.once('listening', resolve))));
    const given = { brokers: ['10.0.0.1:9092'], databaseUrl: 'postgres://10.0.0.1/latch' };
    await expect(assertPortsAreFree(optionsOn(ports, given))).resolves.toBeUndefined();
    await expect(assertPortsAreFree(optionsOn(ports))).rejects.toThrow('2 ports are taken');
    for (const server of servers) server.close();
  });
});
