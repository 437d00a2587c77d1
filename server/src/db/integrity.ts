/** What the engine itself finds wrong with its file. */
import { sql } from 'kysely';
import type { Database } from './database.ts';

const TOLD = 20;

/** Sentences about damage, none when there is none. Reads all of the database. */
export async function findDamage({ read }: Pick<Database, 'read'>): Promise<string[]> {
  const pages = await sql<{ quick_check: string }>`pragma quick_check(${sql.lit(TOLD)})`.execute(read);
  const damaged = pages.rows.map((row) => row.quick_check).filter((text) => text !== 'ok');
  if (damaged.length > 0) return damaged;
  const lost = await sql<{ table: string; rowid: number | null; parent: string }>`pragma foreign_key_check`.execute(
    read,
  );
  return lost.rows
    .slice(0, TOLD)
    .map(
      ({ table, rowid, parent }) => `Row ${rowid ?? '?'} of ${table} refers to a row of ${parent} that is not there.`,
    );
}
