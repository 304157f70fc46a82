import { isRecord } from '@latch/contracts';
import { openApiDocument as ofConsole } from '@latch/console/openapi';
import { openApiDocument as ofEvaluator } from '@latch/evaluator/openapi';
import { openApiDocument as ofIngress } from '@latch/ingress/openapi';
import { type Schema } from './schema-narrowings.ts';

/**
 * One OpenAPI 3.1 document for every HTTP API of the platform. Each service describes its own; a path names the servers that have it, unless ingress is
 * the only one, so that a client generated from the document calls the right one.
 */
export function openApiDocument(): Schema {
  const ingress = ofIngress();
  const services = [ingress, ofEvaluator(), ofConsole()];
  const titles = { title: 'Latch', summary: 'The HTTP APIs of ingress, evaluator and console.' };
  return {
    ...ingress,
    info: { ...partOf(ingress, 'info'), ...titles },
    tags: tagsOf(services),
    paths: Object.fromEntries(pathsOf(services).map((path) => [path, itemOf(path, services)])),
    components: {
      ...partOf(ingress, 'components'),
      schemas: Object.assign({}, ...services.map(schemasOf).reverse()),
    },
  };
}

function tagsOf(services: readonly Schema[]): readonly unknown[] {
  const tags = services.flatMap((service) => listOf(service, 'tags')).filter(isRecord);
  return [...new Map(tags.map((tag) => [tag['name'], tag])).values()];
}

function pathsOf(services: readonly Schema[]): readonly string[] {
  return [...new Set(services.flatMap((service) => Object.keys(partOf(service, 'paths'))))];
}

/** A path that several services have is the same read in each; where the first of them describes it, the others are named as servers. */
function itemOf(path: string, services: readonly Schema[]): Schema {
  const [ingress] = services;
  const having = services.filter((service) => path in partOf(service, 'paths'));
  const [first = {}] = having;
  const item = partOf(partOf(first, 'paths'), path);
  const isIngressAlone = having.length === 1 && first === ingress;
  if (isIngressAlone) return item;
  const items = having.map((service) => partOf(partOf(service, 'paths'), path));
  return { servers: having.flatMap((service) => listOf(service, 'servers')), ...withSecurityOf(items, item) };
}

/** The operations of an item, each with the scopes that one service or the other asks for. */
function withSecurityOf(items: readonly Schema[], item: Schema): Schema {
  const operations = Object.keys(item).map((method) => {
    const security = items.flatMap((one) => listOf(partOf(one, method), 'security'));
    const once = new Map(security.map((one) => [JSON.stringify(one), one]));
    return [method, { ...partOf(item, method), security: [...once.values()] }];
  });
  return Object.fromEntries(operations);
}

function schemasOf(service: Schema): Schema {
  return partOf(partOf(service, 'components'), 'schemas');
}

function partOf(document: Schema, name: string): Schema {
  const part = document[name];
  return isRecord(part) ? part : {};
}

function listOf(document: Schema, name: string): readonly unknown[] {
  const list = document[name];
  return Array.isArray(list) ? list : [];
}
