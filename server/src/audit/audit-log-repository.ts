/** Rows of the audit log: written, read, never changed. */
import type { Transact } from '../db/database.ts';
import { prepared, preparedList } from '../db/prepared.ts';
import type { Tables } from '../db/schema/tables.ts';

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
