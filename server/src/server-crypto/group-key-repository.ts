/** What one member needs to open a group: the newest roster with its signer's certificate, and the own grants. */
import type { GroupKeysWire } from '@passwordbroker/core/domain/group-keys';
import type { RosterWire } from '@passwordbroker/core/domain/roster';
import type { Database } from '../db/database.ts';
import { asGrant, asRoster } from '../entry-groups/group-answers.ts';
import { listOwnGrants, listRosters, undisturbed } from '../entry-groups/key-repository.ts';

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
): Promise<(RosterWire & { readonly seq: number })[]> {
  const rows = await db.read
    .selectFrom('group_rosters')
    .select(['seq', 'bytes', 'sig'])
    .where('entry_group_id', '=', groupId)
    .where('seq', '<', seq)
    .orderBy('seq', 'desc')
    .limit(limit)
    .execute();
  return rows.toReversed().map((row) => ({
    seq: row.seq,
    roster_base64: row.bytes.toString('base64'),
    roster_sig_base64: row.sig.toString('base64'),
  }));
}
