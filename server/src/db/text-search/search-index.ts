/**
 * One row per entry. SQLite indexes trigrams with FTS5, PostgreSQL with `pg_trgm`; shorter words are compared
 * with each text.
 */
import { type Expression, type SqlBool, sql } from 'kysely';
import { foldText, type SearchScope, type SearchTerm } from '@passwordbroker/core/domain/search-text';
import { DAY_MS, DUE_SOON_DAYS } from '@passwordbroker/core/domain/entry-marks';
import { LIMITS } from '@passwordbroker/core/domain/limits';
import type { SimilarWord } from '@passwordbroker/core/domain/similar-words';
import type { Transact } from '../database.ts';
import type { Dialect } from '../schema/migrate.ts';
import { prepared, preparedList } from '../prepared.ts';
import type { Tables } from '../schema/tables.ts';

const PORTION = 400;
const INDEXED_LENGTH = 3;

type SearchRow = Omit<Tables['entry_search'], 'id'>;
type Entry = Pick<Tables['entries'], 'entry_id' | 'entry_group_id' | 'title' | 'updated_at'>;
type Field = Pick<Tables['fields'], 'title' | 'login' | 'file_name'>;

/** Rebuilds the rows of changed, moved, removed or restored entries. */
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

/** Updates the search row after a field changed. */
export async function indexChangedField(
  tx: Transact,
  entryId: string,
  { before, after, now }: { readonly before: Field; readonly after: Field; readonly now: number },
): Promise<void> {
  const isSame = before.title === after.title && before.login === after.login && before.file_name === after.file_name;
  if (isSame) await indexChange(tx, entryId, now);
  else await indexEntries(tx, [entryId]);
}

/** Updates the time of an entry's last change. */
export async function indexChange(tx: Transact, entryId: string, now: number): Promise<void> {
  await TOUCH.all(tx, { entryId, now });
}

/** Updates an entry's title in the same transaction. */
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

/** Updates the entries of a renamed group. */
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

/** Cuts texts: folding may lengthen them, old entries may be too long. */
function folded(texts: readonly (string | null)[]): string {
  const text = foldText(texts.filter((one) => (one ?? '') !== '').join('\n'));
  if (text.length <= LIMITS.entryText) return text;
  return text.slice(0, LIMITS.entryText).replace(/[\uD800-\uDBFF]$/, '');
}

