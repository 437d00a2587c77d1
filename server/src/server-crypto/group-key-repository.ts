/** What one member needs to open a group: the newest roster with its signer's certificate, and the own grants. */
import type { GroupKeysWire } from '@passwordbroker/core/domain/groups/group-keys';
import type { Database } from '../db/database.ts';
import { asGrant, asRoster } from '../groups/group-answers.ts';
import { listOwnGrants, listRosters, undisturbed } from '../groups/key-repository.ts';

/** As they are together: no rotation falls in between. */
export async function readGroupKeys(db: Database, groupId: string, userId: string): Promise<GroupKeysWire> {
  return undisturbed(db, groupId, async ({ gk_version, origin }) => {
    const [grants, rosters] = await Promise.all([
      listOwnGrants(db, groupId, userId),
      listRosters(db, groupId, undefined),
    ]);
    return { gk_version, origin, rosters: rosters.map(asRoster), grants: grants.map(asGrant) };
  });
}

/** Some rosters before that one, ascending, without their signers. */
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
