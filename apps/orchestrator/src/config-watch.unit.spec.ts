import { describe, expect, it } from '@jest/globals';
import { failure, type PlatformConfig, type Result, success } from '@latch/contracts';
import { type ConfigProblem, type ConfigReport } from '@latch/config';
import { createLogger } from '@latch/observability';
import { eventually } from '@latch/testing';
import { startConfigWatch } from './config-watch.ts';
import { platformIn } from './sample-platform.features.ts';

const logger = createLogger({ service: 'orchestrator', level: 'silent' });
const mistake: ConfigProblem = { file: 'tools.yaml', line: 3, column: 5, message: 'Unknown key.', severity: 'error' };

/** A folder whose content is a word; the content `bad` has a mistake. */
class Folder {
  content = 'first';
  looks = 0;
  refreshed = 0;
  isKept = true;
  readonly used: string[] = [];
  readonly reports: ConfigReport[] = [];
  private readonly platform: Promise<PlatformConfig> = platformIn();

  watch(): () => Promise<void> {
    return startConfigWatch(
      {
        look: () => this.look(),
        read: () => this.read(),
        use: () =>
          this.isKept ? Promise.resolve(void this.used.push(this.content)) : Promise.reject(new Error('away')),
        refreshSchemas: () => Promise.resolve(void (this.refreshed += 1)),
        report: (report) => this.reports.push(report),
        logger,
        everyMs: 2,
      },
      'first',
    );
  }

  private look(): Promise<string> {
    this.looks += 1;
    return this.content === 'gone' ? Promise.reject(new Error('ENOENT')) : Promise.resolve(this.content);
  }

  private async read(): Promise<Result<PlatformConfig, readonly ConfigProblem[]>> {
    return this.content === 'bad' ? failure([mistake]) : success(await this.platform);
  }

  /** Lets the watch look so many times more. */
  async lookedAt(times: number): Promise<void> {
    const until = this.looks + times;
    await eventually(() => expect(this.looks).toBeGreaterThanOrEqual(until));
  }
}

describe('configuration files of a running service', () => {
  it('are taken over once they say the same at two looks, and only then', async () => {
    const folder = new Folder();
    const stop = folder.watch();
    await folder.lookedAt(3);
    expect(folder.used).toEqual([]);
    folder.content = 'second';
    await eventually(() => expect(folder.used).toEqual(['second']));
    await folder.lookedAt(3);
    await stop();
    expect(folder.used).toEqual(['second']);
    expect(folder.reports).toEqual([{ kind: 'applied', files: 'second' }]);
  });

  it('that have a mistake are told once and not used, and the good ones that follow are', async () => {
    const folder = new Folder();
    const stop = folder.watch();
    folder.content = 'bad';
    await eventually(() => expect(folder.reports).toHaveLength(1));
    await folder.lookedAt(4);
    expect(folder.reports).toEqual([{ kind: 'rejected', files: 'bad', inUse: 'first', problems: [mistake] }]);
    expect(folder.used).toEqual([]);
    folder.content = 'third';
    await eventually(() => expect(folder.used).toEqual(['third']));
    await stop();
    expect(folder.reports.at(-1)).toEqual({ kind: 'applied', files: 'third' });
  });

  it('that are put back as they were are told to be good again, and are not read anew', async () => {
    const folder = new Folder();
    const stop = folder.watch();
    folder.content = 'bad';
    await eventually(() => expect(folder.reports).toHaveLength(1));
    folder.content = 'first';
    await eventually(() => expect(folder.reports).toHaveLength(2));
    await stop();
    expect(folder.reports.at(-1)).toEqual({ kind: 'applied', files: 'first' });
    expect(folder.used).toEqual([]);
  });

  it('that cannot be read or kept for a while are looked at again, and the service goes on', async () => {
    const folder = new Folder();
    const stop = folder.watch();
    folder.content = 'gone';
    await folder.lookedAt(3);
    folder.isKept = false;
    folder.content = 'second';
    await folder.lookedAt(4);
    expect(folder.used).toEqual([]);
    folder.isKept = true;
    await eventually(() => expect(folder.used).toEqual(['second']));
    await stop();
    expect(folder.refreshed).toBeGreaterThan(3);
  });

  it('are not looked at any more after the stop', async () => {
    const folder = new Folder();
    const stop = folder.watch();
    await folder.lookedAt(1);
    await stop();
    const { looks } = folder;
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(folder.looks).toBe(looks);
  });
});
