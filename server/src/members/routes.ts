import { listMembersOfMany } from '../groups/group-repository.ts';
import * as manyGroups from '@passwordbroker/core/contract/groups/many-groups';
import * as members from '@passwordbroker/core/contract/groups/members';
import { AppError, refuse } from '@passwordbroker/core/contract/problem';
import { on, type Route } from '../http/route.ts';
import { masterPasswordTexts } from '../server-crypto/caller-keyring.ts';
import { changeMemberWithMasterPassword } from '../server-crypto/member-change.ts';
import { rotateWithMasterPassword } from '../server-crypto/rotation.ts';
import { signMembersWithMasterPassword } from '../server-crypto/signed-members.ts';
import { findMember } from '../groups/group-repository.ts';
import { changeMember, changeMembersOfMany, removeMember } from './change-members.ts';
import { departureWithSecrets, departuresPage, secretsOfMember } from '../former-members/former-members.ts';
import { sealedChange } from './check-member-change.ts';
import { signMembers, rotateGroup, behindOf, pendingRewraps, rewrapBatch } from './rotation/rotate-group.ts';
import type { membersOf, rostersOf } from '@passwordbroker/core/contract/groups/many-groups';
import type { AnswerOf, QueryOf } from '@passwordbroker/core/contract/endpoint';
import { TEXTS } from '@passwordbroker/core/contract/inputs';
import type { Database } from '../db/database.ts';
import { asGrant, asGroupUser, asRoster, byRoleAndName } from '../groups/group-answers.ts';
import { asCertificate } from '../users/keys/key-repository.ts';
import {
  listCertificatesBy,
  listMemberGroupsAmong,
  listOwnGrantsOfMany,
  listRostersOfMany,
  sizesOfRosters,
} from './many-groups-repository.ts';

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

/** Clients request groups with more new rosters alone. */
const MOST_ROSTERS = 100;
/** Clients request groups that do not fit alone. */
const MOST_ROSTER_BYTES = 8 * 1024 * 1024;

async function membersOfMany(
  db: Database,
  userId: string,
  groupIds: readonly string[],
): Promise<AnswerOf<typeof membersOf>> {
  const groups = await listMemberGroupsAmong(db, groupIds, userId);
  if (groups.length === 0) return { groups: [], certificates: [] };
  const rows = (await listMembersOfMany(db, groups.map(idOf))).map(asGroupUser);
  const byGroup = byGroupId(rows);
  const fingerprints = new Set(rows.flatMap(({ fpr }) => (fpr === null ? [] : [fpr])));
  const certificates = await listCertificatesBy(db, [...fingerprints]);
  return {
    groups: groups.map(({ entry_group_id }) => ({
      entry_group_id,
      users: (byGroup.get(entry_group_id) ?? []).sort(byRoleAndName),
    })),
    certificates: [...certificates.values()].map(asCertificate),
  };
}

/** @throws AppError `validation` for another number of `from` */
async function rostersOfMany(
  db: Database,
  userId: string,
  { entry_group_ids: ids, from = ids.map(() => null) }: QueryOf<typeof rostersOf>,
): Promise<AnswerOf<typeof rostersOf>> {
  if (from.length !== ids.length) throw refuse('from', TEXTS.malformed('from'));
  const wanted = new Map(ids.map((id, at) => [id, from[at] ?? null]));
  const groups = (await listMemberGroupsAmong(db, ids, userId)).filter(
    ({ entry_group_id, roster_seq }) =>
      (roster_seq ?? 0) - (wanted.get(entry_group_id) ?? roster_seq ?? 0) < MOST_ROSTERS,
  );
  if (groups.length === 0) return { rosters: [] };
  const signed = groups.flatMap(({ entry_group_id: groupId, roster_seq }) =>
    roster_seq === null ? [] : [{ groupId, from: wanted.get(groupId) ?? roster_seq }],
  );
  const sizes = await sizesOfRosters(db, signed);
  let bytes = 0;
  const places = signed.filter(({ groupId }) => (bytes += sizes.get(groupId) ?? 0) <= MOST_ROSTER_BYTES);
  const leftOut = new Set(signed.filter((place) => !places.includes(place)).map(({ groupId }) => groupId));
  const [rows, grants] = await Promise.all([
    listRostersOfMany(db, places),
    listOwnGrantsOfMany(db, groups.map(idOf), userId),
  ]);
  const certificates = await listCertificatesBy(db, [...new Set(rows.map((row) => row.signer_fpr))]);
  const after = new Map(
    (await listMemberGroupsAmong(db, groups.map(idOf), userId)).map((group) => [idOf(group), group]),
  );
  const [rowsOf, grantsOf] = [byGroupId(rows), byGroupId(grants)];
  return {
    // Clients request groups that changed between the reads alone.
    rosters: groups
      .filter((group) => {
        const now = after.get(idOf(group));
        const isSame = now?.gk_version === group.gk_version && now.roster_seq === group.roster_seq;
        return isSame && !leftOut.has(idOf(group));
      })
      .map(({ entry_group_id, gk_version, origin }) => ({
        entry_group_id,
        gk_version,
        origin,
        rosters: (rowsOf.get(entry_group_id) ?? []).map((row) =>
          asRoster({ ...row, certificate: certificates.get(row.signer_fpr) ?? null }),
        ),
        grants: (grantsOf.get(entry_group_id) ?? []).map(asGrant),
      })),
  };
}

function byGroupId<Row extends { readonly entry_group_id: string }>(rows: readonly Row[]): Map<string, Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const known = groups.get(row.entry_group_id);
    if (known === undefined) groups.set(row.entry_group_id, [row]);
    else known.push(row);
  }
  return groups;
}

const idOf = ({ entry_group_id }: { readonly entry_group_id: string }) => entry_group_id;
