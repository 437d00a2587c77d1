/** Everything stored, to show that a refusal changes nothing. */
import { sql } from 'kysely';
import type { TableMetadata } from 'kysely';
import type { Dialect } from '../../db/schema/migrate.ts';
import type { Deps } from '../../http/context.ts';

export type Stored = ReadonlyMap<string, string>;

/**
 * Tables that a refusal may change: counters of failures (docs/spec/threats.md §3.1.9), and used proofs
 * (docs/spec/api.md §1.5). The search index consists of tables that are derived from others.
 */
const LEFT_OUT = /^(attempts|proof_nonces|audit_unsealed|refusal_counts|entry_search_.*)$/;

const LAST_USES: ReadonlySet<string> = new Set(['last_seen_at', 'last_used_at', 'last_address']);

/**
 * Every table as text, built by the database in one statement, because it runs twice for each
 * endpoint. Without the record of refusals, and without the last use of sessions and credentials.
 */
export async function readStored({ db }: Pick<Deps, 'db'>): Promise<Stored> {
  const tables = (await tablesOf(db)).map((table) => storedText(db.dialect, table));
  const { rows } = await sql<{ name: string; text: string | null }>`${sql.join(tables, sql` union all `)}`.execute(
    db.read,
  );
  return new Map(rows.map(({ name, text }) => [name, text ?? '']));
}

/**
 * Row by row, column by column, with `NULL` distinct from that text; on a remote database only its
 * digest.
 */
function storedText(dialect: Dialect, { name, columns }: TableMetadata) {
  const compared = columns.filter(({ name: column }) => !LAST_USES.has(column)).map((column) => sql.ref(column.name));
  const rows = name === 'audit_log' ? sql`audit_log where event_type <> 'access_refused'` : sql.table(name);
  if (dialect === 'sqlite') {
    const row = sql.join(
      compared.map((column) => sql`quote(${column})`),
      sql` || ' ' || `,
    );
    return sql`select ${sql.lit(name)} as name, group_concat(${row}, char(10)) as text from ${rows}`;
  }
  const row = sql`concat_ws(' ', ${sql.join(compared.map((column) => sql`quote_nullable(${column})`))})`;
  // A rewritten row, even with only a new time of last use, moves in the table.
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
