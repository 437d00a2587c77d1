/** All that is stored, to show that a refusal changes nothing. */
import { sql } from 'kysely';
import type { TableMetadata } from 'kysely';
import type { Dialect } from '../../db/schema/migrate.ts';
import type { Deps } from '../../http/context.ts';

export type Stored = ReadonlyMap<string, string>;

/**
 * What a refusal may write: counters of failures (docs/spec/threats.md §3.1.9), and that a proof has been used, whatever came of it (docs/spec/api.md §1.5). The index of
 * search is made of tables that are compared themselves.
 */
const LEFT_OUT = /^(attempts|proof_nonces|audit_unsealed|refusal_counts|entry_search_.*)$/;

/**
 * Every table as text, made by the database in one go: it is asked for twice at each endpoint. Of the audit log all but the record of refusals, of sessions
 * all but the time of their last use.
 */
export async function readStored({ db }: Pick<Deps, 'db'>): Promise<Stored> {
  const tables = (await tablesOf(db)).map((table) => storedText(db.dialect, table));
  const { rows } = await sql<{ name: string; text: string | null }>`${sql.join(tables, sql` union all `)}`.execute(
    db.read,
  );
  return new Map(rows.map(({ name, text }) => [name, text ?? '']));
}

/** Row by row, column by column, `NULL` apart from the text of that name; where it would have to come over a connection, the digest of that. */
function storedText(dialect: Dialect, { name, columns }: TableMetadata) {
  const compared = columns.filter((column) => column.name !== 'last_seen_at').map((column) => sql.ref(column.name));
  const rows = name === 'audit_log' ? sql`audit_log where event_type <> 'access_refused'` : sql.table(name);
  if (dialect === 'sqlite') {
    const row = sql.join(
      compared.map((column) => sql`quote(${column})`),
      sql` || ' ' || `,
    );
    return sql`select ${sql.lit(name)} as name, group_concat(${row}, char(10)) as text from ${rows}`;
  }
  const row = sql`concat_ws(' ', ${sql.join(compared.map((column) => sql`quote_nullable(${column})`))})`;
  // A row that was written anew, if only with another time of its last use, lies elsewhere.
  const text = sql`string_agg(${row}, chr(10) order by ${row})`;
  return sql`select ${sql.lit(name)} as name, encode(sha256(convert_to(${text}, 'UTF8')), 'hex') as text from ${rows}`;
}

/** Names of the tables that differ. */
export const changedTables = (before: Stored, after: Stored): string[] =>
  [...after.keys()].filter((table) => before.get(table) !== after.get(table));

const known = new WeakMap<Deps['db'], Promise<TableMetadata[]>>();

function tablesOf(db: Deps['db']): Promise<TableMetadata[]> {
  const found =
    known.get(db) ??
    db.read.introspection.getTables().then((tables) => tables.filter(({ name }) => !LEFT_OUT.test(name)));
  known.set(db, found);
  return found;
}
