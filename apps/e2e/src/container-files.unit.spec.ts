import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { serviceNames } from '@latch/cli';
import { parse } from 'yaml';
import { z } from 'zod';
import { kafkaVersion } from '../../../deploy/local/kafka.mjs';

const checkout = path.resolve(import.meta.dirname, '../../..');

const ComposeFile = z.looseObject({
  services: z.record(
    z.string(),
    z.looseObject({
      image: z.string().optional(),
      build: z
        .looseObject({ context: z.string(), dockerfile: z.string(), args: z.looseObject({ APP: z.string() }) })
        .optional(),
      environment: z.record(z.string(), z.unknown()).optional(),
      ports: z.array(z.string()).optional(),
      depends_on: z.record(z.string(), z.unknown()).optional(),
    }),
  ),
});

const { services } = ComposeFile.parse(
  parse(readFileSync(path.join(checkout, 'docker-compose.yml'), 'utf8'), { merge: true }),
);
const built = Object.entries(services).flatMap(([name, { build }]) => (build === undefined ? [] : [{ name, build }]));
const dockerfile = readFileSync(path.join(checkout, 'deploy/docker/Dockerfile'), 'utf8');

describe('the compose file', () => {
  it('runs every service, each from the image of its own app', () => {
    expect(Object.keys(services)).toEqual(expect.arrayContaining([...serviceNames]));
    for (const { name, build } of built) {
      expect(build.args.APP).toBe(name === 'prepare' ? 'cli' : name);
      expect(existsSync(path.join(checkout, build.context, build.dockerfile))).toBe(true);
      expect(existsSync(path.join(checkout, 'apps', build.args.APP, 'package.json'))).toBe(true);
    }
  });

  it('opens ports on this machine only', () => {
    const ports = Object.values(services).flatMap((service) => service.ports ?? []);
    expect(ports.filter((port) => !port.startsWith('127.0.0.1:'))).toEqual([]);
  });

  it('says that callers are not known, since an image that others can reach does not start where nobody has chosen', () => {
    for (const name of ['ingress', 'evaluator', 'console']) {
      expect(services[name]?.environment).toMatchObject({ LATCH_AUTH: '${LATCH_AUTH:-off}' });
    }
    expect(dockerfile).toContain('LATCH_HTTP_HOST=0.0.0.0');
    expect(dockerfile).not.toContain('LATCH_AUTH');
  });

  it('runs the same Kafka as a local start', () => {
    expect(services['kafka']?.image).toBe(`apache/kafka:${kafkaVersion}`);
  });

  it('gives every service of the platform its bus and its database, after the migrations', () => {
    const platform = serviceNames.filter((name) => !name.startsWith('mcp-'));
    for (const name of platform) {
      expect(services[name]?.environment).toMatchObject({ KAFKA_BROKERS: 'kafka:29092' });
      expect(services[name]?.depends_on).toHaveProperty('prepare');
    }
  });
});

describe('the Dockerfile', () => {
  it('copies nothing from the checkout that is not there', () => {
    const copied = [...dockerfile.matchAll(/^COPY (?!--from)(\S+) \S+$/gm)].map(([, source]) => source ?? '');
    expect(copied.length).toBeGreaterThan(0);
    expect(copied.filter((source) => !existsSync(path.join(checkout, source)))).toEqual([]);
  });

  it('starts the app as process 1, so that it gets SIGTERM itself, and not as root', () => {
    expect(dockerfile).toMatch(/ENTRYPOINT \["sh", "-c", "exec node /);
    expect(dockerfile).toMatch(/^USER node$/m);
  });
});
