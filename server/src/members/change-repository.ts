import type { Role } from '@passwordbroker/core/domain/policy';
import type { Transact } from '../db/database.ts';
import { portions } from '../db/portions.ts';
import type { Tables } from '../db/schema/tables.ts';

/** Also changes the role in grants. */
export async function updateRole(
  tx: Transact,
  { groupId, userId, role, now }: { groupId: string; userId: string; role: Role; now: number },
): Promise<void> {
  await tx
    .updateTable('group_members')
    .set({ role, updated_at: now })
    .where('entry_group_id', '=', groupId)
    .where('user_id', '=', userId)
    .execute();
  await tx
    .updateTable('group_grants')
    .set({ role })
    .where('entry_group_id', '=', groupId)
    .where('user_id', '=', userId)
    .execute();
}

async function insertGrants(tx: Transact, rows: readonly Tables['group_grants'][]): Promise<void> {
  for (const portion of portions(rows)) await tx.insertInto('group_grants').values(portion).execute();
}

/** Also deletes all grants. */
export async function deleteMember(tx: Transact, groupId: string, userId: string): Promise<void> {
  for (const table of ['group_grants', 'group_members'] as const) {
    await tx.deleteFrom(table).where('entry_group_id', '=', groupId).where('user_id', '=', userId).execute();
  }
}

/** The removed person still knows the key. */
export async function markRotationDue(tx: Transact, groupId: string): Promise<void> {
  await tx.updateTable('entry_groups').set({ rotation_due: 1 }).where('entry_group_id', '=', groupId).execute();
}

/** False if it does not follow the newest. @param former its signer */
export async function appendRoster(
  tx: Transact,
  row: Tables['group_rosters'],
  former: { readonly signerFingerprint: string } | null,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('entry_groups')
    .set({ roster_seq: row.seq })
    .where('entry_group_id', '=', row.entry_group_id)
    .where('roster_seq', 'is not distinct from', row.seq === 0 ? null : row.seq - 1)
    .executeTakeFirst();
  if (numUpdatedRows !== 1n) return false;
  await tx.insertInto('group_rosters').values(row).execute();
  // Otherwise the signer still signs the newest roster.
  if (former !== null && former.signerFingerprint !== row.signer_fpr) await forgetSigner(tx, former.signerFingerprint);
  return true;
}

/**
 * Deletes the certificate of a deleted account that signed no group's newest roster (docs/spec/crypto.md §9).
 */
export async function forgetSigner(tx: Transact, fingerprint: string): Promise<void> {
  await tx
    .deleteFrom('user_certificates')
    .where('fpr', '=', fingerprint)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb.selectFrom('users').select('users.user_id').whereRef('users.user_id', '=', 'user_certificates.user_id'),
        ),
      ),
    )
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('group_rosters')
            .innerJoin('entry_groups', (join) =>
              join
                .onRef('entry_groups.entry_group_id', '=', 'group_rosters.entry_group_id')
                .onRef('entry_groups.roster_seq', '=', 'group_rosters.seq'),
            )
            .select('group_rosters.seq')
            .whereRef('group_rosters.signer', '=', 'user_certificates.user_id')
            .whereRef('group_rosters.signer_fpr', '=', 'user_certificates.fpr'),
        ),
      ),
    )
    .execute();
}

/** Returns false after a concurrent rotation. */
export async function appendKey(
  tx: Transact,
  { key, grants }: { readonly key: Tables['group_keys']; readonly grants: readonly Tables['group_grants'][] },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('entry_groups')
    .set({ gk_version: key.gk_version, origin: 'client', rotation_due: 0 })
    .where('entry_group_id', '=', key.entry_group_id)
    .where('gk_version', '=', key.gk_version - 1)
    .executeTakeFirst();
  if (numUpdatedRows !== 1n) return false;
  await tx.insertInto('group_keys').values(key).execute();
  await insertGrants(tx, grants);
  return true;
}
