/** Estimates the size of the audit log without counting rows. */
import type { AnswerOf } from '@passwordbroker/core/contract/endpoint';
import type { size } from '@passwordbroker/core/contract/site/audit';
import { sql } from 'kysely';
import type { Deps } from '../http/context.ts';

/** Number of rows that are sampled for their length. */
const SAMPLE = 1000;

export async function logSize({ db }: Pick<Deps, 'db'>): Promise<AnswerOf<typeof size>> {
  const { rows: found } = await sql<{ sealed: number; unsealed: number; oldest: number | null }>`select
      (select coalesce(max(seq) - min(seq) + 1, 0) from audit_chain) as sealed,
      (select count(*) from audit_unsealed) as unsealed,
      (select min(created_at) from audit_log) as oldest`.execute(db.read);
  const { sealed = 0, unsealed = 0, oldest = null } = found[0] ?? {};
  const rows = Number(sealed) + Number(unsealed);
  const bytes = db.dialect === 'postgres' ? await bytesOnPostgres(db) : rows * (await bytesOfOne(db));
  return { rows, bytes: Math.round(bytes), oldest_at: oldest === null ? null : new Date(Number(oldest)).toISOString() };
}

async function bytesOnPostgres({ read }: Pick<Deps['db'], 'read'>): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`select
      pg_total_relation_size('audit_log') + pg_total_relation_size('audit_chain') as bytes`.execute(read);
  return Number(rows[0]?.bytes ?? 0);
}

/**
 * Estimated bytes of a row with its link and its entries in seven indexes: twice its texts plus
 * 500, as measured with `dbstat`. Calling `dbstat` itself would read the whole table.
 */
async function bytesOfOne({ read }: Pick<Deps['db'], 'read'>): Promise<number> {
  const { rows } = await sql<{ length: number | null }>`select
      avg(length(concat(audit_id, created_at, event_type, user_id, login, target_type, target_id, address, agent_hash, details))) as length
      from (select * from audit_log order by audit_id desc limit ${sql.lit(SAMPLE)})`.execute(read);
  return 2 * (rows[0]?.length ?? 0) + 500;
}
