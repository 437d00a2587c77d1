import type { Database } from '../../db/database.ts';
import type { Tables } from '../../db/schema/tables.ts';
import { findLastLink } from '../chain/chain-repository.ts';

export type ReceiverName = Tables['audit_pushes']['receiver'];

/** A new receiver starts at the current end of the chain. */
export async function readProgress(db: Database, receiver: ReceiverName): Promise<number> {
  const stored = await findProgress(db, receiver);
  if (stored !== undefined) return stored;
  return db.transactBeside(async (tx) => {
    const seq = (await findLastLink(tx))?.seq ?? 0;
    await tx
      .insertInto('audit_pushes')
      .values({ receiver, seq })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    return seq;
  });
}

export async function findProgress({ read }: Database, receiver: ReceiverName): Promise<number | undefined> {
  const row = await read.selectFrom('audit_pushes').select('seq').where('receiver', '=', receiver).executeTakeFirst();
  return row?.seq;
}

/** The number never decreases, even if two processes deliver. */
export async function storeProgress(db: Database, receiver: ReceiverName, seq: number): Promise<void> {
  await db.transactBeside((tx) =>
    tx.updateTable('audit_pushes').set({ seq }).where('receiver', '=', receiver).where('seq', '<', seq).execute(),
  );
}

/** In chain order. */
export async function listSealedRows({ read }: Database, after: number, limit: number) {
  return read
    .selectFrom('audit_chain')
    .innerJoin('audit_log', 'audit_log.audit_id', 'audit_chain.audit_id')
    .selectAll('audit_log')
    .select(['audit_chain.seq', 'audit_chain.hash'])
    .where('audit_chain.seq', '>', after)
    .orderBy('audit_chain.seq')
    .limit(limit)
    .execute();
}
