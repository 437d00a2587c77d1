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
