import type { Database, Transact } from '../../db/database.ts';
import type { Tables } from '../../db/schema/tables.ts';

/** Undefined for an account without keys. */
export async function findSigningKey(db: Database, userId: string): Promise<Buffer | undefined> {
  const row = await db.read
    .selectFrom('user_keysets')
    .innerJoin('user_certificates', 'user_certificates.fpr', 'user_keysets.fpr')
    .select('user_certificates.ed25519')
    .where('user_keysets.user_id', '=', userId)
    .executeTakeFirst();
  return row?.ed25519;
}

/** False for a used nonce, null if the session has ended. */
export async function rememberNonce(tx: Transact, row: Tables['proof_nonces']): Promise<boolean | null> {
  const session = await tx
    .selectFrom('sessions')
    .select('session_id')
    .where('session_id', '=', row.session_id)
    .executeTakeFirst();
  if (session === undefined) return null;
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('proof_nonces')
    .values(row)
    .onConflict((conflict) => conflict.columns(['session_id', 'nonce']).doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

export async function deleteOldNonces(tx: Transact, seenBefore: number): Promise<void> {
  await tx.deleteFrom('proof_nonces').where('seen_at', '<', seenBefore).execute();
}
