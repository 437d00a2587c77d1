import type { add } from '@passwordbroker/core/contract/groups/members';
import type { PlainBodyOf } from '@passwordbroker/core/contract/endpoint';
import type { GroupUser } from '@passwordbroker/core/contract/entities';
import { addMember, changeRole } from '@passwordbroker/core/domain/groups/member-change';
import type { Role } from '@passwordbroker/core/domain/policy';
import { withRemoval } from '@passwordbroker/core/domain/trust/trust-record';
import type { Answer } from '../http/answer/answer.ts';
import type { Context } from '../http/context.ts';
import { changeMember } from '../members/change-members.ts';
import { groupInTransaction, roleBefore, refuseStranger, sealedChange } from '../members/check-member-change.ts';
import { listPresentMembers } from '../members/present-repository.ts';
import { pendingRewraps } from '../members/rotation/rotate-group.ts';
import { type OpenedCaller, withCallerKeyring } from './caller-keyring.ts';
import { rewrapAll, TRIES, isBehind } from './rotation.ts';
import { acceptOwnList, openAccepted } from './trust/judged-group.ts';
import { continuedMembers, newMember } from './trust/recipients.ts';

type Changing = Context<typeof add, PlainBodyOf<typeof add>>;

/**
 * Adds a person or changes a role; retries after concurrent changes of other members. @throws AppError as
 * `changeMember`
 */
export async function changeMemberWithMasterPassword(context: Changing): Promise<Answer<GroupUser>> {
  const { deps, group, body } = context;
  const groupId = group.entry_group_id;
  const change = { targetId: body.target_user_id, role: body.role };
  await refuseStranger(deps, change);
  return withCallerKeyring(context, body.master_password, async (opened) => {
    for (let tries = 1; ; tries += 1) {
      const before = await deps.db.transact(async (tx) => {
        const present = await groupInTransaction(tx, context, groupId);
        return roleBefore(present, await listPresentMembers(tx, groupId), context, change);
      });
      opened.trust.restart();
      if (before === null) await finishRotation(context, opened);
      const sealed = await sealChange(context, opened, before);
      try {
        return await changeMember(opened.deps, context, sealedChange(groupId, sealed));
      } catch (error) {
        if (!isBehind(error) || tries === TRIES) throw error;
      }
    }
  });
}

/** A new member gets only the current key, so other revisions are wrapped anew. */
async function finishRotation(context: Changing, opened: OpenedCaller): Promise<void> {
  const { entry_group_id, gk_version } = context.group;
  const { pending } = await pendingRewraps(context.deps.db, context.group, { limit: 1 });
  await rewrapAll(context, opened, { entry_group_id, gk_version, pending });
}

async function sealChange({ deps, group, body }: Changing, opened: OpenedCaller, before: Role | null) {
  const { keyring, trust } = opened;
  const { target_user_id: userId, role, recipient_fpr } = body;
  const groupId = group.entry_group_id;
  const accepted = await openAccepted(opened, groupId);
  if (before === null) {
    // Adding a removed person undoes the removal.
    trust.change((record, now) =>
      record.groups[groupId]?.out[userId]?.[1] === true
        ? withRemoval(record, { groupId, userId, isOut: false }, now)
        : record,
    );
  }
  const members = await continuedMembers(opened, accepted);
  const now = deps.clock.now();
  const wire =
    before === null
      ? await addMember(keyring, accepted.shared, {
          member: { identity: await newMember(opened, userId, recipient_fpr), role },
          members,
          now,
        })
      : await changeRole(keyring, accepted.shared, { userId, role, members, now });
  if (wire.roster_base64 !== undefined) await acceptOwnList(opened, accepted, wire.roster_base64);
  return wire;
}
