import type { BodyOf } from '@passwordbroker/core/contract/endpoint';
import type { Roster } from '@passwordbroker/core/contract/entities';
import type { signRoster } from '@passwordbroker/core/contract/groups/members';
import { AppError } from '@passwordbroker/core/contract/problem';
import { recordEvent } from '../audit/audit-log.ts';
import { asRoster } from '../groups/group-answers.ts';
import { listRosters } from '../groups/key-repository.ts';
import { hashOfRow, nextRosterRow, readOwnRoster, rosterConflict } from '../groups/signed-roster.ts';
import type { Deps } from '../http/context.ts';
import type { Caller } from '../operations/caller.ts';
import { appendRoster } from './change-repository.ts';
import { listPresentGroups } from './present-groups.ts';
import { rotatableInAct } from './rotation/rotate-group.ts';

/**
 * Adds a key proof: the next roster has the same members and key. A rotation signs groups without one.
 * @throws AppError `bad_sealed_value`, `roster_conflict`
 */
export async function signMembers(
  deps: Deps,
  caller: Caller,
  groupId: string,
  sent: BodyOf<typeof signRoster>,
): Promise<Roster> {
  const signed = await readOwnRoster(deps.db, caller.actor, sent, groupId);
  const row = await deps.db.transact(async (tx) => {
    await rotatableInAct(tx, caller, groupId);
    const group = (await listPresentGroups(tx, [groupId])).get(groupId);
    if (group?.roster === undefined || group.roster === null) throw rosterConflict(null);
    const next = nextRosterRow(signed, group.roster, group, deps.clock.now());
    if (!(await appendRoster(tx, next, group.roster))) throw rosterConflict(group.roster.seq);
    await recordEvent(tx, deps, {
      event_type: 'roster_signed',
      ...caller,
      target_type: 'entry_group',
      target_id: groupId,
      details: { seq: next.seq, roster_hash: hashOfRow(next) },
    });
    return next;
  });
  const stored = (await listRosters(deps.db, groupId, row.seq)).find(({ seq }) => seq === row.seq);
  if (stored === undefined) throw new AppError('not_found');
  return asRoster(stored);
}
