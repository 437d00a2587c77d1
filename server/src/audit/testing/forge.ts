/** Changes to the log by an attacker with the database file, who drops the triggers first. */
import { sql } from 'kysely';
import type { Deps } from '../../http/context.ts';

export async function forge({ db }: Pick<Deps, 'db'>, ...statements: readonly string[]): Promise<void> {
  await db.transact(async (tx) => {
    if (db.dialect === 'postgres') {
      for (const table of ['audit_log', 'audit_chain']) {
        for (const what of ['change', 'deletion', 'truncation']) {
          await sql.raw(`alter table ${table} disable trigger ${table}_refuses_${what}`).execute(tx);
        }
      }
      for (const statement of statements) await sql.raw(statement).execute(tx);
      return;
    }
    const triggers = await sql<{ name: string }>`
      select name from sqlite_schema where type = 'trigger' and name like 'audit_%' and name not like '%awaits%'`.execute(
      tx,
    );
    for (const { name } of triggers.rows) await sql.raw(`drop trigger ${name}`).execute(tx);
    for (const statement of statements) await sql.raw(statement).execute(tx);
  });
}
