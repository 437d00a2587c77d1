/** Queries exclude the trash unless they say otherwise. */
import { type Selectable, sql } from 'kysely';
import type { Entry, ListedEntry } from '@passwordbroker/core/contract/entities';
import { DAY_MS, dayAfter, writeDay } from '@passwordbroker/core/domain/entry-marks';
import { compareTitles } from '@passwordbroker/core/domain/groups/group-tree';
import type { EntrySize } from '@passwordbroker/core/domain/limits';
import type { Database, Transact } from '../db/database.ts';
import { portions } from '../db/portions.ts';
import { prepared } from '../db/prepared.ts';
import { jsonRows } from '../db/row-text.ts';
import type { Tables } from '../db/schema/tables.ts';
import { tagsIn } from './tag-repository.ts';

const PORTION = 500;

/** What a response shows of an entry. */
export const ENTRY_COLUMNS = [
  'entries.entry_id',
  'entries.entry_group_id',
  'entries.title',
  'entries.tags',
  'entries.icon',
  'entries.due_at',
  'entries.due_kind',
  'entries.rotate_days',
  'entries.created_at',
  'entries.updated_at',
] as const;

type AnyEntryRow = Selectable<Tables['entries']>;
export type MarkColumns = Pick<AnyEntryRow, 'tags' | 'icon' | 'due_at' | 'due_kind' | 'rotate_days'>;
export type EntryRow = MarkColumns &
  Pick<AnyEntryRow, 'entry_id' | 'entry_group_id' | 'title' | 'created_at' | 'updated_at'>;

export function asEntry(row: EntryRow): Entry {
  const created_at = new Date(row.created_at).toISOString();
  return {
    entry_id: row.entry_id,
    entry_group_id: row.entry_group_id,
    title: row.title,
    tags: tagsIn(row),
    icon: row.icon,
    due_at: row.due_at === null ? null : writeDay(row.due_at),
    due_kind: row.due_kind,
    rotate_days: row.rotate_days,
    created_at,
    // Usually both times are equal.
    updated_at: row.updated_at === row.created_at ? created_at : new Date(row.updated_at).toISOString(),
  };
}

export type TitledEntry = Pick<AnyEntryRow, 'entry_id' | 'entry_group_id' | 'title'>;

/** @param groupIds few enough for one statement */
export async function listTitles(read: Database['read'], groupIds: readonly string[]): Promise<TitledEntry[]> {
  return read
    .selectFrom('entries')
    .select(['entry_id', 'entry_group_id', 'title'])
    .where('entry_group_id', 'in', groupIds)
    .where('trashed_by', 'is', null)
    .orderBy('entry_id')
    .execute();
}

/** By title. */
export async function listEntries(db: Database, groupId: string): Promise<ListedEntry[]> {
  const [all] = await ENTRIES_OF_GROUP.all(db.read, { groupId });
  const entries = new Map<string, ReturnType<typeof asListed>>();
  for (const values of JSON.parse(all?.rows ?? '[]') as ListedValues[]) {
    const listed = asListed(values);
    const before = entries.get(listed.id);
    if (before === undefined || compareTitles(listed.field, before.field) < 0) entries.set(listed.id, listed);
  }
  return [...entries.values()].sort(compareTitles).map(({ entry }) => entry);
}

type ValueOf<Column> = Column extends `entries.${infer Name extends keyof AnyEntryRow}` ? AnyEntryRow[Name] : never;
type ValuesOf<Columns> = { readonly [At in keyof Columns]: ValueOf<Columns[At]> };
type ListedValues = readonly [
  ...ValuesOf<typeof ENTRY_COLUMNS>,
  login: string | null,
  fieldId: string | null,
  fieldTitle: string | null,
];

