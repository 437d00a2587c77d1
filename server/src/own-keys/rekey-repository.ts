import type { Database, Transact } from '../db/database.ts';
import type { Tables } from '../db/schema/tables.ts';

/** `fpr` and `ed25519` are null without keys. */
export async function findPresentKeys(db: Database['read'] | Transact, userId: string) {
  return db
    .selectFrom('users')
    .leftJoin('user_keysets', 'user_keysets.user_id', 'users.user_id')
    .leftJoin('user_certificates', 'user_certificates.fpr', 'user_keysets.fpr')
    .select(['users.keyset_version', 'users.must_rekey', 'user_keysets.fpr', 'user_certificates.ed25519'])
    .where('users.user_id', '=', userId)
    .executeTakeFirst();
}

/** With the current role, ordered by group and version. */
export async function listEveryGrant(db: Database['read'] | Transact, userId: string) {
  return db
    .selectFrom('group_grants')
    .innerJoin('group_members', (join) =>
      join
        .onRef('group_members.entry_group_id', '=', 'group_grants.entry_group_id')
        .onRef('group_members.user_id', '=', 'group_grants.user_id'),
    )
    .selectAll('group_grants')
    .select('group_members.role')
    .where('group_grants.user_id', '=', userId)
    .orderBy('group_grants.entry_group_id')
    .orderBy('group_grants.gk_version')
    .execute();
}

export async function listDocuments(tx: Transact, userId: string) {
  return tx.selectFrom('user_documents').select(['name', 'n']).where('user_id', '=', userId).execute();
}

/** Higher than every former version: no write for a former slot fits a new one. */
export async function nextSlotVersion(tx: Transact, userId: string): Promise<number> {
  const row = await tx
    .selectFrom('user_key_slots')
    .select((eb) => eb.fn.max<number | null>('version').as('version'))
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return (row?.version ?? 0) + 1;
}

/** Certificates stay; wraps of passkeys hold the former user key. */
export async function dropFormerKeys(tx: Transact, userId: string): Promise<void> {
  for (const table of ['user_prf_slots', 'user_key_slots', 'user_keysets', 'user_documents'] as const) {
    await tx.deleteFrom(table).where('user_id', '=', userId).execute();
  }
}

type Rewrapped = Pick<
  Tables['group_grants'],
  'entry_group_id' | 'gk_version' | 'user_id' | 'wrapped' | 'recipient_fpr'
>;

export async function updateGrants(tx: Transact, rows: readonly Rewrapped[]): Promise<void> {
  for (const { entry_group_id, gk_version, user_id, wrapped, recipient_fpr } of rows) {
    await tx
      .updateTable('group_grants')
      .set({ wrapped, recipient_fpr, granted_by: user_id })
      .where('entry_group_id', '=', entry_group_id)
      .where('gk_version', '=', gk_version)
      .where('user_id', '=', user_id)
      .execute();
  }
}

export async function markRekeyed(tx: Transact, userId: string, version: number, now: number): Promise<void> {
  await tx
    .updateTable('users')
    .set({ keyset_version: version, must_rekey: 0, mp_exposed_at: null, updated_at: now })
    .where('user_id', '=', userId)
    .execute();
}

/** Others may know the former keys: marks all groups for rotation, also in the trash. */
export async function markOwnRotationsDue(tx: Transact, userId: string): Promise<void> {
  await tx
    .updateTable('entry_groups')
    .set({ rotation_due: 1 })
    .where('entry_group_id', 'in', (eb) =>
      eb.selectFrom('group_members').select('entry_group_id').where('user_id', '=', userId),
    )
    .execute();
}
