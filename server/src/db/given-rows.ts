import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { dialectOf } from './dialect-of.ts';
import type { Transact } from './database.ts';

type Kind = 'text' | 'integer' | 'bytes';
const POSTGRES: Readonly<Record<Kind, string>> = { text: 'text[]', integer: 'bigint[]', bytes: 'bytea[]' };

/**
 * Rows as parameters, for `with given as (…)` joined with a table. PostgreSQL gets each column as one typed
 * array.
 */
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
