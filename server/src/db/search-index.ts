/**
 * The search index: one row an entry with all that a search looks at, and how words are looked up in it. The only search code that knows the engine.
 * SQLite indexes every three letters in a row (PostgreSQL too, `trigram-index.ts`); shorter words are compared text by text.
 */
import { type Expression, type SqlBool, sql } from 'kysely';
import { foldText } from '@passwordbroker/core/domain/fold-text';
import { isAbsent } from '@passwordbroker/core/domain/search-query';
import { LIMITS } from '@passwordbroker/core/domain/limits';
import type { SearchScope, SearchTerm } from '@passwordbroker/core/domain/search-query';
import type { Database, Transact } from './database.ts';
import { prepared, preparedList } from './prepared.ts';
import { quoted, rareTrigrams } from './rare-trigrams.ts';
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
    await UPSERT(tx, rows);
  }
}

/** After a living field has changed: the texts of its entry are read anew only where search looks at one that is another now. */
export async function indexChangedField(
  tx: Transact,
  entryId: string,
  { before, after, now }: { readonly before: Field; readonly after: Field; readonly now: number },
): Promise<void> {
  const isSame = before.title === after.title && before.login === after.login && before.file_name === after.file_name;
  if (isSame) await TOUCH.all(tx, { entryId, now });
  else await indexEntries(tx, [entryId]);
}

/**
 * Updates the search row of an entry after its title changed. Runs in the transaction of the
 * change.
 */
export async function indexEntryTitle(tx: Transact, entryId: string, title: string, now: number): Promise<void> {
  await TITLE.all(tx, { entryId, title_folded: folded([title]), now });
}

const TITLE = prepared((db, given: { readonly entryId: string; readonly title_folded: string; readonly now: number }) =>
  db
    .updateTable('entry_search')
    .set({ title_folded: given.title_folded, updated_at: given.now })
    .where('entry_id', '=', given.entryId),
);

const TOUCH = prepared((db, given: { readonly entryId: string; readonly now: number }) =>
  db.updateTable('entry_search').set({ updated_at: given.now }).where('entry_id', '=', given.entryId),
);

/** After a group has got another name. */
export async function indexGroupName(tx: Transact, groupId: string, group_folded: string): Promise<void> {
  await tx.updateTable('entry_search').set({ group_folded }).where('entry_group_id', '=', groupId).execute();
}

const UPSERT = preparedList((db, rows: readonly SearchRow[]) =>
  db
    .insertInto('entry_search')
    .values(
      rows.map((row) => {
        const { entry_id, entry_group_id, updated_at } = row;
        const { title_folded, names_folded, logins_folded, files_folded, group_folded } = row;
        const texts = { title_folded, names_folded, logins_folded, files_folded, group_folded };
        return { entry_id, entry_group_id, updated_at, ...texts };
      }),
    )
    .onConflict((conflict) =>
      conflict.column('entry_id').doUpdateSet((eb) => ({
        entry_group_id: eb.ref('excluded.entry_group_id'),
        updated_at: eb.ref('excluded.updated_at'),
        title_folded: eb.ref('excluded.title_folded'),
        names_folded: eb.ref('excluded.names_folded'),
        logins_folded: eb.ref('excluded.logins_folded'),
        files_folded: eb.ref('excluded.files_folded'),
        group_folded: eb.ref('excluded.group_folded'),
      })),
    ),
);

interface Named {
  readonly id: string;
}

const ENTRIES = preparedList((db, named: readonly Named[]) =>
  db
    .selectFrom('entries')
    .innerJoin('entry_groups', 'entry_groups.entry_group_id', 'entries.entry_group_id')
    .select(['entry_id', 'entries.entry_group_id', 'title', 'entries.updated_at', 'name_folded'])
    .where(
      'entry_id',
      'in',
      named.map(({ id }) => id),
    )
    .where('entries.trashed_by', 'is', null),
);

const FIELDS = preparedList((db, named: readonly Named[]) =>
  db
    .selectFrom('fields')
    .select(['entry_id', 'title', 'login', 'file_name'])
    .where(
      'entry_id',
      'in',
      named.map(({ id }) => id),
    )
    .where('trashed_by', 'is', null),
);

async function searchRows(tx: Transact, ids: readonly string[]): Promise<SearchRow[]> {
  const named = ids.map((id) => ({ id }));
  const [entries, fields] = [await ENTRIES(tx, named), await FIELDS(tx, named)];
  const own = new Map<string, Field[]>(entries.map(({ entry_id }) => [entry_id, []]));
  for (const field of fields) own.get(field.entry_id)?.push(field);
  return entries.map((entry) => searchRowOf(entry, own.get(entry.entry_id) ?? [], entry.name_folded));
}

/** By what an entry with these living fields, in the group of this folded name, is found. */
export function searchRowOf(entry: Entry, fields: readonly Field[], group_folded: string): SearchRow {
  const { entry_id, entry_group_id, title, updated_at } = entry;
  return {
    entry_id,
    entry_group_id,
    updated_at,
    title_folded: folded([title]),
    names_folded: folded(fields.map((field) => field.title)),
    logins_folded: folded(fields.map((field) => field.login)),
    files_folded: folded(fields.map((field) => field.file_name)),
    group_folded,
  };
}

