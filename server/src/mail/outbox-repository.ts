import type { Database, Transact } from '../db/database.ts';
import type { Tables } from '../db/schema/tables.ts';

export type OutboxRow = Tables['mail_outbox'];

export async function insertMail(tx: Transact, row: OutboxRow): Promise<void> {
  await tx.insertInto('mail_outbox').values(row).execute();
}

/**
 * Oldest first.
 * @param latest latest due time by number of failures; later ones are due too, because the clock was set back
 */
export async function listDueMail(
  { read }: Pick<Database, 'read'>,
  now: number,
  latest: readonly number[],
  limit: number,
): Promise<OutboxRow[]> {
  return read
    .selectFrom('mail_outbox')
    .selectAll()
    .where((row) =>
      row.or([
        row('due_at', '<=', now),
        ...latest.map((at, attempts) => row.and([row('attempts', '=', attempts), row('due_at', '>', at)])),
      ]),
    )
    .orderBy('due_at')
    .orderBy('mail_id')
    .limit(limit)
    .execute();
}

export async function deleteMail(tx: Transact, mailId: string): Promise<void> {
  await tx.deleteFrom('mail_outbox').where('mail_id', '=', mailId).execute();
}

export async function postponeMail(tx: Transact, mailId: string, attempts: number, dueAt: number): Promise<void> {
  await tx.updateTable('mail_outbox').set({ attempts, due_at: dueAt }).where('mail_id', '=', mailId).execute();
}
