import { mkdtempSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { identifyProcess } from './process-identity.ts';
import { claimRunningFile, findRunningSystem, readRunningState, type RunningState } from './running-file.ts';

const folder = (): string => mkdtempSync(path.join(tmpdir(), 'latch-state-'));
const stateOf = (supervisor: RunningState['supervisor']): RunningState => ({
  status: 'starting',
  supervisor,
  since: '2026-11-30T12:00:00Z',
  mode: 'processes',
  bus: null,
  database: null,
  services: [],
});
const me = identifyProcess(process.pid) ?? { pid: 1, startedAt: '' };

describe('the state file', () => {
  it('lets one of two starts have the folder', () => {
    const here = folder();
    expect(claimRunningFile(here, stateOf(me))).toBe(true);
    expect(claimRunningFile(here, stateOf(me))).toBe(false);
    expect(findRunningSystem(here)?.supervisor).toEqual(me);
  });

  it('names no running system when its supervisor is dead, or is somebody else by now', () => {
    const here = folder();
    claimRunningFile(here, stateOf({ ...me, startedAt: 'earlier' }));
    expect(findRunningSystem(here)).toBeUndefined();
    expect(readRunningState(here)?.supervisor.pid).toBe(me.pid);
  });

  it('counts as absent when it cannot be read', () => {
    const here = folder();
    writeFileSync(path.join(here, 'running.json'), '{"status": "rea');
    expect(readRunningState(here)).toBeUndefined();
  });

  it('is readable by its owner only', () => {
    const here = folder();
    claimRunningFile(here, stateOf(me));
    expect(statSync(path.join(here, 'running.json')).mode & 0o077).toBe(0);
  });
});
