import { execFileSync } from 'node:child_process';
import { expect, it } from '@jest/globals';
import { inCheckout } from '../checkout.ts';

/** More than half of what it costs to start a worker of a replay would be TypeORM and Nest, of which a replay has no use. */
it('a worker of a replay, as it was built, loads no file of TypeORM or Nest', () => {
  const code = `
    import Module from 'node:module';
    await import('${inCheckout('libs/event-store/dist/index.js')}');
    await import('${inCheckout('apps/cli/dist/replay/open-audited-store.js')}');
    await import('${inCheckout('apps/cli/dist/replay/replay-job.js')}');
    const loaded = Object.keys(Module._cache);
    console.log(JSON.stringify({ pg: loaded.some((file) => file.includes('/node_modules/pg/')), others: loaded.filter((file) => /[/](typeorm|@nestjs|rxjs)[/]/.test(file)).length }));`;
  const said = execFileSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8' });
  expect(JSON.parse(said)).toEqual({ pg: true, others: 0 });
});
