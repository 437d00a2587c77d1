import { type Act, MOST_LISTED } from '@passwordbroker/core/contract/groups/access';
import { AppError } from '@passwordbroker/core/contract/problem';
import { ancestorsOf, compareTitles, idOf } from '@passwordbroker/core/domain/groups/group-tree';
import { type Role, can } from '@passwordbroker/core/domain/policy';
import type { Database } from '../db/database.ts';
import { chosenEntries } from '../entries/entry-checks.ts';
import { refuseMove } from '../entries/move-entries.ts';
import { checkMove } from '../groups/change-group.ts';
import { findGroup } from '../http/auth/path-repository.ts';
import type { Deps } from '../http/context.ts';
import { countInTrash } from '../operations/trash/trash-page-repository.ts';
import { findInTrash, groupsToRestore } from '../operations/trash/trash.ts';
import { countLivingNotAdministered, livingGroups, weighSubtree } from '../operations/trash/subtree-repository.ts';
import { listGroupNames, listMovedPeople, listPeopleBelow, listPeopleInTrash, listRoles } from './access-repository.ts';
import { type Asker, type ChangeOfPerson, type Effect, NO_EFFECT } from './preview.ts';

type Of<Kind extends Act['kind']> = Extract<Act, { readonly kind: Kind }>;

/** A move changes nobody's access, but people in the moved groups see the names above them. @throws AppError as the move */
export async function groupMoved(db: Database, asker: Asker, act: Of<'move-group'>): Promise<Effect> {
  const move = await checkMove(db, asker, { groupId: act.entry_group_id, targetId: act.target });
  if (move === null) return NO_EFFECT;
  const { group, target } = move;
  const path = group.materialized_path;
  const notAdministered = await countLivingNotAdministered(db.read, path, asker.userId);
  const notes = notAdministered > 0 ? (['not_yours'] as const) : [];
  if (target === null) return { ...NO_EFFECT, notes };
  const above = target.materialized_path;
  const ids = [...ancestorsOf(above), idOf(above)];
  const chain = ids.map((_, at) => ids.slice(0, at + 1).join('.'));
  const people = await listMovedPeople(db, { path, chain, callerId: asker.userId });
  const viewers = people.filter(({ seen }) => seen < ids.length);
  const titles = viewers.length === 0 ? new Map<string, string>() : await listGroupNames(db, ids);
  const named = viewers
    .filter(({ is_named }) => is_named === 1)
    .sort((a, b) => compareTitles({ title: a.name, id: a.user_id }, { title: b.name, id: b.user_id }));
  return {
    ...NO_EFFECT,
    notes,
    peopleWithNames: viewers.length,
    names: named.slice(0, MOST_LISTED).map(({ user_id, name, seen }) => ({
      user: { user_id, name },
      entry_groups: ids.slice(seen).map((id) => titles.get(id) ?? ''),
    })),
  };
}

/** After the move, the people of the target see the entries. @throws AppError as the move */
export async function entriesMoved(db: Database, asker: Asker, act: Of<'move-entries'>): Promise<Effect> {
  const places = { fromGroupId: act.entry_group_id, toGroupId: act.target };
  const { from } = await refuseMove(db.read, { actor: asker }, places);
  const entryIds = (await chosenEntries(db.read, places.fromGroupId, act.entries)).map(({ entry_id }) => entry_id);
  if (places.fromGroupId === places.toGroupId) return NO_EFFECT;
  const people = new Map<string, { name: string; from: Role | null; to: Role | null }>();
  for (const { entry_group_id, user_id, name, role } of await listRoles(db, Object.values(places))) {
    const person = people.get(user_id) ?? { name, from: null, to: null };
    people.set(user_id, { ...person, [entry_group_id === act.target ? 'to' : 'from']: role });
  }
  const changes = [...people]
    .filter(([, person]) => person.from !== person.to)
    .map(([userId, person]): ChangeOfPerson => ({ userId, ...person, entryGroups: 1, entries: entryIds.length }));
  return {
    changes,
    entryGroups: changes.length === 0 ? 0 : 1,
    entries: changes.length === 0 ? 0 : entryIds.length,
    knownIn: can(from.role, 'members.write') ? { groupIds: [places.fromGroupId], entryIds } : null,
  };
}

/** Everybody in the group loses the entries. @throws AppError as the deletion */
export async function entriesDeleted(db: Database, asker: Asker, act: Of<'delete-entries'>): Promise<Effect> {
  const group = await findGroup(db, act.entry_group_id, asker.userId);
  if (group === undefined) throw new AppError('not_found');
  if (!can(group.role, 'entry.write')) throw new AppError('forbidden');
  const entries = (await chosenEntries(db.read, act.entry_group_id, act.entries)).length;
  const people = await listRoles(db, [act.entry_group_id]);
  const changes = people.map(({ user_id: userId, name, role }) => ({ userId, name, from: role, to: null }));
  return {
    changes: changes.map((change): ChangeOfPerson => ({ ...change, entryGroups: 1, entries })),
    entryGroups: 1,
    entries,
    knownIn: null,
  };
}

const ROLE_OF_RANK: readonly Role[] = ['member', 'member', 'moderator', 'admin'];

/** Everybody in the groups loses access, unless the deletion is refused. @throws AppError `not_found`, `forbidden` */
export async function groupDeleted(db: Database, asker: Asker, act: Of<'delete-group'>): Promise<Effect> {
  const group = await findGroup(db, act.entry_group_id, asker.userId);
  if (group === undefined) throw new AppError('not_found');
  if (!can(group.role, 'group.delete')) throw new AppError('forbidden');
  const path = group.materialized_path;
  if ((await countLivingNotAdministered(db.read, path, asker.userId)) > 0)
    return { ...NO_EFFECT, notes: ['not_yours'] };
  const [{ counts }, people, groupIds] = [
    await weighSubtree(db, path),
    await listPeopleBelow(db, path),
    await livingGroups(db.read, path),
  ];
  return {
    changes: people.map((person) => ({ ...asChange(person), to: null })),
    entryGroups: counts.entry_groups,
    entries: counts.entries,
    knownIn: { groupIds },
  };
}

/** Everybody in the groups in the trash gets access again. @throws AppError as the restore */
export async function groupRestored(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  asker: Asker,
  { operation_id: operationId }: Of<'restore-group'>,
): Promise<Effect> {
  const { operation, tops } = await findInTrash(db.read, { clock }, operationId, asker.userId);
  if (operation.target_kind !== 'entry_group') throw new AppError('not_found');
  const groupIds = await groupsToRestore(db.read, operation, tops, asker.userId);
  const [people, counts] = [await listPeopleInTrash(db, operationId), await countInTrash(db, [operationId])];
  return {
    changes: people.map((person) => ({ ...asChange(person), from: null })),
    entryGroups: groupIds.length,
    entries: counts.get(operationId)?.entries ?? 0,
    knownIn: null,
  };
}

function asChange(person: Awaited<ReturnType<typeof listPeopleBelow>>[number]): ChangeOfPerson {
  const role = ROLE_OF_RANK[Number(person.rank)] ?? 'member';
  const { user_id: userId, name, entry_groups, entries } = person;
  return { userId, name, from: role, to: role, entryGroups: Number(entry_groups), entries: Number(entries) };
}
