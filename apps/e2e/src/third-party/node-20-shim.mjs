// The conformance suite imports `globSync` of Node 22 from `fs` (to look through source folders, which no client scenario does). On Node 20 the import alone would
// fail, so that one module is given an `fs` that has it.
import { register } from 'node:module';

const shim = `export * from 'node:fs'; export const globSync = () => { throw new Error('globSync needs Node 22'); };`;
const hooks = `
  export async function resolve(specifier, context, next) {
    if (specifier === 'fs' && context.parentURL?.includes('/@modelcontextprotocol/conformance/'))
      return { url: ${JSON.stringify(`data:text/javascript,${encodeURIComponent(shim)}`)}, shortCircuit: true };
    return next(specifier, context);
  }`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);
