import 'reflect-metadata';
import { type DynamicModule, RequestMethod } from '@nestjs/common';

type Controller = NonNullable<DynamicModule['controllers']>[number];

/** Every route that Nest controllers serve, as `GET /v1/transactions/{transaction_id}`: what the OpenAPI document must describe, and nothing else. */
export function routesOf(controllers: readonly Controller[]): readonly string[] {
  return controllers.flatMap(routesOfController).sort();
}

/** Every operation that an OpenAPI document describes, in the same words. */
export function operationsOf(document: object): readonly string[] {
  const paths: unknown = Reflect.get(document, 'paths');
  return Object.entries(Object(paths))
    .flatMap(([path, item]) => Object.keys(Object(item)).map((method) => `${method.toUpperCase()} ${path}`))
    .sort();
}

function routesOfController(controller: Controller): readonly string[] {
  const prefix = String(Reflect.getMetadata('path', controller));
  const methods = Object.getOwnPropertyNames(controller.prototype).map((name): unknown =>
    Reflect.get(controller.prototype, name),
  );
  return methods.flatMap((method) => {
    if (typeof method !== 'function') return [];
    const verb: unknown = Reflect.getMetadata('method', method);
    if (typeof verb !== 'number') return [];
    return [`${RequestMethod[verb]} ${pathOf([prefix, String(Reflect.getMetadata('path', method))])}`];
  });
}

function pathOf(parts: readonly string[]): string {
  const names = parts.flatMap((part) => part.split('/')).filter((name) => name !== '');
  return `/${names.map((name) => (name.startsWith(':') ? `{${name.slice(1)}}` : name)).join('/')}`;
}