/** `%` and `_` are ordinary letters in a search (docs/spec/decisions.md H8). */
export const likeContaining = (text: string) => `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;
export const likeBeginning = (text: string) => `${text.replaceAll(/[\\%_]/g, '\\$&')}%`;

const COLUMNS = {
  title: ['title_folded', 'names_folded'],
  login: ['logins_folded'],
  group: ['group_folded'],
} as const satisfies Record<SearchScope, readonly (keyof SearchRow)[]>;
const ALL_COLUMNS = ['title_folded', 'names_folded', 'logins_folded', 'files_folded', 'group_folded'] as const;

export type TextTerm = Extract<SearchTerm, { kind: 'text' }>;

/** Whether a search visits the rows that contain the words and checks their groups, or the reverse. */
export type SearchStart = 'words' | 'groups';

/** The same name and start mean the same SQL text. */
export interface Condition {
  readonly name: string;
  readonly value: string;
  readonly holds: (value: string, start: SearchStart) => Expression<SqlBool>;
}

/** The conditions under which every term matches. */
export function conditionsOf(dialect: Dialect, terms: readonly SearchTerm[], today: number): readonly Condition[] {
  const conditionOf: ConditionOf = (term) => {
    const condition = holdingOf(term, today);
    return term.isExcluded ? not(condition) : condition;
  };
  return dialect === 'sqlite' ? conditionsByTrigrams(terms, conditionOf) : terms.map(conditionOf);
}

type ConditionOf = (term: SearchTerm) => Condition;

function holdingOf(term: SearchTerm, today: number): Condition {
  if (term.kind === 'due') return { name: `due ${term.due}`, value: String(today), holds: DUE[term.due] };
  if (term.kind === 'tag') return { name: 'tag', value: term.tag, holds: hasTag };
  return term.kind === 'type'
    ? { name: 'type', value: term.type, holds: hasType }
    : { name: `in ${term.scope ?? 'all'}`, value: likeContaining(term.text), holds: inText(term) };
}

const not = ({ name, value, holds }: Condition): Condition => ({
  name: `not ${name}`,
  value,
  holds: (given, start) => sql<SqlBool>`not ${holds(given, start)}`,
});

function conditionsByTrigrams(terms: readonly SearchTerm[], conditionOf: ConditionOf): readonly Condition[] {
  const texts = terms.filter((term) => term.kind === 'text');
  const isIndexed = ({ text }: TextTerm) => [...text].length >= INDEXED_LENGTH;
  const indexed = texts.filter((term) => isIndexed(term) && !term.isExcluded);
  const others = terms.filter((term) => term.kind !== 'text' || !indexed.includes(term));
  return [
    ...(indexed.length === 0 ? [] : [inTrigrams(indexed)]),
    ...others.map((term) => (term.kind === 'text' && isIndexed(term) ? not(inTrigrams([term])) : conditionOf(term))),
  ];
}

/** A string literal of an FTS5 query. */
const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;

/** FTS5 intersects the lists, so a rare word makes a frequent one cheap. */
function inTrigrams(terms: readonly TextTerm[]): Condition {
  const phrases = terms.map(({ text, scope }) =>
    scope === null ? quoted(text) : `{${COLUMNS[scope].join(' ')}} : ${quoted(text)}`,
  );
  return {
    name: 'trigrams',
    value: phrases.join(' AND '),
    holds: (given, start) =>
      sql<SqlBool>`${startingFrom[start]} in (select rowid from entry_search_trigrams where entry_search_trigrams match ${given})`,
  };
}

/** SQLite looks for no index of `+column`, so it starts from the other conditions. */
const startingFrom = { words: sql`entry_search.id`, groups: sql`+entry_search.id` };

function inText(term: TextTerm): Condition['holds'] {
  return (given) => {
    const tests = columnsOf(term).map((column) => sql`${sql.ref(`entry_search.${column}`)} like ${given} escape '\\'`);
    return sql<SqlBool>`(${sql.join(tests, sql` or `)})`;
  };
}

/** The columns in which a term is searched. */
export const columnsOf = ({ scope }: TextTerm) => (scope === null ? ALL_COLUMNS : COLUMNS[scope]);

/** Every row with a similar word, and others. Texts without trigrams are read as for two letters. */
export function maybeSimilar(dialect: Dialect, term: TextTerm, word: SimilarWord, start: SearchStart) {
  const likes = (patterns: readonly string[]) =>
    columnsOf(term).flatMap((column) =>
      patterns.map((given) => sql`${sql.ref(`entry_search.${column}`)} like ${given}`),
    );
  const middle = word.middle === null ? [] : [`%${word.middle.join('_')}%`];
  if (dialect !== 'sqlite') {
    return sql<SqlBool>`(${sql.join(likes([...word.pieces.map(likeContaining), ...middle]), sql` or `)})`;
  }
  const pieces = word.pieces.map(quoted).join(' OR ');
  const given = term.scope === null ? pieces : `{${COLUMNS[term.scope].join(' ')}} : (${pieces})`;
  const byTrigrams = sql`${startingFrom[start]} in
    (select rowid from entry_search_trigrams where entry_search_trigrams match ${given})`;
  return sql<SqlBool>`(${sql.join([byTrigrams, ...likes(middle)], sql` or `)})`;
}

const hasType: Condition['holds'] = (given) =>
  sql<SqlBool>`exists (select 1 from fields where fields.entry_id = entry_search.entry_id
    and fields.type = ${given} and fields.trashed_by is null)`;

const hasTag: Condition['holds'] = (given, start) =>
  start === 'words'
    ? sql<SqlBool>`entry_search.entry_id in (select entry_id from entry_tags where tag_key = ${given})`
    : sql<SqlBool>`exists (select 1 from entry_tags where entry_tags.entry_id = entry_search.entry_id
    and entry_tags.tag_key = ${given})`;

const isDue =
  (holds: (today: Expression<number>) => Expression<SqlBool>): Condition['holds'] =>
  (given, start) => {
    const due = holds(sql<number>`cast(${given} as bigint)`);
    return start === 'words'
      ? sql<SqlBool>`entry_search.entry_id in (select entry_id from entries where ${due})`
      : sql<SqlBool>`exists (select 1 from entries where entries.entry_id = entry_search.entry_id and ${due})`;
  };

const DUE: Readonly<Record<Extract<SearchTerm, { kind: 'due' }>['due'], Condition['holds']>> = {
  late: isDue((today) => sql<SqlBool>`due_at < ${today}`),
  week: isDue((today) => sql<SqlBool>`due_at between ${today} and ${today} + ${sql.lit(DUE_SOON_DAYS * DAY_MS)}`),
};
