import type { GroupUser } from '@passwordbroker/core/contract/entities';
import { AppError } from '@passwordbroker/core/contract/problem';
import { recordEvents } from '../audit/audit-log.ts';
import { asGroupUser } from '../groups/group-answers.ts';
import { findMember } from '../groups/member-repository.ts';
import { type Answer, answer } from '../http/answer/answer.ts';
import type { Deps } from '../http/context.ts';
import type { Caller } from '../operations/caller.ts';
import { type MemberChange, judgeChanges } from './judged-change.ts';
import { planChanges, plannedOrRefuse } from './planned-change.ts';
import { eventOf, writePlanned } from './written-changes.ts';

/**
 * Adds a member or changes a role (docs/spec/decisions.md G5). Returns 201 for a new member, else 200.
 * @throws AppError `validation`, `conflict`, `key_version_conflict`, `roster_conflict`,
 * `rewrap_set_mismatch`, `bad_sealed_value`
 */
export async function changeMember(deps: Deps, caller: Caller, change: MemberChange): Promise<Answer<GroupUser>> {
  const judged = await judgeChanges(deps, caller, [change]);
  for (const { stranger } of judged) if (stranger !== null) throw stranger;
  const { groupId, targetId } = change;
  const planned = await deps.db.transact(async (tx) => {
    const plans = (await planChanges(tx, deps, caller, judged)).map(plannedOrRefuse);
    await writePlanned(tx, plans);
    await recordEvents(
      tx,
      deps,
      plans.map((plan) => eventOf(caller, plan)),
    );
    return plans;
  });
  const member = await findMember(deps.db, groupId, targetId);
  if (member === undefined) throw new AppError('not_found');
  return answer(planned[0]?.before === null ? 201 : 200, asGroupUser(member));
}
