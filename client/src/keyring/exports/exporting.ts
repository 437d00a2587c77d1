import type { ReleasedValue } from '@passwordbroker/core/contract/entries/exports';
import { CryptoError } from '@passwordbroker/core/crypto/errors';
import { ExchangeError } from '@passwordbroker/core/domain/exchange/exchange-error';
import { openField, openFile } from '@passwordbroker/core/domain/fields/field';
import { wipeContent } from '@passwordbroker/core/domain/fields/payload';
import { type DeriveForFile, KEPT_MS } from '../imports/import-services.ts';
import { heldGroupOf, openingKeyOf, type OpenSession } from '../open-session.ts';
import { openedContent } from '../revisions/contents.ts';
import type { ExportServices } from './export-services.ts';
import { type ExportTree, exportTree, type OpenedValue, writeTree } from './export-tree.ts';

/** One export is kept at a time. */
export function exporting(session: () => OpenSession, deriveForFile: DeriveForFile): ExportServices {
  let kept: { readonly handle: number; readonly tree: ExportTree } | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let handles = 0;

  const drop = (handle: number) => {
    if (kept?.handle === handle) kept = null;
  };
  const stay = (handle: number) => {
    clearTimeout(timer);
    timer = setTimeout(() => drop(handle), KEPT_MS);
  };
  const take = (handle: number): ExportTree => {
    if (kept?.handle !== handle) throw new ExchangeError('gone', 'What was opened is gone. Export again.');
    stay(handle);
    return kept.tree;
  };

  return {
    beginExport({ name, outline }) {
      session();
      kept = { handle: (handles += 1), tree: exportTree(name, outline) };
      stay(handles);
      return Promise.resolve({ handle: handles });
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
      kept = null;
      return writeTree(tree.end(), format, { password, argon2: deriveForFile(signal), signal }, onProgress);
    },

    dropExport: ({ handle }) => {
      drop(handle);
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
