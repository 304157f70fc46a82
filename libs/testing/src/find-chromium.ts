import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import { childEnvironment } from '@latch/config';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/**
 * The browser that the page is tested in: what `LATCH_CHROMIUM` names, or the first of Chromium and Chrome on the path.
 *
 * @throws Error with what to do when there is none: a page that was not looked at is not tested.
 */
export function findChromium(): string {
  const { PATH = '', LATCH_CHROMIUM: named } = childEnvironment();
  const found = [
    ...(named ? [named] : []),
    ...PATH.split(path.delimiter).flatMap((folder) => names.map((name) => path.join(folder, name))),
  ];
  const browser = found.find(isExecutable);
  if (browser !== undefined) return browser;
  throw new Error(
    'No Chromium is installed, so the page cannot be tested. Install it (Debian: apt-get install chromium), or name a Chrome in LATCH_CHROMIUM.',
  );
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
