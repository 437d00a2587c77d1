import { sql } from 'kysely';
import type { Database } from './database.ts';
import { LEAST } from './schema/migrations/0030-trust.ts';

const TOLD = 20;

type Reader = Pick<Database, 'read' | 'dialect'>;

/** Returns one sentence per damage, at most 20. */
export async function findDamage({ read, dialect }: Reader): Promise<string[]> {
  const damage = dialect === 'sqlite' ? await findInFile({ read }) : await findOnServer({ read });
  if (damage.length === 0) damage.push(...(await findTooSmall({ read })));
  return damage.slice(0, TOLD);
}

/** Finds older rows that violate the constraints of migration 0030. */
async function findTooSmall({ read }: Pick<Reader, 'read'>): Promise<string[]> {
  const damage: string[] = [];
  for (const [table, column, least] of LEAST) {
    const rows = await sql<{ n: number }>`select count(*) as n from ${sql.table(table)}
      where ${sql.ref(column)} < ${sql.lit(least)}`.execute(read);
    const n = rows.rows[0]?.n ?? 0;
    if (n > 0)
      damage.push(`${n} row(s) of ${table} have a ${column} below ${least}: no client opens what is under it.`);
  }
  return damage;
}

async function findInFile({ read }: Pick<Reader, 'read'>): Promise<string[]> {
  const pages = await sql<{ quick_check: string }>`pragma quick_check(${sql.lit(TOLD)})`.execute(read);
  const damaged = pages.rows.map((row) => row.quick_check).filter((text) => text !== 'ok');
  if (damaged.length > 0) return damaged;
  const lost = await sql<{ table: string; rowid: number | null; parent: string }>`pragma foreign_key_check`.execute(
    read,
  );
  const numbered: string[] = [];
  const counted = new Map<string, { n: number; table: string; parent: string }>();
  for (const { table, rowid, parent } of lost.rows) {
    if (rowid === null) {
      // Tables WITHOUT ROWID have no row number.
      const { n } = counted.get(`${table} ${parent}`) ?? { n: 0 };
      counted.set(`${table} ${parent}`, { n: n + 1, table, parent });
    } else numbered.push(`Row ${rowid} of ${table} refers to a row of ${parent} that is not there.`);
  }
  return [...[...counted.values()].map(({ n, table, parent }) => referring(n, table, parent)), ...numbered];
}

const referring = (n: number, table: string, parent: string) =>
  `${n} row(s) of ${table} refer to a row of ${parent} that is not there.`;

/** PostgreSQL verifies page checksums on reading; this also checks references. */
async function findOnServer({ read }: Pick<Reader, 'read'>): Promise<string[]> {
  const damage: string[] = [];
  const tables = await sql<{ name: string }>`select tablename as name from pg_tables
    where schemaname = current_schema() order by tablename`.execute(read);
  for (const { name } of tables.rows) {
    const all = sql`select count(one.*::text) from ${sql.table(name)} one`;
    await all.execute(read).catch((error: unknown) => {
      if (!isDamage(error)) throw error;
      damage.push(`The table ${name} cannot be read as a whole.`);
    });
  }
  if (damage.length > 0) return damage;
  const references = await sql<{ child: string; column: string; parent: string; key: string }>`
    select child.relname as child, own.attname as column, parent.relname as parent, key.attname as key
    from pg_constraint as c
    join pg_class child on child.oid = c.conrelid join pg_class parent on parent.oid = c.confrelid
    join pg_attribute own on own.attrelid = c.conrelid and own.attnum = c.conkey[1]
    join pg_attribute key on key.attrelid = c.confrelid and key.attnum = c.confkey[1]
    where c.contype = 'f' and c.connamespace = current_schema()::regnamespace
    order by 1, 2`.execute(read);
  for (const { child, column, parent, key } of references.rows) {
    const own = sql.ref(`child.${column}`);
    const lost = await sql<{ n: number }>`select count(*) as n from ${sql.table(child)} child
      where ${own} is not null and not exists (
        select 1 from ${sql.table(parent)} parent where ${sql.ref(`parent.${key}`)} = ${own})`.execute(read);
    const n = lost.rows[0]?.n ?? 0;
    if (n > 0) damage.push(referring(n, child, parent));
  }
  return damage;
}

/** Damaged pages or indexes, unreadable files. */
function isDamage(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return /^(XX00|58)/.test(code);
}
