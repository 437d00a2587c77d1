import { sql } from 'kysely';
import type { Database } from '../db/database.ts';
import type { Tables } from '../db/schema/tables.ts';

type Reader = Pick<Database, 'read'>;
export type Row = Readonly<Record<string, unknown>>;

export async function isUntouched({ read }: Reader): Promise<boolean> {
  for (const table of ['users', 'audit_log', 'entry_groups', 'operations'] as const) {
    const { rows } = await sql`select 1 from ${sql.table(table)} limit 1`.execute(read);
    if (rows.length > 0) return false;
  }
  return true;
}

/** Only for small tables. */
export async function readWhole({ read }: Reader, table: keyof Tables): Promise<readonly Row[]> {
  return (await sql<Row>`select * from ${sql.table(table)}`.execute(read)).rows;
}