/**
 * Joins texts by newlines and cuts them: folding may lengthen a text, and old entries may exceed
 * `LIMITS.entryText`.
 */
function folded(texts: readonly (string | null)[]): string {
  const text = foldText(texts.filter((one) => (one ?? '') !== '').join('\n'));
  if (text.length <= LIMITS.entryText) return text;
  return text.slice(0, LIMITS.entryText).replace(/[\uD800-\uDBFF]$/, '');
}

/** `%` and `_` in what a person types are letters like any other (docs/spec/decisions.md H8). */
export const likeContaining = (text: string) => `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;
export const likeBeginning = (text: string) => `${text.replaceAll(/[\\%_]/g, '\\$&')}%`;

/** Columns of `entry_search` in which a term is looked for. */
const COLUMNS = {
  title: ['title_folded', 'names_folded'],
  login: ['logins_folded'],
  group: ['group_folded'],
} as const satisfies Record<SearchScope, readonly (keyof SearchRow)[]>;
const ALL_COLUMNS = ['title_folded', 'names_folded', 'logins_folded', 'files_folded', 'group_folded'] as const;

type TextTerm = Extract<SearchTerm, { kind: 'text' }>;

/** Something that must hold of a row of `entry_search`. The same name stands for the same text of the statement, whatever value it compares with. */
export interface Condition {
  readonly name: string;
  readonly value: string;
  readonly holds: (value: string) => Expression<SqlBool>;
}

/** What must hold so that every term does. */
export async function conditionsOf(
  { dialect, read }: Pick<Database, 'dialect' | 'read'>,
  terms: readonly SearchTerm[],
): Promise<readonly Condition[]> {
  return dialect === 'sqlite' ? conditionsBySide(read, terms) : terms.map(conditionOf);
}

/** PostgreSQL finds the letters of a comparison in its own index, when it has one. */
function conditionOf(term: SearchTerm): Condition {
  const condition = holdingOf(term);
  return term.isExcluded ? not(condition) : condition;
}

function holdingOf(term: SearchTerm): Condition {
  if (isAbsent(term)) return { name: 'nowhere', value: '', holds: () => sql<SqlBool>`(1 = 0)` };
  return term.kind === 'type'
    ? { name: 'type', value: term.type, holds: hasType }
    : { name: `in ${term.scope ?? 'all'}`, value: likeContaining(term.text), holds: inText(term) };
}

const not = ({ name, value, holds }: Condition): Condition => ({
  name: `not ${name}`,
  value,
  holds: (given) => sql<SqlBool>`not ${holds(given)}`,
});

async function conditionsBySide(read: Database['read'], terms: readonly SearchTerm[]): Promise<readonly Condition[]> {
  const texts = terms.filter((term) => term.kind === 'text');
  const isIndexed = ({ text }: TextTerm) => [...text].length >= INDEXED_LENGTH;
  const indexed = texts.filter((term) => isIndexed(term) && !term.isExcluded);
  const others = terms.filter((term) => term.kind !== 'text' || !indexed.includes(term));
  return [
    ...(indexed.length === 0 ? [] : await allInTrigrams(read, indexed)),
    ...others.map((term) => (term.kind === 'text' && isIndexed(term) ? not(inTrigrams([term])) : conditionOf(term))),
  ];
}

/** Where a few rare letters leave few rows, these are compared with the words; else the index knows it all. */
async function allInTrigrams(read: Database['read'], terms: readonly TextTerm[]): Promise<readonly Condition[]> {
  const rare = await rareTrigrams(
    read,
    terms.map(({ text }) => text),
  );
  if (rare === null) return [inTrigrams(terms)];
  const parts = terms.flatMap((term, at) => (rare[at] ?? []).map((text) => ({ ...term, text })));
  return [inTrigrams(parts), ...terms.map(conditionOf)];
}

/** The index walks the lists of all words side by side, so a rare word makes a frequent one cheap. */
function inTrigrams(terms: readonly TextTerm[]): Condition {
  const phrases = terms.map(({ text, scope }) =>
    scope === null ? quoted(text) : `{${COLUMNS[scope].join(' ')}} : ${quoted(text)}`,
  );
  return {
    name: 'trigrams',
    value: phrases.join(' AND '),
    holds: (given) =>
      sql<SqlBool>`entry_search.id in (select rowid from entry_search_trigrams where entry_search_trigrams match ${given})`,
  };
}

function inText({ scope }: TextTerm): Condition['holds'] {
  const columns = scope === null ? ALL_COLUMNS : COLUMNS[scope];
  return (given) => {
    const tests = columns.map((column) => sql`${sql.ref(`entry_search.${column}`)} like ${given} escape '\\'`);
    return sql<SqlBool>`(${sql.join(tests, sql` or `)})`;
  };
}

const hasType: Condition['holds'] = (given) =>
  sql<SqlBool>`exists (select 1 from fields where fields.entry_id = entry_search.entry_id
    and fields.type = ${given} and fields.trashed_by is null)`;
