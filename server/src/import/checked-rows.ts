import { setImmediate as nextTurn } from 'node:timers/promises';
import { verifyCertificate } from '@passwordbroker/core/domain/keyring/certificate';
import { ENTRY_SIZE_TEXTS, hasTooManyFields, hasTooMuchText, textSize } from '@passwordbroker/core/domain/limits';
import type { Skipped } from '@passwordbroker/core/contract/entities';
import { packRows, type PackedRows } from '../db/bulk/packed-rows.ts';
import type { Tables } from '../db/schema/tables.ts';
import { tagRowsOf } from '../entries/tag-repository.ts';
import { entryRow, fieldReader, type FieldRows, type KeepBody } from './batch-fields.ts';
import { groupReader, type GroupRows, type Importer } from './batch-groups.ts';
import { misplaced, unknownReference } from './batch-problem.ts';
import type { JobParts } from './import-job.ts';
import { monotonicIds } from '@passwordbroker/core/domain/import/import-fields';
import type { BatchHead, BatchSource } from './sealed-source.ts';
import { searchRowOf } from '../db/text-search/search-index.ts';

export interface BatchRows {
  head(): Promise<RowsHead>;
  portions(): AsyncIterable<RowPortion>;
}

export interface RowsHead {
  /** Whether the server names the tree. */
  readonly choosesName: boolean;
  /** For repeats; null if the request contained a secret. */
  readonly digest: Uint8Array | null;
  /** Root first. */
  readonly groups: readonly GroupRows[];
  readonly entries: PackedRows<'entries'>;
  readonly tags: PackedRows<'entry_tags'>;
  /** How many follow. */
  readonly fields: number;
  readonly skipped: readonly Skipped[];
}

export interface RowPortion {
  readonly fields: PackedRows<'fields'>;
  readonly revisions: PackedRows<'field_revisions'>;
  readonly history: PackedRows<'field_history'>;
  /** Rows of entries that seem complete. */
  readonly search: PackedRows<'entry_search'>;
  /** Entries that got a field after their search row was made. */
  readonly reopened: readonly string[];
}

export type CheckParts = Pick<JobParts, 'user' | 'certificate' | 'now' | 'fileLimit'>;

export interface CheckedHead {
  readonly groups: readonly GroupRows[];
  readonly entries: readonly Tables['entries'][];
}

/** Stores file bodies, but no rows. Call `head()` first; both methods throw AppError. */
export function checkedRows(parts: CheckParts, source: BatchSource, keepBody: KeepBody): BatchRows {
  let read: { readonly importer: Importer; readonly rows: CheckedHead } | null = null;
  return {
    async head() {
      const importer = await importerOf(parts);
      const head = await source.head();
      const rows = await checkHead(importer, head);
      read = { importer, rows };
      return rowsHead(rows, head, source.digest);
    },
    async *portions() {
      if (read === null) throw new TypeError('The head comes first');
      const { importer, rows } = read;
      const entryIds = new Set(rows.entries.map((entry) => entry.entry_id));
      const texts = searchRows(rows);
      const sizes = entrySizes(rows.entries);
      let at = 0;
      for await (const { fields, bodies } of source.portions()) {
        const reader = fieldReader(
          importer,
          entryIds,
          new Map(bodies.map(({ part, bytes }) => [part, bytes])),
          keepBody,
        );
        const some: FieldRows[] = [];
        for (const field of fields) {
          const read = await reader.read(field, at);
          sizes.add(read.field, at);
          some.push(read);
          at += 1;
        }
        for (const { field } of some) texts.add(field);
        yield portionOf(some, texts.complete(), texts.reopened());
        await nextTurn();
      }
      yield portionOf([], texts.rest(), texts.reopened());
    },
  };
}

