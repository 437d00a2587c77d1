import * as manyGroups from '@passwordbroker/core/contract/groups/many-groups';
import * as members from '@passwordbroker/core/contract/groups/members';
import { AppError } from '@passwordbroker/core/contract/problem';
import { on, type Route } from '../http/route.ts';
import { masterPasswordTexts } from '../server-crypto/caller-keyring.ts';
import { changeMemberWithMasterPassword } from '../server-crypto/member-change.ts';
import { rotateWithMasterPassword } from '../server-crypto/rotation.ts';
import { signMembersWithMasterPassword } from '../server-crypto/signed-members.ts';
import { findMember } from '../groups/group-repository.ts';
import { changeMember, changeMembersOfMany, removeMember } from './change-members.ts';
import { departureWithSecrets, departuresPage, secretsOfMember } from '../former-members/former-members.ts';
import { sealedChange } from './judged-change.ts';
import { membersOfMany, rostersOfMany } from './many-groups.ts';
import { signMembers, rotateGroup, behindOf, pendingRewraps, rewrapBatch } from './rotation/rotate-group.ts';

export const routes: readonly Route[] = [
  on(
    members.add,
    {
      sealed: (context) =>
        changeMember(context.deps, context, sealedChange(context.group.entry_group_id, context.body)),
      plain: changeMemberWithMasterPassword,
    },
    { plainTexts: masterPasswordTexts },
  ),

  on(manyGroups.membersOf, ({ deps, actor, query }) => membersOfMany(deps.db, actor.userId, query.entry_group_ids)),

  on(manyGroups.rostersOf, ({ deps, actor, query }) => rostersOfMany(deps.db, actor.userId, query)),

  on(manyGroups.addMany, (context) => changeMembersOfMany(context)),

  on(members.remove, (context) => removeMember(context.deps, context, context.group.entry_group_id, context.params.u)),

  on(
    members.rotate,
    {
      sealed: (context) => rotateGroup(context.deps, context, context.group.entry_group_id, context.body),
      plain: rotateWithMasterPassword,
    },
    { plainTexts: masterPasswordTexts },
  ),

  on(
    members.signRoster,
    {
      sealed: (context) => signMembers(context.deps, context, context.group.entry_group_id, context.body),
      plain: signMembersWithMasterPassword,
    },
    { plainTexts: masterPasswordTexts },
  ),

  on(members.pending, ({ deps, group, query }) =>
    pendingRewraps(deps.db, group, { limit: query.limit, behind: behindOf(query) }),
  ),

  on(members.rewraps, (context) => rewrapBatch(context.deps, context, context.group.entry_group_id, context.body)),

  on(members.formerMembers, ({ deps, actor, group, query }) =>
    departuresPage(deps.db, { groupId: group.entry_group_id }, actor.userId, query),
  ),

  on(members.formerMember, ({ deps, actor, group, params }) =>
    departureWithSecrets(deps.db, {
      groupId: group.entry_group_id,
      departureId: params.d,
      callerId: actor.userId,
    }),
  ),

  on(members.formerMembersOfAll, ({ deps, actor, query }) =>
    departuresPage(deps.db, { userId: query.user_id ?? null, adminId: actor.userId }, actor.userId, query),
  ),

  on(members.opened, async ({ deps, actor, group, params }) => {
    const place = { groupId: group.entry_group_id, userId: params.u };
    if ((await findMember(deps.db, place.groupId, place.userId)) === undefined) throw new AppError('not_found');
    return secretsOfMember(deps.db, { ...place, callerId: actor.userId });
  }),
];
