import type { Database, Transact } from '../../db/database.ts';
import { prepared } from '../../db/prepared.ts';
import type { Tables } from '../../db/schema/tables.ts';

type Reader = Database['read'] | Transact;

export async function findTotp(reader: Reader, userId: string) {
  return TOTP.first(reader, { userId });
}

const TOTP = prepared((db, given: { readonly userId: string }) =>
  db.selectFrom('user_totp').selectAll().where('user_id', '=', given.userId).where('confirmed_at', 'is not', null),
);

/** Undefined after it was confirmed or replaced. */
export async function findPendingTotp(reader: Reader, { totpId, userId }: { totpId: string; userId: string }) {
  return reader
    .selectFrom('user_totp')
    .selectAll()
    .where('totp_id', '=', totpId)
    .where('user_id', '=', userId)
    .where('confirmed_at', 'is', null)
    .executeTakeFirst();
}

/** Replaces a secret that waits for its first code. */
export async function insertPendingTotp(tx: Transact, row: Tables['user_totp']): Promise<void> {
  await tx.deleteFrom('user_totp').where('user_id', '=', row.user_id).where('confirmed_at', 'is', null).execute();
  await tx.insertInto('user_totp').values(row).execute();
}

/** Replaces the confirmed one. */
export async function confirmPendingTotp(
  tx: Transact,
  { totp_id, user_id }: Pick<Tables['user_totp'], 'totp_id' | 'user_id'>,
  { step, now }: { readonly step: number; readonly now: number },
): Promise<void> {
  await tx.deleteFrom('user_totp').where('user_id', '=', user_id).where('confirmed_at', 'is not', null).execute();
  await tx
    .updateTable('user_totp')
    .set({ confirmed_at: now, last_step: step })
    .where('totp_id', '=', totp_id)
    .execute();
}

/** False if this or a later step was used before. */
export async function spendStep(
  tx: Transact,
  totpId: string,
  { step, now }: { readonly step: number; readonly now: number },
): Promise<boolean> {
  return (await SPEND.first(tx, { totpId, step, now })) !== undefined;
}

const SPEND = prepared((db, given: { readonly totpId: string; readonly step: number; readonly now: number }) =>
  db
    .updateTable('user_totp')
    .set({ last_step: given.step, last_used_at: given.now })
    .where('totp_id', '=', given.totpId)
    .where('last_step', '<', given.step)
    .returning('totp_id'),
);

/** Returns whether there was a confirmed one of this id. */
export async function deleteTotp(
  tx: Transact,
  { totpId, userId }: { readonly totpId: string; readonly userId: string },
): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('user_totp')
    .where('totp_id', '=', totpId)
    .where('user_id', '=', userId)
    .where('confirmed_at', 'is not', null)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}

export async function deleteUnconfirmedTotp(tx: Transact, madeUntil: number): Promise<void> {
  await tx.deleteFrom('user_totp').where('confirmed_at', 'is', null).where('created_at', '<=', madeUntil).execute();
}

/** Undefined for an unknown, used or expired one. */
export async function findRecoveryCode(reader: Reader, userId: string, codeHash: Buffer, now: number) {
  return usableCodes(reader, userId, now).selectAll().where('code_hash', '=', codeHash).executeTakeFirst();
}

export async function countRecoveryCodes(reader: Reader, userId: string, now: number): Promise<number> {
  return Number((await COUNT.first(reader, { userId, now }))?.count ?? 0);
}

const COUNT = prepared((db, given: { readonly userId: string; readonly now: number }) =>
  usableCodes(db, given.userId, given.now).select((eb) => eb.fn.countAll<number>().as('count')),
);

const usableCodes = (reader: Reader, userId: string, now: number) =>
  reader
    .selectFrom('user_recovery_codes')
    .where('user_id', '=', userId)
    .where('used_at', 'is', null)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]));

/** When the present codes were made, and when the site was restored from a backup since. */
export async function findCodesMade(reader: Reader, userId: string) {
  return reader
    .selectFrom('user_recovery_codes')
    .select(['created_at', 'restored_at'])
    .where('user_id', '=', userId)
    .where('expires_at', 'is', null)
    .executeTakeFirst();
}

/** @param used_at null: it may be used again. False if another request has used or replaced it. */
export async function spendRecoveryCode(
  tx: Transact,
  { user_id, code_hash, used_at }: Pick<Tables['user_recovery_codes'], 'user_id' | 'code_hash' | 'used_at'>,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('user_recovery_codes')
    .set({ used_at })
    .where('user_id', '=', user_id)
    .where('code_hash', '=', code_hash)
    .where('used_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

export async function replaceRecoveryCodes(
  tx: Transact,
  userId: string,
  rows: readonly Tables['user_recovery_codes'][],
): Promise<void> {
  await tx.deleteFrom('user_recovery_codes').where('user_id', '=', userId).execute();
  if (rows.length > 0)
    await tx
      .insertInto('user_recovery_codes')
      .values([...rows])
      .execute();
}

export async function writeFactorState(
  tx: Transact,
  userId: string,
  factor_state: Tables['users']['factor_state'],
): Promise<void> {
  await tx.updateTable('users').set({ factor_state }).where('user_id', '=', userId).execute();
}

/** Removes every factor, browser and ticket of the account. Passkeys of other uses stay. */
export async function deleteFactors(tx: Transact, userId: string): Promise<void> {
  const tables = ['user_totp', 'user_recovery_codes', 'remembered_browsers', 'sign_in_tickets'] as const;
  for (const table of tables) await tx.deleteFrom(table).where('user_id', '=', userId).execute();
  await tx.deleteFrom('user_passkeys').where('user_id', '=', userId).where('for_factor', '=', 1).execute();
}
