/** Notices about members of groups. Each function runs in the transaction of the change. */
import type { Role } from '@passwordbroker/core/domain/policy';
import type { Transact } from '../db/database.ts';
import type { Deps } from '../http/context.ts';
import { listAdmins, listLivingGroupsOf } from './notice-repository.ts';
import { notify, type NewNotice } from './notify.ts';
import { subjectText } from './subject.ts';

type Parts = Pick<Deps, 'clock' | 'newId' | 'noticesFrom'>;

interface GivenRole {
  readonly groupId: string;
  readonly userId: string;
  readonly role: Role;
  /** Null for a new member. */
  readonly before: Role | null;
}

/** Tells the people their roles, and the groups' admins who joined. Call after the change. */
export async function noteRoles(
  tx: Transact,
  deps: Parts,
  actorId: string,
  given: readonly GivenRole[],
): Promise<void> {
  const roles = grouped(given, ({ userId, role, before }) => [before === null, userId, role]).map(
    ([[isNew, userId, role], groupIds]): NewNotice => ({
      kind: isNew ? 'group_added' : 'role_changed',
      subject: subjectText(groupIds, { role }),
      to: [userId],
    }),
  );
  const joined = given.filter(({ before }) => before === null);
  await notify(tx, deps, actorId, [...roles, ...(await toAdmins(tx, 'member_joined', joined))]);
}

interface Leaving {
  readonly userId: string;
  /** Absent: all groups of the person. */
  readonly groupIds?: readonly string[];
  /** Whether the groups need new keys that the actor may not be able to make. */
  readonly needsKeys: boolean;
}

/** Tells the person, and the groups' admins who left. Call before the memberships are deleted. */
export async function noteLeaving(
  tx: Transact,
  deps: Parts,
  actorId: string | null,
  { userId, groupIds, needsKeys }: Leaving,
): Promise<void> {
  const ids = groupIds ?? (await listLivingGroupsOf(tx, userId));
  if (ids.length === 0) return;
  const left = ids.map((groupId) => ({ groupId, userId }));
  await notify(tx, deps, actorId, [
    { kind: 'group_removed', subject: subjectText(ids), to: [userId] },
    ...(await toAdmins(tx, 'member_left', left)),
    ...(needsKeys ? await toAdmins(tx, 'keys_to_change', left) : []),
  ]);
}

/** Tells the admins of the person's groups that these need new keys. */
export async function noteKeysToChange(tx: Transact, deps: Parts, userId: string): Promise<void> {
  const groups = (await listLivingGroupsOf(tx, userId)).map((groupId) => ({ groupId, userId }));
  await notify(tx, deps, userId, await toAdmins(tx, 'keys_to_change', groups));
}

/** One notice about each person to each admin, of those groups that this admin administers; not to those who join or leave. */
async function toAdmins(
  tx: Transact,
  kind: 'member_joined' | 'member_left' | 'keys_to_change',
  changes: readonly { readonly groupId: string; readonly userId: string }[],
): Promise<NewNotice[]> {
  if (changes.length === 0) return [];
  const admins = await listAdmins(tx, [...new Set(changes.map(({ groupId }) => groupId))]);
  const concerned = new Set(changes.map(({ groupId, userId }) => `${groupId} ${userId}`));
  const told = changes.flatMap(({ groupId, userId }) =>
    admins
      .filter((admin) => admin.entry_group_id === groupId && !concerned.has(`${groupId} ${admin.user_id}`))
      .map((admin) => ({ groupId, userId, adminId: admin.user_id })),
  );
  return grouped(told, ({ adminId, userId }) => [adminId, userId]).map(([[adminId, userId], groupIds]) => ({
    kind,
    subject: subjectText(groupIds, kind === 'keys_to_change' ? {} : { user: userId }),
    to: [adminId],
  }));
}

/** The groups of the items that have the same key. */
function grouped<Item extends { readonly groupId: string }, const Key extends readonly (string | boolean)[]>(
  items: readonly Item[],
  keyOf: (item: Item) => Key,
): readonly (readonly [key: Key, groupIds: readonly string[]])[] {
  const groups = new Map<string, [Key, string[]]>();
  for (const item of items) {
    const key = keyOf(item);
    const known = groups.get(key.join(' '));
    if (known === undefined) groups.set(key.join(' '), [key, [item.groupId]]);
    else known[1].push(item.groupId);
  }
  return [...groups.values()];
}