function asListed([entry_id, entry_group_id, title, ...others]: ListedValues) {
  const [tags, icon, due_at, due_kind, rotate_days, created_at, updated_at, login, fieldId, fieldTitle] = others;
  const entry = asEntry({
    entry_id,
    entry_group_id,
    title,
    tags,
    icon,
    due_at,
    due_kind,
    rotate_days,
    created_at,
    updated_at,
  });
  return {
    id: entry_id,
    title,
    entry: Object.assign(entry, { login }),
    field: { title: fieldTitle ?? '', id: fieldId ?? '' },
  };
}

/** One row for each login of an entry; an entry without a login has one row. */
const ENTRIES_OF_GROUP = prepared((db, given: { readonly groupId: string }) =>
  db
    .selectFrom('entries')
    .leftJoin('fields', (join) =>
      join
        .onRef('fields.entry_id', '=', 'entries.entry_id')
        .on('fields.type', '=', 'password')
        .on('fields.login', '<>', '')
        .on('fields.trashed_by', 'is', null),
    )
    .select(jsonRows(db, [...ENTRY_COLUMNS, 'fields.login', 'fields.field_id', 'fields.title']).as('rows'))
    .where('entries.entry_group_id', '=', given.groupId)
    .where('entries.trashed_by', 'is', null),
);

/** Includes entries in the trash. */
export async function findAnyEntry(tx: Transact, entryId: string) {
  return ANY_ENTRY.first(tx, { entryId });
}

const ANY_ENTRY = prepared((db, given: { readonly entryId: string }) =>
  db.selectFrom('entries').selectAll().where('entry_id', '=', given.entryId),
);

/** True if entry and group are outside the trash and belong together. */
export async function isEntryAlive(tx: Transact, groupId: string, entryId: string): Promise<boolean> {
  return (await LIVING.first(tx, { groupId, entryId })) !== undefined;
}

const LIVING = prepared((db, given: { readonly groupId: string; readonly entryId: string }) =>
  db
    .selectFrom('entries')
    .innerJoin('entry_groups', 'entry_groups.entry_group_id', 'entries.entry_group_id')
    .select('entries.entry_id')
    .where('entries.entry_id', '=', given.entryId)
    .where('entries.entry_group_id', '=', given.groupId)
    .where('entries.trashed_by', 'is', null)
    .where('entry_groups.trashed_by', 'is', null),
);

export async function insertEntry(tx: Transact, row: Tables['entries']): Promise<void> {
  await NEW_ENTRY.all(tx, row);
}

const NEW_ENTRY = prepared((db, given: Tables['entries']) => {
  const { entry_id, entry_group_id, title, created_by, created_at, updated_at, trashed_by } = given;
  const { tags, icon, due_at, due_kind, rotate_days } = given;
  const marks = { tags, icon, due_at, due_kind, rotate_days };
  return db
    .insertInto('entries')
    .values({ entry_id, entry_group_id, title, ...marks, created_by, created_at, updated_at, trashed_by });
});

export async function touchEntry(tx: Transact, entryId: string, now: number): Promise<void> {
  await TOUCH.all(tx, { entryId, now });
}

const TOUCH = prepared((db, given: { readonly entryId: string; readonly now: number }) =>
  db.updateTable('entries').set({ updated_at: given.now }).where('entry_id', '=', given.entryId),
);

/** Also in the index of the search. */
export async function touchEntries(tx: Transact, entryIds: readonly string[], updated_at: number): Promise<void> {
  for (const ids of portions(entryIds)) {
    await tx.updateTable('entries').set({ updated_at }).where('entry_id', 'in', ids).execute();
    await tx.updateTable('entry_search').set({ updated_at }).where('entry_id', 'in', ids).execute();
  }
}

/** Returns those that are in the group and outside the trash. */
export async function findLivingEntries(
  tx: Pick<Transact, 'selectFrom'>,
  groupId: string,
  ids: readonly string[],
): Promise<EntryRow[]> {
  const rows: EntryRow[] = [];
  for (let at = 0; at < ids.length; at += PORTION) {
    const portion = await tx
      .selectFrom('entries')
      .select(ENTRY_COLUMNS)
      .where('entry_id', 'in', ids.slice(at, at + PORTION))
      .where('entry_group_id', '=', groupId)
      .where('trashed_by', 'is', null)
      .execute();
    for (const row of portion) rows.push(row);
  }
  return rows;
}

