import { evidencePage, makeBundle, readBundleSource } from '@latch/evidence';
import { type CliSettings } from '../config.ts';
import { publicKeysOf } from '../replay/public-keys-of.ts';
import { withAuditedStore } from '../replay/with-audited-store.ts';
import { runCommand } from '../run-command.ts';
import { print } from '../terminal.ts';
import { writeOut } from '../write-out.ts';

/** Options of `latch evidence export`. */
export type ExportOptions = {
  readonly tenant: string;
  readonly out?: string;
  readonly html?: boolean;
  readonly publicKey?: string;
};

/** `latch evidence export`: writes the one file that proves what happened in a transaction, or the page of it for people. */
export async function exportEvidence(
  settings: CliSettings,
  transactionId: string,
  options: ExportOptions,
): Promise<void> {
  await runCommand({}, () =>
    withAuditedStore(settings, async (store) => {
      const publicKeys = publicKeysOf(options.publicKey);
      const source = await readBundleSource(store, { tenantId: options.tenant, transactionId, publicKeys });
      if (source === undefined) throw new Error(`tenant ${options.tenant} has no transaction ${transactionId}`);
      const bundle = makeBundle(source);
      const text = options.html ? evidencePage(bundle, publicKeys) : `${JSON.stringify(bundle, undefined, 2)}\n`;
      if (options.out === undefined) print(text.trimEnd());
      else writeOut(options.out, text, 0o600);
      return true;
    }),
  );
}
