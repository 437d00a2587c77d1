import type { Transact } from '../db/database.ts';
import type { UserRow } from '../users/user-repository.ts';

export type AccountChange = Partial<Pick<UserRow, 'name' | 'name_key' | 'email' | 'email_key' | 'password_hash'>>;

export async function updateUser(
  tx: Transact,
  userId: string,
  change: AccountChange & Partial<Pick<UserRow, 'is_admin' | 'is_auditor' | 'disabled_at'>>,
  now: number,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('users')
    .set({ ...change, updated_at: now })
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Counts other site admins who are not disabled. */
export async function countOtherAdmins(tx: Transact, userId: string): Promise<number> {
  const row = await tx
    .selectFrom('users')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('is_admin', '=', 1)
    .where('disabled_at', 'is', null)
    .where('user_id', '!=', userId)
    .executeTakeFirst();
  return Number(row?.count ?? 0);
}

export async function findAccountInAct(tx: Transact, userId: string): Promise<UserRow | undefined> {
  return tx.selectFrom('users').selectAll().where('user_id', '=', userId).executeTakeFirst();
}

/** For checks inside a transaction: another admin may have changed the account meanwhile. */
export async function isSiteAdminInAct(tx: Transact, userId: string): Promise<boolean> {
  const row = await findAccountInAct(tx, userId);
  return row !== undefined && row.is_admin === 1 && row.disabled_at === null;
}
