import { hashRoster, verifyRosterOf } from '@passwordbroker/core/domain/rosters/roster';
import { type TrustRecord, withAcceptedList } from '@passwordbroker/core/domain/trust/trust-record';
import { takeTurns } from '../../platform/semaphore.ts';
import type { TrustingCaller } from './judged-group.ts';
import { asSignedRoster, listNames, listNewestLists } from './judging-repository.ts';

/**
 * Saves the lists of imported groups below `rootId` that name only the caller in the trust record (ADR 24),
 * so that lists hidden by a server are noticed. Call it after the import is committed.
 */
export async function acceptImported(caller: TrustingCaller, rootId: string): Promise<void> {
  const { deps, keyring, trust } = caller;
  const { userId } = keyring;
  const rows = (await listNewestLists(deps.db, userId)).filter(({ materialized_path: path }) =>
    path.split('.').includes(rootId),
  );
  const names = await listNames(deps.db, { groupIds: rows.map(({ entry_group_id }) => entry_group_id), userIds: [] });
  const groups: TrustRecord['groups'] = {};
  const turn = takeTurns();
  for (const { entry_group_id: groupId, materialized_path, bytes, sig } of rows) {
    await turn();
    if (bytes === null || sig === null) continue;
    const wire = asSignedRoster({ bytes, sig, proof: null, proof_prev: null }, null);
    const content = await verifyRosterOf(keyring.identity, wire, groupId).catch(() => null);
    if (content === null || content.members.some((member) => member.userId !== userId)) continue;
    const path = materialized_path.split('.').map((id) => names.get(id) ?? '');
    const list = { groupId, hash: await hashRoster(new Uint8Array(bytes)), seq: content.seq, path };
    const facts = { gkVersion: content.gkVersion, hasProof: content.hasProof === true, role: 'admin' as const };
    const now = Math.floor(deps.clock.now() / 1000);
    const one = withAcceptedList(
      { ...(await trust.record()), groups: {} },
      { ...list, ...facts, origin: 'client', how: 'made' },
      now,
    );
    Object.assign(groups, one.groups);
  }
  trust.change((record, now) => ({ ...record, at: Math.max(record.at, now), groups: { ...record.groups, ...groups } }));
  await trust.save();
}
