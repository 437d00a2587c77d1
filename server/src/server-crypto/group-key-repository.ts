import type { GroupKeysWire } from '@passwordbroker/core/domain/groups/group-keys';
import type { Database, Transact } from '../db/database.ts';
import { asGrant, asRoster } from '../groups/group-answers.ts';
import { listOwnGrants, listRosters, undisturbed } from '../groups/key-repository.ts';

/** The newest roster and the caller's grants as one consistent state. */
export async function readGroupKeys(db: Database, groupId: string, userId: string): Promise<GroupKeysWire> {
  return undisturbed(db, groupId, async ({ gk_version, origin }) => {
    const [grants, rosters] = await Promise.all([
      listOwnGrants(db, groupId, userId),
      listRosters(db, groupId, undefined),
    ]);
    return { gk_version, origin, rosters: rosters.map(asRoster), grants: grants.map(asGrant) };
  });
}

/** Up to `limit` rosters before `seq`, ascending, without certificates. */
export async function listRostersBefore(
  db: Database,
  groupId: string,
  { seq, limit }: { readonly seq: number; readonly limit: number },
): Promise<GroupKeysWire['rosters']> {
  const rows = await db.read
    .selectFrom('group_rosters')
    .select(['bytes', 'sig', 'proof', 'proof_prev'])
    .where('entry_group_id', '=', groupId)
    .where('seq', '<', seq)
    .orderBy('seq', 'desc')
    .limit(limit)
    .execute();
  return rows.toReversed().map((row) => ({
    roster_base64: row.bytes.toString('base64'),
    roster_sig_base64: row.sig.toString('base64'),
    roster_proof_base64: row.proof?.toString('base64') ?? null,
    roster_proof_prev_base64: row.proof_prev?.toString('base64') ?? null,
    signer_certificate: null,
  }));
}

/** Sets `mp_exposed_at`. @returns whether it is the first time since the person's keys were made */
export async function markExposed(tx: Transact, userId: string, now: number): Promise<boolean> {
  const before = await tx.selectFrom('users').select('mp_exposed_at').where('user_id', '=', userId).executeTakeFirst();
  await tx.updateTable('users').set({ mp_exposed_at: now }).where('user_id', '=', userId).execute();
  return before?.mp_exposed_at === null;
}
