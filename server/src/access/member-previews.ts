import type { Act } from '@passwordbroker/core/contract/groups/access';
import { MEMBER_TEXTS } from '@passwordbroker/core/contract/groups/members';
import { TEXTS } from '@passwordbroker/core/contract/inputs';
import { AppError, refuse } from '@passwordbroker/core/contract/problem';
import { type Role, can } from '@passwordbroker/core/domain/policy';
import type { Database } from '../db/database.ts';
import { countEntries, listOwnRoles, listPeopleToAdd, listRoles, listWithOneAdmin } from './access-repository.ts';
import type { Asker, ChangeOfPerson, Effect } from './preview.ts';

type MemberAct = Extract<Act, { readonly kind: 'add-user' | 'remove-user' | 'change-role' }>;

/** The change for one person in one group. */
interface Change {
  readonly groupId: string;
  readonly userId: string;
  readonly name: string;
  readonly from: Role | null;
  readonly to: Role | null;
}

/**
 * Previews adding, removing and changing members. Where the operation would be refused in a group, nothing changes
 * there.
 * @throws AppError `not_found`, `forbidden`; `validation` for people who cannot be added
 */
export async function membersChanged(db: Database, asker: Asker, act: MemberAct): Promise<Effect> {
  const groupIds = [...new Set(act.entry_group_ids)];
  const groups = await listOwnRoles(db, groupIds, asker.userId);
  if (groups.length < groupIds.length) throw new AppError('not_found');
  if (!groups.every(({ role }) => can(role, 'members.write'))) throw new AppError('forbidden');
  const people = act.kind === 'add-user' ? await peopleToAdd(db, act.user_ids) : [];
  const present = await listRoles(db, groupIds, act.user_ids);
  const oneself = act.kind === 'change-role' ? await ownChange(db, groups) : null;
  const changes =
    act.kind === 'add-user'
      ? added(people, groupIds, present, act.role)
      : present.flatMap((row) => {
          const change = changeOf(row, act, oneself, asker);
          return change === null ? [] : [change];
        });
  const isDemoted = act.kind === 'change-role' && act.role !== 'admin' && act.user_ids.includes(asker.userId);
  const isLastAdmin = isDemoted && oneself?.isLastAdmin === true;
  const changed = [...new Set(changes.map(({ groupId }) => groupId))];
  const entries = changed.length === 0 ? new Map<string, number>() : await countEntries(db, changed);
  return {
    changes: byPerson(changes, entries),
    entryGroups: changed.length,
    entries: changed.reduce((sum, groupId) => sum + (entries.get(groupId) ?? 0), 0),
    knownIn: { groupIds: changed },
    notes: isLastAdmin ? ['last_admin'] : [],
  };
}

type Present = Awaited<ReturnType<typeof listRoles>>[number];
type Person = Awaited<ReturnType<typeof listPeopleToAdd>>[number];

async function peopleToAdd(db: Database, userIds: readonly string[]): Promise<readonly Person[]> {
  const people = await listPeopleToAdd(db, userIds);
  const member = 'act.user_ids';
  if (people.length < new Set(userIds).size) throw refuse(member, TEXTS.unknown('user ids'));
  if (people.some(({ fpr }) => fpr === null)) throw refuse(member, MEMBER_TEXTS.targetWithoutKeys);
  if (people.some(({ disabled_at }) => disabled_at !== null)) throw refuse(member, MEMBER_TEXTS.targetDisabled);
  return people;
}

function added(
  people: readonly Person[],
  groupIds: readonly string[],
  present: readonly Present[],
  to: Role,
): readonly Change[] {
  const members = new Set(present.map(({ entry_group_id, user_id }) => `${entry_group_id} ${user_id}`));
  return groupIds.flatMap((groupId) =>
    people
      .filter(({ user_id }) => !members.has(`${groupId} ${user_id}`))
      .map(({ user_id: userId, name }) => ({ groupId, userId, name, from: null, to })),
  );
}

interface OwnChange {
  /** Groups where callers may change their own role. */
  readonly free: ReadonlySet<string>;
  readonly isLastAdmin: boolean;
}

/** Callers may change their own role only in unsigned groups with another admin, because only admins sign rosters. */
async function ownChange(db: Database, groups: Awaited<ReturnType<typeof listOwnRoles>>): Promise<OwnChange> {
  const alone = await listWithOneAdmin(
    db,
    groups.map(({ entry_group_id }) => entry_group_id),
  );
  const free = groups.filter(({ entry_group_id, roster_seq }) => roster_seq === null && !alone.has(entry_group_id));
  return { free: new Set(free.map(({ entry_group_id }) => entry_group_id)), isLastAdmin: alone.size > 0 };
}

function changeOf(
  { entry_group_id: groupId, user_id: userId, name, role: from }: Present,
  act: MemberAct,
  oneself: OwnChange | null,
  asker: Asker,
): Change | null {
  const isOwn = userId === asker.userId;
  if (act.kind === 'remove-user') {
    return isOwn || from === 'admin' ? null : { groupId, userId, name, from, to: null };
  }
  if (from === act.role || (isOwn && oneself?.free.has(groupId) !== true)) return null;
  return { groupId, userId, name, from, to: act.role };
}

const RANK: Record<Role, number> = { member: 1, moderator: 2, admin: 3 };
const higher = (a: Role | null, b: Role | null) => ((a === null ? 0 : RANK[a]) >= (b === null ? 0 : RANK[b]) ? a : b);

function byPerson(changes: readonly Change[], entries: ReadonlyMap<string, number>): readonly ChangeOfPerson[] {
  const people = new Map<string, ChangeOfPerson>();
  for (const { groupId, userId, name, from, to } of changes) {
    const before = people.get(userId);
    people.set(userId, {
      userId,
      name,
      from: higher(before?.from ?? null, from),
      to: higher(before?.to ?? null, to),
      entryGroups: (before?.entryGroups ?? 0) + 1,
      entries: (before?.entries ?? 0) + (entries.get(groupId) ?? 0),
    });
  }
  return [...people.values()];
}
