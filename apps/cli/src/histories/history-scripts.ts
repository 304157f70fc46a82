import { type HistoryScript } from './history-script.ts';
import { endStateScripts } from './scripts.end-states.ts';
import { itemScripts } from './scripts.items.ts';
import { languageScripts } from './scripts.languages.ts';
import { toolScripts } from './scripts.tools.ts';
import { turnScripts } from './scripts.turns.ts';
import { unknownScripts } from './scripts.unknown.ts';

/** Every conversation that a release records. */
export const historyScripts: readonly HistoryScript[] = [
  ...endStateScripts,
  ...itemScripts,
  ...turnScripts,
  ...toolScripts,
  ...unknownScripts,
  ...languageScripts,
];
