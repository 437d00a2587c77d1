/** Adding people and changing roles with a master password: the secret is wrapped and the roster signed here, in the caller's name (`crypto.md` §17). */
import type { add } from '@passwordbroker/core/contract/members';
import type { PlainBodyOf } from '@passwordbroker/core/contract/endpoint';
import type { GroupUser } from '@passwordbroker/core/contract/entities';
import { verifyCertificate } from '@passwordbroker/core/domain/certificate';
import type { Keyring } from '@passwordbroker/core/domain/keyring';
import { addMember, changeRole } from '@passwordbroker/core/domain/member-change';
import { AppError } from '@passwordbroker/core/contract/problem';
import type { Role } from '@passwordbroker/core/domain/policy';
import type { Answer } from '../http/answer.ts';
import type { Context } from '../http/context.ts';
import { changeMember } from '../members/change-member.ts';
import { groupInAct, refuseRole, refuseStranger, sealedChange } from '../members/judged-change.ts';
import { listPresentMembers } from '../members/present-repository.ts';
import { pendingRewraps } from '../members/rotation-batches.ts';
import { listCertificates } from '../users/key-repository.ts';
import { withCallerKeyring } from './caller-keyring.ts';
import { rewrapAll } from './rotation.ts';
import { isBehind, readGroupForAct } from './shared-group.ts';

type Changing = Context<typeof add, PlainBodyOf<typeof add>>;

/** How often the act is made anew because others changed the members meanwhile. */
const TRIES = 20;

/** @throws AppError as `changeMember`, but for conflicts with acts on other people: those follow each other */
export async function changeMemberWithMasterPassword(context: Changing): Promise<Answer<GroupUser>> {
  const { deps, group, body } = context;
  const groupId = group.entry_group_id;
  const change = { targetId: body.target_user_id, role: body.role };
  await refuseStranger(deps, change.targetId);
  return withCallerKeyring(context, body.master_password, async ({ keyring, deps: recording }) => {
    for (let tries = 1; ; tries += 1) {
      const before = await deps.db.transact(async (tx) => {
        const present = await groupInAct(tx, context, groupId);
        return refuseRole(present, await listPresentMembers(tx, groupId), context, change);
      });
      if (before === null) await finishRotation(context, keyring);
      const sealed = await sealChange(context, keyring, before);
      try {
        return await changeMember(recording, context, sealedChange(groupId, sealed));
      } catch (error) {
        if (!isBehind(error) || tries === TRIES) throw error;
      }
    }
  });
}

/** A new member gets the present key alone: what somebody has left under a former one is wrapped anew first. */
async function finishRotation(context: Changing, keyring: Keyring): Promise<void> {
  const { entry_group_id, gk_version } = context.group;
  const { pending } = await pendingRewraps(context.deps.db, context.group, { limit: 1 });
  await rewrapAll(context, keyring, { entry_group_id, gk_version, pending });
}

async function sealChange({ deps, group, body }: Changing, keyring: Keyring, before: Role | null) {
  const { target_user_id: userId, role } = body;
  const { shared, members } = await readGroupForAct(deps, keyring, group.entry_group_id);
  const now = deps.clock.now();
  if (before !== null) return changeRole(keyring, shared, { userId, role, members, now });
  const [certificate] = await listCertificates(deps.db, userId);
  if (certificate === undefined) throw new AppError('rewrap_set_mismatch');
  const member = { identity: await verifyCertificate(certificate), role };
  return addMember(keyring, shared, { member, members, now });
}