/** @throws AppError `validation` if an entry is too large */
function entrySizes(entries: CheckedHead['entries']) {
  const sizes = new Map(entries.map((entry) => [entry.entry_id, { fields: 0, text: textSize(entry) }]));
  return {
    add(field: Tables['fields'], position: number): void {
      const size = sizes.get(field.entry_id);
      if (size === undefined) return;
      size.fields += 1;
      size.text += textSize(field);
      const place = ['batch', 'fields', position] as const;
      if (hasTooManyFields(size)) throw misplaced(ENTRY_SIZE_TEXTS.fields, ...place, 'entry_id');
      if (hasTooMuchText(size)) throw misplaced(ENTRY_SIZE_TEXTS.text, ...place, 'title');
    },
  };
}

/** @throws AppError if the certificate is invalid */
export async function importerOf({ user, certificate, now, fileLimit }: CheckParts): Promise<Importer> {
  const identity = await verifyCertificate(certificate);
  return { userId: user.userId, identity, now, fileLimit, newId: monotonicIds(now) };
}

export const rowsHead = (
  { groups, entries }: CheckedHead,
  { fields, skipped }: Pick<BatchHead, 'fields' | 'skipped'>,
  digest: Uint8Array | null,
): RowsHead => ({
  choosesName: digest === null,
  digest,
  groups,
  entries: packRows<'entries'>(entries),
  tags: packRows<'entry_tags'>(entries.flatMap(tagRowsOf)),
  fields,
  skipped,
});

export async function checkHead(importer: Importer, head: Pick<BatchHead, 'groups' | 'entries'>): Promise<CheckedHead> {
  const reader = groupReader(importer);
  const groups = [];
  for (const [at, group] of head.groups.entries()) groups.push(await reader.read(group, at));
  const entries = head.entries.map((entry, at) => {
    if (!reader.has(entry.entry_group_id)) throw unknownReference('batch', 'entries', at, 'entry_group_id');
    return entryRow(importer, entry);
  });
  return { groups, entries };
}

export const portionOf = (
  some: readonly FieldRows[],
  search: ReturnType<SearchRows['rest']>,
  reopened: readonly string[],
): RowPortion => ({
  fields: packRows<'fields'>(some.map(({ field }) => field)),
  revisions: packRows<'field_revisions'>(some.flatMap(({ revisions }) => revisions)),
  history: packRows<'field_history'>(some.flatMap(({ history }) => history)),
  search: packRows<'entry_search'>(search),
  reopened,
});

type Entry = Tables['entries'];
type Field = Tables['fields'];
type Texts = Pick<Field, 'title' | 'login' | 'file_name'>;

interface SearchRows {
  add(field: Pick<Field, 'entry_id'> & Texts): void;
  /** Each entry once, without that of the last field. */
  complete(): ReturnType<typeof searchRowOf>[];
  rest(): ReturnType<typeof searchRowOf>[];
  /** Entries that got a field after their row was made. */
  reopened(): string[];
}

interface Imported {
  readonly entries: readonly Entry[];
  readonly groups: readonly { readonly group: Pick<Tables['entry_groups'], 'entry_group_id' | 'name_folded'> }[];
}

export function searchRows({ entries, groups }: Imported): SearchRows {
  const names = new Map(groups.map(({ group }) => [group.entry_group_id, group.name_folded]));
  const open = new Map(entries.map((entry) => [entry.entry_id, entry]));
  const textsOf = new Map<string, Texts[]>();
  const late = new Set<string>();
  let last = '';
  const close = (entryId: string) => {
    const entry = open.get(entryId);
    if (entry === undefined) return [];
    const row = searchRowOf(entry, textsOf.get(entryId) ?? [], names.get(entry.entry_group_id) ?? '');
    open.delete(entryId);
    textsOf.delete(entryId);
    return [row];
  };
  return {
    add({ entry_id, title, login, file_name }) {
      const texts = textsOf.get(entry_id);
      if (!open.has(entry_id)) late.add(entry_id);
      else if (texts === undefined) textsOf.set(entry_id, [{ title, login, file_name }]);
      else texts.push({ title, login, file_name });
      last = entry_id;
    },
    complete: () => [...textsOf.keys()].filter((entryId) => entryId !== last).flatMap(close),
    rest: () => [...open.keys()].flatMap(close),
    reopened() {
      const ids = [...late];
      late.clear();
      return ids;
    },
  };
}
