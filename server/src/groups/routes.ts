import * as groups from '@passwordbroker/core/contract/groups/entry-groups';
import { writtenJson } from '../http/answer/answer.ts';
import { on, type Route } from '../http/route.ts';
import { createPlainGroup } from '../server-crypto/new-group.ts';
import { asCertificate } from '../users/keys/key-repository.ts';
import { createSealedGroup } from './create-group.ts';
import { asEntryGroup, asGrant, asGroupUser, asRoster, byRoleAndName, groupAnswer, readBack } from './group-answers.ts';
import { listMemberGroups, listMemberCertificates, listMembers } from './group-repository.ts';
import { listOwnGrants, listRosters, undisturbed } from './key-repository.ts';
import { moveGroup, renameGroup, removeGroup } from './change-group.ts';
import { weighSubtree } from '../operations/trash/subtree-repository.ts';
import { readTreeAnswer } from './tree.ts';

export const routes: readonly Route[] = [
  on(groups.tree, async ({ deps, actor }) => writtenJson(await readTreeAnswer(deps.db, actor.userId))),

  on(groups.listAll, async ({ deps, actor }) => {
    const rows = await listMemberGroups(deps.db, actor.userId);
    return rows.map((row) => ({ ...asEntryGroup(row, row.role), rotation_pending: Boolean(row.is_pending) }));
  }),

  on(groups.get, ({ deps, actor, group }) => groupAnswer(deps.db, group, group.role, actor.userId)),

  on(groups.create, {
    sealed: createSealedGroup,
    plain: createPlainGroup,
  }),

  on(groups.rename, async (context) => {
    const groupId = context.group.entry_group_id;
    const operationId = await renameGroup(context.deps, context, { groupId, name: context.body.name });
    if (operationId !== null) context.head.setHeader('x-operation-id', operationId);
    return readBack(context.deps, groupId, context.actor.userId);
  }),

  on(groups.move, async (context) => {
    const groupId = context.group.entry_group_id;
    const operationId = await moveGroup(context.deps, context, { groupId, targetId: context.body.entryGroupTarget });
    if (operationId !== null) context.head.setHeader('x-operation-id', operationId);
    return { ...(await readBack(context.deps, groupId, context.actor.userId)), moved: operationId !== null };
  }),

  on(groups.remove, (context) => removeGroup(context.deps, context, context.group.entry_group_id)),

  on(groups.removal, ({ deps, group }) => weighSubtree(deps.db, group.materialized_path)),

  on(groups.members, async ({ deps, group }) => {
    const [members, certificates] = await Promise.all([
      listMembers(deps.db, group.entry_group_id),
      listMemberCertificates(deps.db, group.entry_group_id),
    ]);
    const byUser = new Map(certificates.map((row) => [row.user_id, asCertificate(row)]));
    return members
      .map(asGroupUser)
      .sort(byRoleAndName)
      .map((member) => ({ ...member, certificate: byUser.get(member.user_id) ?? null }));
  }),

  on(groups.roster, ({ deps, actor, group, query }) => {
    const { entry_group_id } = group;
    return undisturbed(deps.db, entry_group_id, async ({ gk_version, origin }) => {
      const [rosters, grants] = await Promise.all([
        listRosters(deps.db, entry_group_id, query.from),
        listOwnGrants(deps.db, entry_group_id, actor.userId),
      ]);
      return { entry_group_id, gk_version, origin, rosters: rosters.map(asRoster), grants: grants.map(asGrant) };
    });
  }),
];
