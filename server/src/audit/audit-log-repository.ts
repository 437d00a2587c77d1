import type { Transact } from '../db/database.ts';
import { prepared, preparedList } from '../db/prepared.ts';
import type { Tables } from '../db/schema/tables.ts';
import type { AnswerOf } from '@passwordbroker/core/contract/endpoint';
import type { size } from '@passwordbroker/core/contract/site/audit';
import { sql } from 'kysely';
import type { Deps } from '../http/context.ts';

export async function insertAuditRow(tx: Transact, row: Tables['audit_log']): Promise<void> {
  await ROW.all(tx, row);
}

export async function insertAuditRows(tx: Transact, rows: readonly Tables['audit_log'][]): Promise<void> {
  await ROWS(tx, rows);
}

function columnsOf(row: Tables['audit_log']) {
  const { audit_id, created_at, event_type, user_id, login } = row;
  const { target_type, target_id, address, agent_hash, details } = row;
  return { audit_id, created_at, event_type, user_id, login, target_type, target_id, address, agent_hash, details };
}

const ROW = prepared((db, given: Tables['audit_log']) => db.insertInto('audit_log').values(columnsOf(given)));

const ROWS = preparedList((db, rows: readonly Tables['audit_log'][]) =>
  db.insertInto('audit_log').values(rows.map(columnsOf)),
);

type Counted = Tables['refusal_counts'];

/** Returns true if the counter did not exist before. */
export async function addRefusals(tx: Transact, refusals: Counted): Promise<boolean> {
  const { repeats } = await tx
    .insertInto('refusal_counts')
    .values(refusals)
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'route', 'method', 'code']).doUpdateSet((row) => ({
        repeats: row('refusal_counts.repeats', '+', row('excluded.repeats', '+', 1)),
        last_at: row.ref('excluded.last_at'),
        address: row.ref('excluded.address'),
        agent_hash: row.ref('excluded.agent_hash'),
      })),
    )
    .returning('repeats')
    .executeTakeFirstOrThrow();
  return Number(repeats) === refusals.repeats;
}

/** Ordered by first refusal. */
export async function takeCountedRefusals(tx: Transact): Promise<Counted[]> {
  const rows = await tx.deleteFrom('refusal_counts').returningAll().execute();
  return rows.toSorted((a, b) => a.first_at - b.first_at);
}

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

/** Estimate: twice the text plus 500 bytes, as measured with `dbstat`, which would read the whole table. */
async function bytesOfOne({ read }: Pick<Deps['db'], 'read'>): Promise<number> {
  const { rows } = await sql<{ length: number | null }>`select
      avg(length(concat(audit_id, created_at, event_type, user_id, login, target_type, target_id, address, agent_hash, details))) as length
      from (select * from audit_log order by audit_id desc limit ${sql.lit(SAMPLE)})`.execute(read);
  return 2 * (rows[0]?.length ?? 0) + 500;
}
