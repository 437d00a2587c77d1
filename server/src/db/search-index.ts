/**
 * The search index: one row an entry with all that a search looks at, and how words are looked up in it. The only search code that knows the engine.
 * SQLite indexes every three letters in a row; shorter words are compared text by text.
 */
import { type Expression, type SqlBool, sql } from 'kysely';
import { foldText } from '@passwordbroker/core/domain/fold-text';
import type { Transact } from './database.ts';
import type { Tables } from './schema.ts';

const PORTION = 400;
const INDEXED_LENGTH = 3;

type SearchRow = Omit<Tables['entry_search'], 'id'>;
type Entry = Pick<Tables['entries'], 'entry_id' | 'entry_group_id' | 'title' | 'updated_at'>;
type Field = Pick<Tables['fields'], 'title' | 'login' | 'file_name'>;

/** The rows of these entries anew, after an act has changed, moved, removed or brought them back. */
export async function indexEntries(tx: Transact, entryIds: readonly string[]): Promise<void> {
  for (let at = 0; at < entryIds.length; at += PORTION) {
    const ids = entryIds.slice(at, at + PORTION);
    const rows = await searchRows(tx, ids);
    const living = new Set(rows.map(({ entry_id }) => entry_id));
    const gone = ids.filter((id) => !living.has(id));
    if (gone.length > 0) await tx.deleteFrom('entry_search').where('entry_id', 'in', gone).execute();
    if (rows.length > 0) await upsert(tx, rows);
  }
}

/** After a group has got another name. */
export async function indexGroupName(tx: Transact, groupId: string, name: string): Promise<void> {
  const group_folded = foldText(name);
  await tx.updateTable('entry_search').set({ group_folded }).where('entry_group_id', '=', groupId).execute();
}

async function upsert(tx: Transact, rows: readonly SearchRow[]): Promise<void> {
  await tx
    .insertInto('entry_search')
    .values(rows)
    .onConflict((conflict) =>
      conflict.column('entry_id').doUpdateSet((eb) => ({
        entry_group_id: eb.ref('excluded.entry_group_id'),
        updated_at: eb.ref('excluded.updated_at'),
        title_folded: eb.ref('excluded.title_folded'),
        text_folded: eb.ref('excluded.text_folded'),
        group_folded: eb.ref('excluded.group_folded'),
      })),
    )
    .execute();
}

async function searchRows(tx: Transact, ids: readonly string[]): Promise<SearchRow[]> {
  const [entries, fields] = await Promise.all([
    tx
      .selectFrom('entries')
      .innerJoin('entry_groups', 'entry_groups.entry_group_id', 'entries.entry_group_id')
      .select(['entry_id', 'entries.entry_group_id', 'title', 'entries.updated_at', 'name_folded'])
      .where('entry_id', 'in', ids)
      .where('entries.trashed_by', 'is', null)
      .execute(),
    tx
      .selectFrom('fields')
      .select(['entry_id', 'title', 'login', 'file_name'])
      .where('entry_id', 'in', ids)
      .where('trashed_by', 'is', null)
      .execute(),
  ]);
  const own = new Map<string, Field[]>(entries.map(({ entry_id }) => [entry_id, []]));
  for (const field of fields) own.get(field.entry_id)?.push(field);
  return entries.map((entry) => searchRowOf(entry, own.get(entry.entry_id) ?? [], entry.name_folded));
}

/** By what an entry with these living fields, in the group of this folded name, is found. */
export function searchRowOf(entry: Entry, fields: readonly Field[], group_folded: string): SearchRow {
  const { entry_id, entry_group_id, title, updated_at } = entry;
  const lines = [title, ...fields.flatMap((field) => [field.title, field.login ?? '', field.file_name ?? ''])];
  return {
    entry_id,
    entry_group_id,
    updated_at,
    title_folded: foldText(title),
    text_folded: foldText(lines.filter((line) => line !== '').join('\n')),
    group_folded,
  };
}

/** `%` and `_` in what a person types are letters like any other (decision H8). */
export const likeContaining = (text: string) => `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;
export const likeBeginning = (text: string) => `${text.replaceAll(/[\\%_]/g, '\\$&')}%`;

/** Whether a row of `entry_search` contains every one of the folded words. */
export function containsEvery(words: readonly string[]): Expression<SqlBool>[] {
  const long = words.filter((word) => [...word].length >= INDEXED_LENGTH);
  const short = words.filter((word) => !long.includes(word));
  return [...(long.length === 0 ? [] : [inTrigrams(long)]), ...short.map(inText)];
}

/** The index walks the lists of all words side by side, so a rare word makes a frequent one cheap. */
function inTrigrams(words: readonly string[]): Expression<SqlBool> {
  const phrases = words.map((word) => `"${word.replaceAll('"', '""')}"`).join(' AND ');
  return sql<SqlBool>`entry_search.id in (select rowid from entry_search_trigrams where entry_search_trigrams match ${phrases})`;
}

function inText(word: string): Expression<SqlBool> {
  const pattern = likeContaining(word);
  return sql<SqlBool>`(text_folded like ${pattern} escape '\\' or group_folded like ${pattern} escape '\\')`;
}
