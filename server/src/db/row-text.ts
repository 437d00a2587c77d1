/** Rows as one text, for answers of thousands of them: the engine puts it together in half the time that handing over single values takes. */
import { sql } from 'kysely';
import type { Expression, RawBuilder } from 'kysely';
import { dialectOf } from './dialect-of.ts';
import type { Transact } from './database.ts';

/**
 * All rows of a query: these columns with a tab between, a line a row; null where there is no row. For columns that hold neither: ids, paths, words, and
 * any other text as `jsonText`.
 */
export function linesOf(columns: readonly Expression<string>[]): RawBuilder<string | null> {
  return sql<string | null>`string_agg(${sql.join(columns, sql` || '\t' || `)}, '\n')`;
}

/** A text as JSON writes it, with its quotes: control characters are escaped in it. */
export function jsonText(db: Pick<Transact, 'getExecutor'>, text: Expression<string>): RawBuilder<string> {
  return dialectOf(db) === 'sqlite' ? sql<string>`json_quote(${text})` : sql<string>`to_json(${text})::text`;
}
