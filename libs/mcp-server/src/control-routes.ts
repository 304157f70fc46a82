import { problemsOf } from '@latch/contracts';
import { type Request, type Response, Router } from 'express';
import { type CallLog } from './call-log.ts';
import { Fault, type Faults } from './faults.ts';

/** Routes by which tests and operators look into a sample server and make it fail. */
export function controlRoutes(of: {
  readonly name: string;
  readonly version: string;
  readonly faults: Faults;
  readonly log: CallLog;
  readonly sessionCount: () => number;
  /** Called after faults were switched on or off. */
  readonly onFaultsChanged: () => void;
  /** Puts the domain back to its first state. */
  readonly reset: () => void;
}): Router {
  const router = Router();
  router.get('/health', (_request, response) => {
    response.json({ status: 'ok', name: of.name, version: of.version, sessions: of.sessionCount() });
  });
  router.get('/calls', (request, response) => {
    response.json(of.log.report({ tool: queryText(request, 'tool'), key: queryText(request, 'key') }));
  });
  router.get('/faults', (_request, response) => {
    response.json({ faults: of.faults.list() });
  });
  router.post('/faults', (request, response) => {
    setFault(of.faults, request, response);
    of.onFaultsChanged();
  });
  router.delete('/faults', (_request, response) => {
    of.faults.clear();
    of.onFaultsChanged();
    response.status(204).end();
  });
  router.post('/reset', (_request, response) => {
    of.reset();
    response.status(204).end();
  });
  return router;
}

function setFault(faults: Faults, request: Request, response: Response): void {
  const fault = Fault.safeParse(request.body);
  if (!fault.success) {
    response.status(422).json({ errors: problemsOf(fault.error) });
    return;
  }
  if (!faults.add(fault.data)) {
    response.status(409).json({ errors: [{ path: '$', message: '100 faults wait already. Reset, or use `times`.' }] });
    return;
  }
  response.status(201).json(fault.data);
}

function queryText(request: Request, name: string): string | undefined {
  const value = request.query[name];
  return typeof value === 'string' ? value : undefined;
}
