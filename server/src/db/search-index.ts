/**
 * The search index: one folded text an entry, and how a word is looked up in it. The only search code that knows the engine. SQLite indexes every three
 * letters in a row; shorter words are compared text by text.
 */
import { type Expression, sql } from 'kysely';
import { foldText } from '@passwordbroker/core/domain/fold-text';
import type { Transact } from './database.ts';
import type { Tables } from './schema.ts';

const PORTION = 400;
const INDEXED_LENGTH = 3;

type SearchRow = Omit<Tables['entry_search'], 'id'>;
type Entry = Pick<Tables['entries'], 'entry_id' | 'title'>;
type Field = Pick<Tables['fields'], 'title' | 'login' | 'file_name'>;

/** Texts of these entries anew, after an act has changed them. */
export async function indexEntries(tx: Transact, entryIds: readonly string[]): Promise<void> {
  for (let at = 0; at < entryIds.length; at += PORTION) {
    const ids = entryIds.slice(at, at + PORTION);
    const rows = await searchRows(tx, ids);
    await tx
      .insertInto('entry_search')
      .values(rows)
      .onConflict((conflict) =>
        conflict.column('entry_id').doUpdateSet((eb) => ({
          title_folded: eb.ref('excluded.title_folded'),
          text_folded: eb.ref('excluded.text_folded'),
        })),
      )
      .execute();
  }
}

async function searchRows(tx: Transact, ids: readonly string[]): Promise<SearchRow[]> {
  const [entries, fields] = await Promise.all([
    tx.selectFrom('entries').select(['entry_id', 'title']).where('entry_id', 'in', ids).execute(),
    tx
      .selectFrom('fields')
      .select(['entry_id', 'title', 'login', 'file_name'])
      .where('entry_id', 'in', ids)
      .where('trashed_by', 'is', null)
      .execute(),
  ]);
  const own = new Map<string, Field[]>(entries.map(({ entry_id }) => [entry_id, []]));
  for (const field of fields) own.get(field.entry_id)?.push(field);
  return entries.map((entry) => searchRowOf(entry, own.get(entry.entry_id) ?? []));
}

/** The texts by which an entry with these living fields is found. */
export function searchRowOf({ entry_id, title }: Entry, fields: readonly Field[]): SearchRow {
  const lines = [title, ...fields.flatMap((field) => [field.title, field.login ?? '', field.file_name ?? ''])];
  return {
    entry_id,
    title_folded: foldText(title),
    text_folded: foldText(lines.filter((line) => line !== '').join('\n')),
  };
}

/** `%` and `_` in what a person types are letters like any other (decision H8). */
export const likeContaining = (text: string) => `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;
export const likeBeginning = (text: string) => `${text.replaceAll(/[\\%_]/g, '\\$&')}%`;

/** Ids of `entry_search` rows whose text, or whose group's name, contains the folded word. */
export function rowsMatching(word: string): Expression<number> {
  // Cross joins keep the order as written: from the few groups of that name to their entries.
  const named = sql`select es.id from entry_groups g cross join entries e cross join entry_search es
    where e.entry_group_id = g.entry_group_id and es.entry_id = e.entry_id
    and g.name_folded like ${likeContaining(word)} escape '\\'`;
  return sql<number>`(${rowsContaining(word)} union ${named})`;
}

function rowsContaining(word: string) {
  if ([...word].length < INDEXED_LENGTH) {
    return sql`select id from entry_search where text_folded like ${likeContaining(word)} escape '\\'`;
  }
  const phrase = `"${word.replaceAll('"', '""')}"`;
  return sql`select rowid from entry_search_trigrams where entry_search_trigrams match ${phrase}`;
}
