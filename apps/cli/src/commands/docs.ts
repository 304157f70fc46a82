import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { inCheckout } from '../checkout.ts';
import { generatedPages } from '../docs/generated-pages.ts';
import { print } from '../terminal.ts';

/** `latch docs generate`: writes the reference pages that say what a table in the sources says. */
export function generateDocs(): void {
  for (const [file, text] of generatedPages()) {
    mkdirSync(path.dirname(inCheckout(file)), { recursive: true });
    writeFileSync(inCheckout(file), text);
    print(`${file} written`);
  }
}
