/** Rows of the audit log: written, read, never changed. */
import type { Transact } from '../db/database.ts';
import { prepared } from '../db/prepared.ts';
import type { Tables } from '../db/schema.ts';

export async function insertAuditRow(tx: Transact, row: Tables['audit_log']): Promise<void> {
  await ROW.later(tx, row);
}

const ROW = prepared((db, given: Tables['audit_log']) => {
  const { audit_id, created_at, event_type, user_id, login } = given;
  const { target_type, target_id, address, agent_hash, details } = given;
  return db
    .insertInto('audit_log')
    .values({ audit_id, created_at, event_type, user_id, login, target_type, target_id, address, agent_hash, details });
});
