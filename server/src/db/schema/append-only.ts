import { sql } from 'kysely';
import type { Transact } from '../database.ts';
import type { Dialect } from './migrate.ts';

/**
 * Runs `work` while rows of the audit chain may be deleted, for a recovery. Restores the triggers in the same
 * transaction.
 */
export async function withoutChainGuards(tx: Transact, dialect: Dialect, work: () => Promise<void>): Promise<void> {
  if (dialect === 'postgres') {
    await sql`alter table audit_chain disable trigger user`.execute(tx);
    await work();
    await sql`alter table audit_chain enable trigger user`.execute(tx);
    return;
  }
  const { rows } = await sql<{
    name: string;
    sql: string;
  }>`select name, sql from sqlite_master where type = 'trigger' and tbl_name = 'audit_chain'`.execute(tx);
  for (const { name } of rows) await sql`drop trigger ${sql.ref(name)}`.execute(tx);
  await work();
  for (const trigger of rows) await sql.raw(trigger.sql).execute(tx);
}