type Marked = MarkColumns & Pick<EntryRow, 'entry_id' | 'updated_at'>;

export async function updateEntryMarks(tx: Transact, marked: Marked): Promise<void> {
  await MARK.all(tx, marked);
}

const MARK = prepared((db, given: Marked) => {
  const { entry_id, tags, icon, due_at, due_kind, rotate_days, updated_at } = given;
  return db
    .updateTable('entries')
    .set({ tags, icon, due_at, due_kind, rotate_days, updated_at })
    .where('entry_id', '=', entry_id);
});

/** Moves the due date of an entry with `rotate_days` ahead, after its password was changed. */
export async function renewDue(tx: Transact, entryId: string, now: number): Promise<void> {
  await RENEW.all(tx, { entryId, ...daysOf(now) });
}

/** As `renewDue`. */
export async function renewAllDue(tx: Transact, entryIds: readonly string[], now: number): Promise<void> {
  for (const ids of portions(entryIds)) await renewing(tx, daysOf(now)).where('entry_id', 'in', ids).execute();
}

interface Days {
  readonly today: number;
  readonly day: number;
}
const daysOf = (now: number): Days => ({ today: dayAfter(now, 0), day: DAY_MS });

const RENEW = prepared((db, given: Days & { readonly entryId: string }) =>
  renewing(db, given).where('entry_id', '=', given.entryId),
);

const renewing = (db: Pick<Transact, 'updateTable'>, { today, day }: Days) =>
  db
    .updateTable('entries')
    .set({ due_at: sql<number>`${today} + rotate_days * ${day}`, due_kind: 'rotate' })
    .where('rotate_days', 'is not', null);

export async function updateEntryTitle(tx: Transact, entryId: string, title: string, now: number): Promise<void> {
  await RENAME.all(tx, { entryId, title, now });
}

const RENAME = prepared((db, given: { readonly entryId: string; readonly title: string; readonly now: number }) =>
  db.updateTable('entries').set({ title: given.title, updated_at: given.now }).where('entry_id', '=', given.entryId),
);

/** Fields in the trash do not count. */
export async function readEntrySize(tx: Transact, entryId: string): Promise<EntrySize> {
  return asSize(await SIZE.first(tx, { entryId }));
}

/** As `readEntrySize`, by id. */
export async function readEntrySizes(tx: Transact, entryIds: Iterable<string>): Promise<Map<string, EntrySize>> {
  const sizes = new Map<string, EntrySize>();
  for (const ids of portions([...entryIds])) {
    const rows = measured(tx).select('entries.entry_id').where('entries.entry_id', 'in', ids);
    for (const row of await rows.groupBy('entries.entry_id').execute()) sizes.set(row.entry_id, asSize(row));
  }
  return sizes;
}

type SizeRow = Readonly<Record<'fields' | 'own' | 'text', number | null>>;
const asSize = (row: SizeRow | undefined): EntrySize => ({
  fields: Number(row?.fields ?? 0),
  text: Number(row?.own ?? 0) + Number(row?.text ?? 0),
});

const SIZE = prepared((db, given: { readonly entryId: string }) =>
  measured(db).where('entries.entry_id', '=', given.entryId),
);

const measured = (db: Pick<Transact, 'selectFrom'>) =>
  db
    .selectFrom('entries')
    .leftJoin('fields', (join) =>
      join.onRef('fields.entry_id', '=', 'entries.entry_id').on('fields.trashed_by', 'is', null),
    )
    .select(({ fn }) => [
      fn.count<number>('fields.field_id').as('fields'),
      sql<number | null>`max(length(entries.title))`.as('own'),
      sql<number | null>`sum(length(fields.title) + coalesce(length(fields.login), 0)
        + coalesce(length(fields.file_name), 0))`.as('text'),
    ]);
