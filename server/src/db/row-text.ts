import { sql, type Expression, type RawBuilder } from 'kysely';
import { dialectOf, type Transact } from './database.ts';

/**
 * All rows of a query as one text, twice as fast: lines with tab-separated columns, null without rows.
 * Columns must not contain tabs or newlines: wrap free text in `jsonText`.
 */
export function linesOf(columns: readonly Expression<string>[]): RawBuilder<string | null> {
  return sql<string | null>`string_agg(${sql.join(columns, sql` || '\t' || `)}, '\n')`;
}

/** All rows of a query as one text, a JSON array of arrays, twice as fast; for texts and numbers. */
export function jsonRows(db: Pick<Transact, 'getExecutor'>, columns: readonly string[]): RawBuilder<string> {
  const row = sql.join(columns.map((column) => sql.ref(column)));
  return dialectOf(db) === 'sqlite'
    ? sql<string>`json_group_array(json_array(${row}))`
    : sql<string>`coalesce(json_agg(json_build_array(${row})), '[]')::text`;
}

/** A text as a JSON string. */
export function jsonText(db: Pick<Transact, 'getExecutor'>, text: Expression<string>): RawBuilder<string> {
  return dialectOf(db) === 'sqlite' ? sql<string>`json_quote(${text})` : sql<string>`to_json(${text})::text`;
}

type Kind = 'text' | 'integer' | 'bytes';
const POSTGRES: Readonly<Record<Kind, string>> = { text: 'text[]', integer: 'bigint[]', bytes: 'bytea[]' };

/** Rows as parameters, for `with given as (…)`. */
export function givenRows<Name extends string>(
  tx: Transact,
  columns: Readonly<Record<Name, Kind>>,
  rows: readonly Readonly<Record<Name, string | number | Buffer>>[],
): RawBuilder<unknown> {
  const kinds = Object.entries<Kind>(columns) as [Name, Kind][];
  const names = sql.join(kinds.map(([name]) => sql.ref(name)));
  if (dialectOf(tx) === 'sqlite') {
    const values = rows.map((row) => sql`(${sql.join(kinds.map(([name]) => row[name]))})`);
    return sql`given (${names}) as (values ${sql.join(values)})`;
  }
  const lists = kinds.map(([name, kind]) => sql`${rows.map((row) => row[name])}::${sql.raw(POSTGRES[kind])}`);
  return sql`given (${names}) as (select * from unnest(${sql.join(lists)}))`;
}
