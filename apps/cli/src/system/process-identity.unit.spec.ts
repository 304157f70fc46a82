import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { identifyProcess, isStillRunning } from './process-identity.ts';

describe('the identity of a process', () => {
  it('stays the same while it runs', () => {
    const me = identifyProcess(process.pid);
    expect(me).toEqual(identifyProcess(process.pid));
    expect(me && isStillRunning(me)).toBe(true);
  });

  it('is not that of somebody else under the same pid', () => {
    expect(isStillRunning({ pid: process.pid, startedAt: 'another start' })).toBe(false);
  });

  it('is gone when the process is', async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)']);
    const identity = identifyProcess(child.pid ?? 0);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(identity).toBeDefined();
    expect(identity && isStillRunning(identity)).toBe(false);
    expect(identifyProcess(child.pid ?? 0)).toBeUndefined();
  });
});
