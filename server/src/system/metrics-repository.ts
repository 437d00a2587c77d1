/** What the metrics ask the database: counts and times, nothing that names anybody. */
import type { Database } from '../db/database.ts';

type Reader = Pick<Database, 'read'>;

async function countOf({ read }: Reader, table: 'audit_unsealed' | 'mail_outbox'): Promise<number> {
  const { n } = await read
    .selectFrom(table)
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow();
  return Number(n);
}

export const countUnsealed = (db: Reader) => countOf(db, 'audit_unsealed');
export const countWaitingMail = (db: Reader) => countOf(db, 'mail_outbox');

/** Milliseconds since 1970; 0 while there is none. */
export async function lastBackupAt({ read }: Reader): Promise<number> {
  const { at } = await read
    .selectFrom('backups')
    .select((eb) => eb.fn.max<number | null>('made_at').as('at'))
    .executeTakeFirstOrThrow();
  return at ?? 0;
}
