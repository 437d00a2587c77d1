import { setImmediate as nextTurn } from 'node:timers/promises';
import { verifyCertificate } from '@passwordbroker/core/domain/keyring/certificate';
import { ENTRY_SIZE_TEXTS, hasTooManyFields, hasTooMuchText, textSize } from '@passwordbroker/core/domain/limits';
import type { Skipped } from '@passwordbroker/core/contract/entities';
import { packRows, type PackedRows } from '../db/bulk/packed-rows.ts';
import type { Tables } from '../db/schema/tables.ts';
import { tagRowsOf } from '../entries/tag-repository.ts';
import { entryRow, fieldReader, type FieldRows, type KeepBody, type KeyVersionOf } from './batch-fields.ts';
import { groupReader, type GroupRows, type Importer } from './batch-groups.ts';
import { misplaced, unknownReference } from './batch-problem.ts';
import type { JobParts } from './import-job.ts';
import { readIntoHead, standInsFor, type IntoHead, type SeenTargets, type SeeTargets } from './into/into-head.ts';
import { monotonicIds } from '@passwordbroker/core/domain/import/import-fields';
import type { BatchHead, BatchSource } from './sealed-source.ts';
import { searchRowOf } from '../db/text-search/search-index.ts';

export interface BatchRows {
  /** @param see called for a batch that goes into existing groups */
  head(see: SeeTargets): Promise<RowsHead>;
  portions(): AsyncIterable<RowPortion>;
}

export interface RowsHead {
  /** Whether the server names the tree. */
  readonly choosesName: boolean;
  /** For repeats; null if the request contained a secret. */
  readonly digest: Uint8Array | null;
  /** Root first. */
  readonly groups: readonly GroupRows[];
  /** Stand in for existing groups until the last transaction. */
  readonly standIns: readonly Tables['entry_groups'][];
  /** Null for a tree of its own. */
  readonly into: IntoHead | null;
  readonly entries: PackedRows<'entries'>;
  readonly tags: PackedRows<'entry_tags'>;
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
  /** In existing entries: written by the last transaction. */
  readonly isLate: boolean;
}

export type CheckParts = Pick<JobParts, 'user' | 'certificate' | 'now' | 'fileLimit'>;

export interface CheckedHead {
  readonly groups: readonly GroupRows[];
  readonly standIns: readonly Tables['entry_groups'][];
  readonly into: IntoHead | null;
  readonly entries: readonly Tables['entries'][];
}

/** Stores file bodies, but no rows. Call `head()` first; both methods throw AppError. */
export function checkedRows(parts: CheckParts, source: BatchSource, keepBody: KeepBody): BatchRows {
  let read: { readonly importer: Importer; readonly rows: CheckedHead } | null = null;
  return {
    async head(see) {
      const importer = await importerOf(parts);
      const head = await source.head();
      const into = head.into === null ? null : readIntoHead(head.into, head.groups);
      const rows = await checkHead(importer, head, into === null ? null : { into, seen: await see(into) });
      read = { importer, rows };
      return rowsHead(rows, head, source.digest);
    },
    async *portions() {
      if (read === null) throw new TypeError('The head comes first');
      const { importer, rows } = read;
      const { into } = rows;
      const versionOf = keyVersions(rows);
      const isLate = (field: { readonly entry_id: string }) => into?.existing.has(field.entry_id) === true;
      const texts = searchRows(rows);
      const sizes = entrySizes(rows.entries);
      const reader = fieldReader(importer, versionOf, source.takeBody, keepBody);
      let at = 0;
      let updated = 0;
      for await (const { fields, updates } of source.portions()) {
        const some: FieldRows[] = [];
        const late: FieldRows[] = [];
        for (const field of fields) {
          // An entry that only updates name gets no new fields: they would not wait for the last transaction.
          if (into?.entries.has(field.entry_id) === true && !isLate(field))
            throw unknownReference('batch', 'fields', at, 'entry_id');
          const read = await reader.read(field, at);
          sizes.add(read.field, at);
          (isLate(field) ? late : some).push(read);
          at += 1;
        }
        for (const { field } of some) texts.add(field);
        if (fields.length > 0) yield portionOf(some, texts.complete(), texts.reopened());
        if (late.length > 0) yield { ...portionOf(late), isLate: true };
        if (updates.length > 0) {
          const next: FieldRows[] = [];
          for (const update of updates) next.push(await reader.readUpdate(update, updated++));
          // The fields exist: only their revisions are inserted.
          yield { ...portionOf(next), fields: packRows<'fields'>([]), isLate: true };
        }
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
  { groups, standIns, into, entries }: CheckedHead,
  { skipped }: Pick<BatchHead, 'skipped'>,
  digest: Uint8Array | null,
): RowsHead => ({
  choosesName: digest === null,
  digest,
  groups,
  standIns,
  into,
  entries: packRows<'entries'>(entries),
  tags: packRows<'entry_tags'>(entries.flatMap(tagRowsOf)),
  skipped,
});

/** @param targets null for a tree of its own */
export async function checkHead(
  importer: Importer,
  head: Pick<BatchHead, 'groups' | 'entries'>,
  targets: { readonly into: IntoHead; readonly seen: SeenTargets } | null,
): Promise<CheckedHead> {
  const standIns = targets === null ? null : standInsFor(importer, targets.into, targets.seen);
  const reader = groupReader(importer, standIns?.placeOf ?? null);
  const groups = [];
  for (const [at, group] of head.groups.entries()) groups.push(await reader.read(group, at));
  const entries = head.entries.map((entry, at) => {
    const groupId = reader.has(entry.entry_group_id)
      ? entry.entry_group_id
      : standIns?.placeOf(entry.entry_group_id)?.id;
    if (groupId === undefined) throw unknownReference('batch', 'entries', at, 'entry_group_id');
    return entryRow(importer, { ...entry, entry_group_id: groupId });
  });
  return { groups, standIns: standIns?.rows() ?? [], into: targets?.into ?? null, entries };
}

/** Those of new groups are 1. */
function keyVersions({ into, entries, standIns }: CheckedHead): KeyVersionOf {
  const targets = new Map(standIns.map(({ entry_group_id, name }) => [entry_group_id, into?.targets.get(name)]));
  const versions = new Map<string, number | undefined>();
  for (const [entryId, groupId] of into?.entries ?? []) versions.set(entryId, into?.targets.get(groupId));
  for (const { entry_id, entry_group_id } of entries) versions.set(entry_id, targets.get(entry_group_id) ?? 1);
  return (entryId) => versions.get(entryId);
}

export const portionOf = (
  some: readonly FieldRows[],
  search: ReturnType<SearchRows['rest']> = [],
  reopened: readonly string[] = [],
): RowPortion => ({
  fields: packRows<'fields'>(some.map(({ field }) => field)),
  revisions: packRows<'field_revisions'>(some.flatMap(({ revisions }) => revisions)),
  history: packRows<'field_history'>(some.flatMap(({ history }) => history)),
  search: packRows<'entry_search'>(search),
  reopened,
  isLate: false,
});

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

export function searchRows({ entries, groups, standIns }: Omit<CheckedHead, 'into'>): SearchRows {
  const named = [...groups.map(({ group }) => group), ...standIns];
  const names = new Map(named.map(({ entry_group_id, name_folded }) => [entry_group_id, name_folded]));
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
