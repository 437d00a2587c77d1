import type { ReleasedValue } from '@passwordbroker/core/contract/entries/exports';
import { CryptoError } from '@passwordbroker/core/crypto/errors';
import { ExchangeError } from '@passwordbroker/core/domain/exchange/exchange-error';
import { openField, openFile } from '@passwordbroker/core/domain/fields/field';
import { wipeContent } from '@passwordbroker/core/domain/fields/payload';
import type { DeriveForFile } from '../imports/import-services.ts';
import { keptPlain } from '../kept-plain.ts';
import { heldGroupOf, openingKeyOf, type OpenSession } from '../open-session.ts';
import type { Services } from '../remote.ts';
import { openedContent } from '../revisions/contents.ts';
import type { ExportCalls } from './export-calls.ts';
import { type ExportTree, exportTree, type OpenedValue, writeTree } from './export-tree.ts';

/** One export is kept at a time. */
export function exporting(session: () => OpenSession, deriveForFile: DeriveForFile): Pick<Services, keyof ExportCalls> {
  const kept = keptPlain<ExportTree>();
  const take = (handle: number): ExportTree => {
    const tree = kept.take(handle);
    if (tree === null) throw new ExchangeError('gone', 'What was opened is gone. Export again.');
    return tree;
  };

  return {
    beginExport({ name, outline }) {
      session();
      return Promise.resolve({ handle: kept.keep(exportTree(name, outline)) });
    },

    async openForExport({ handle, values }, { signal }) {
      const own = session();
      const tree = take(handle);
      let failed = 0;
      for (const { value, body } of values) {
        signal.throwIfAborted();
        const opened = tree.has(value) ? await open(own, value, body) : null;
        if (opened === null) failed += 1;
        else tree.add(value, opened);
      }
      return { failed };
    },

    async writeExport({ handle, format, password }, { signal, onProgress }) {
      session();
      const tree = take(handle);
      kept.clear();
      return writeTree(tree.end(), format, { password, argon2: deriveForFile(signal), signal }, onProgress);
    },

    dropExport: ({ handle }) => {
      kept.drop(handle);
      return Promise.resolve(null);
    },
  };
}

/** Null if the value is damaged. @throws KeyringError if its group is not open */
async function open(
  session: OpenSession,
  value: ReleasedValue,
  body = new ArrayBuffer(0),
): Promise<OpenedValue | null> {
  const { entry_group_id: entryGroupId, entry_id: entryId, field_id: fieldId, type, rev, gk_version } = value;
  const key = openingKeyOf(heldGroupOf(session, entryGroupId), gk_version);
  try {
    const content = await openField(key, { entryGroupId, entryId, fieldId, type, rev }, value);
    if (content.type !== 'file') return { ...openedContent(content), bytes: null };
    const opening = openFile(fieldId, content.file, [new Uint8Array(body)]);
    const bytes = await opening.finally(() => wipeContent(content));
    return { ...openedContent(content), bytes };
  } catch (failure) {
    if (failure instanceof CryptoError) return null;
    throw failure;
  }
}
