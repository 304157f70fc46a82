import { openApiDocument as ofEvaluator } from '@latch/evaluator/openapi';
import { openApiDocument as ofIngress } from '@latch/ingress/openapi';
import { isObject, type Schema } from './schema-parts.ts';

/**
 * One OpenAPI 3.1 document for every HTTP API of the platform. Each service describes its own; a path of another service than ingress names its own server,
 * so that a client generated from the document calls the right one.
 */
export function openApiDocument(): Schema {
  const ingress = ofIngress();
  const evaluator = ofEvaluator();
  return {
    ...ingress,
    info: { ...partOf(ingress, 'info'), title: 'Latch', summary: 'The HTTP APIs of ingress and evaluator.' },
    tags: [...listOf(ingress, 'tags'), ...listOf(evaluator, 'tags')],
    paths: { ...partOf(ingress, 'paths'), ...ownPaths(evaluator) },
    components: {
      schemas: {
        ...partOf(partOf(evaluator, 'components'), 'schemas'),
        ...partOf(partOf(ingress, 'components'), 'schemas'),
      },
    },
  };
}

function ownPaths(service: Schema): Schema {
  const servers = listOf(service, 'servers');
  const paths = Object.entries(partOf(service, 'paths'));
  return Object.fromEntries(paths.map(([path, item]) => [path, { servers, ...(isObject(item) ? item : {}) }]));
}

function partOf(document: Schema, name: string): Schema {
  const part = document[name];
  return isObject(part) ? part : {};
}

function listOf(document: Schema, name: string): readonly unknown[] {
  const list = document[name];
  return Array.isArray(list) ? list : [];
}
