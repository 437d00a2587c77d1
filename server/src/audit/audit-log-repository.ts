/** Rows of the audit log: written, read, never changed. */
import type { Transact } from '../db/database.ts';
import type { Tables } from '../db/schema.ts';

export async function insertAuditRow(tx: Transact, row: Tables['audit_log']): Promise<void> {
  await tx.insertInto('audit_log').values(row).execute();
}
