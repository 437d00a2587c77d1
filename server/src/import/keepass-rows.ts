import { setImmediate as nextTurn } from 'node:timers/promises';
import { refuse } from '@passwordbroker/core/contract/problem';
import { prepareImport } from '@passwordbroker/core/domain/import/import-batch';
import { portionsOf, presentColumns, sealFields } from '@passwordbroker/core/domain/import/import-fields';
import type { FieldWork, SealedField } from '@passwordbroker/core/domain/import/import-fields';
import { KeepassError } from '@passwordbroker/core/domain/keepass/limits-and-errors';
import { readKeepassXml } from '@passwordbroker/core/domain/keepass/read';
import type { ExchangeTree } from '@passwordbroker/core/domain/exchange/tree';
import { type Keyring, keyringOf } from '@passwordbroker/core/domain/keyring/keyring';
import { discard } from '../platform/ids-and-digests.ts';
import { fieldReader, type BatchField, type FieldRows, type KeepBody } from './batch-fields.ts';
import type { Importer } from './batch-groups.ts';
import {
  checkHead,
  importerOf,
  portionOf,
  rowsHead,
  type BatchRows,
  type CheckParts,
  type CheckedHead,
  searchRows,
} from './checked-rows.ts';
import type { SealKeys } from './import-job.ts';
import type { BatchHead } from './sealed-source.ts';
import { TREE_NAME } from './write-batch.ts';

const SEARCH_ROWS = 1000;

interface Sealing {
  readonly importer: Importer;
  readonly rows: CheckedHead;
  readonly work: readonly FieldWork[];
}

/**
 * Seals with the same checks as a client's batch. Call `head()` first; it empties `file`.
 * @param keys called when the file has been read; locked at the end
 */
export function keepassRows(
  parts: CheckParts,
  file: Uint8Array,
  keys: () => Promise<SealKeys>,
  keep: KeepBody,
): BatchRows {
  let keyring: Keyring | null = null;
  let read: Sealing | null = null;
  return {
    async head() {
      const tree = await treeOf(file);
      const opened = await keys();
      keyring = keyringOf(opened.identity, opened.keys);
      try {
        // Preliminary; `beginBatch` chooses the final name.
        const { head: sealed, work } = await prepareImport(keyring, tree, { rootName: TREE_NAME, now: parts.now });
        const head = { ...(sealed as unknown as Omit<BatchHead, 'into'>), into: null };
        const importer = await importerOf(parts);
        const rows = await checkHead(importer, head, null);
        read = { importer, rows, work };
        return rowsHead(rows, head, null);
      } catch (error) {
        keyring.lock();
        throw error;
      }
    },
    async *portions() {
      if (read === null) throw new TypeError('The head comes first');
      const { importer, rows, work } = read;
      read = null;
      try {
        const search = searchRowsOf(work, rows);
        for (let at = 0; at < search.length; at += SEARCH_ROWS) {
          yield portionOf([], search.slice(at, at + SEARCH_ROWS));
        }
        for (const some of portionsOf(work)) {
          yield portionOf(await sealedRows(importer, some, keep));
          await nextTurn();
        }
      } finally {
        keyring?.lock();
      }
    },
  };
}

async function treeOf(file: Uint8Array): Promise<ExchangeTree> {
  try {
    return await readKeepassXml(file);
  } catch (error) {
    throw error instanceof KeepassError ? refuse('file', error.message) : error;
  } finally {
    discard(file);
  }
}

function searchRowsOf(work: readonly FieldWork[], head: CheckedHead) {
  const texts = searchRows(head);
  for (const { entryId, field } of work) {
    const { title, login = null, file_name = null } = presentColumns(field);
    texts.add({ entry_id: entryId, title, login, file_name });
  }
  return texts.rest();
}

async function sealedRows(importer: Importer, work: readonly FieldWork[], keep: KeepBody): Promise<FieldRows[]> {
  const { fields, bodies } = await sealFields(work);
  const entries = new Set(work.map(({ entryId }) => entryId));
  const versionOf = (entryId: string) => (entries.has(entryId) ? 1 : undefined);
  const byPart = new Map(bodies.map(({ part, bytes }) => [part, bytes]));
  const reader = fieldReader(importer, versionOf, async (part) => byPart.get(part), keep);
  const rows: FieldRows[] = [];
  for (const [at, field] of fields.entries()) rows.push(await reader.read(asField(field), at));
  return rows;
}

const asField = ({ fieldId, entryId, type, columns, revisions }: SealedField): BatchField => ({
  field_id: fieldId,
  entry_id: entryId,
  type,
  ...columns,
  revisions: revisions.map(({ sealed, own, at }) => ({
    rev: sealed.rev,
    gk_version: sealed.gkVersion,
    sealed,
    ...own,
    created_at: at ?? undefined,
  })),
});
