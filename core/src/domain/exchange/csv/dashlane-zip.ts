/** Dashlane's archive: a CSV file for each kind of thing. */
import { ExchangeError } from '../exchange-error.ts';
import type { Read } from '../formats.ts';
import { treeBuilder } from '../tree-builder.ts';
import { openZip } from '../zip.ts';
import { DASHLANE_KINDS } from './dashlane.ts';
import type { CsvKind } from './found.ts';
import { readKind } from './read.ts';

const KINDS: Readonly<Record<string, string>> = {
  'credentials.csv': 'dashlane-csv',
  'securenotes.csv': 'dashlane-notes-csv',
  'payments.csv': 'dashlane-payments-csv',
  'ids.csv': 'dashlane-ids-csv',
  'personalinfo.csv': 'dashlane-personal-csv',
  'wifi.csv': 'dashlane-wifi-csv',
};

const baseOf = (name: string): string => (name.split('/').at(-1) ?? name).toLowerCase();

/** The file's name decides, so a new or a missing column does no harm. */
function kindOf(name: string): CsvKind | null {
  const kind = DASHLANE_KINDS.find(({ id }) => id === KINDS[baseOf(name)]);
  return kind === undefined ? null : { ...kind, optional: Object.keys(kind.columns), isOpen: true };
}

export const readDashlaneZip: Read = async (file, _given, { now, signal, onProgress }) => {
  const archive = await openZip(file, signal);
  const tree = treeBuilder(now);
  for (const [at, name] of archive.names.entries()) {
    const kind = kindOf(name);
    if (kind === null) tree.leaveOut('file', 'belongs to no entry', name);
    else await readPart(name, kind);
    onProgress?.(at + 1, archive.names.length);
  }
  return tree.end();

  async function readPart(name: string, kind: CsvKind): Promise<void> {
    const bytes = await archive.text(name);
    if (bytes.length === 0) return;
    try {
      await readKind(tree, kind, new Blob([bytes]), { signal });
    } catch (error) {
      if (!(error instanceof ExchangeError)) throw error;
      throw new ExchangeError(error.code, error.message.replace(/^Line \d+/, `$& (${name})`));
    }
  }
};
