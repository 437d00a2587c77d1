/** The content of a response as ids, so that it stays small. */
import type { Database } from '../../db/database.ts';
import { readForest } from '../../groups/tree.ts';
import { grouped } from '../copy-repository.ts';
import {
  type Since,
  listAccessChanges,
  listChangedEntries,
  listEntryIds,
  listGroupStamps,
  listTreeChanges,
} from '../changes-repository.ts';

type Reader = Database['read'];

export interface PlannedGroup {
  readonly groupId: string;
  readonly hasHead: boolean;
  /** `entryIds` lists all entries of the group. */
  readonly isWhole: boolean;
  readonly entryIds: readonly string[];
}

export interface Plan {
  /** Contains only changes. */
  readonly isDelta: boolean;
  /** JSON list of `TreeNode`; null if unchanged. */
  readonly trees: string | null;
  readonly groups: readonly PlannedGroup[];
  readonly goneGroups: readonly string[];
  readonly goneEntries: readonly { readonly entry_group_id: string; readonly entry_id: string }[];
}

export async function planWhole(read: Reader, userId: string): Promise<Plan> {
  const own = (await listGroupStamps(read, userId)).filter(({ trashed_by }) => trashed_by === null);
  const entryIds = await listEntryIds(
    read,
    own.map(({ entry_group_id }) => entry_group_id),
  );
  const groups = own.map(({ entry_group_id: groupId }) => whole(groupId, entryIds));
  const trees = (await readForest({ read }, userId)).toJson();
  return { isDelta: false, trees, groups, goneGroups: [], goneEntries: [] };
}

/** Possible even after a stale check, which is bounded. */
export const isEmpty = ({ isDelta, trees, groups, goneGroups, goneEntries }: Plan): boolean =>
  isDelta && trees === null && groups.length + goneGroups.length + goneEntries.length === 0;

const whole = (groupId: string, entryIds: ReadonlyMap<string, readonly string[]>): PlannedGroup => ({
  groupId,
  hasHead: true,
  isWhole: true,
  entryIds: entryIds.get(groupId) ?? [],
});

export async function planDelta(read: Reader, since: Since): Promise<Plan> {
  const { userId, stamp } = since;
  const access = new Map((await listAccessChanges(read, since)).map((row) => [row.entry_group_id, row]));
  const own = await listGroupStamps(read, userId);
  const living = own.filter(({ trashed_by }) => trashed_by === null);
  const livingIds = new Set(living.map(({ entry_group_id }) => entry_group_id));
  const isNew = ({ entry_group_id: id, whole_stamp }: { entry_group_id: string; whole_stamp: number }) =>
    whole_stamp >= stamp || (access.get(id)?.whole_stamp ?? 0) >= stamp;
  const wholeIds = living.filter(isNew).map(({ entry_group_id }) => entry_group_id);
  const wholeSet = new Set(wholeIds);
  const changed = (await listChangedEntries(read, userId, stamp)).filter(
    ({ entry_group_id: id }) => livingIds.has(id) && !wholeSet.has(id),
  );
  const entryIds = await listEntryIds(read, wholeIds);
  const changedIds = grouped(
    changed.filter(({ isThere }) => isThere),
    ({ entry_group_id }) => entry_group_id,
  );
  const groups = living.flatMap(({ entry_group_id: groupId, head_stamp }): PlannedGroup[] => {
    if (wholeSet.has(groupId)) return [whole(groupId, entryIds)];
    const hasHead = head_stamp >= stamp || access.has(groupId);
    const ids = (changedIds.get(groupId) ?? []).map(({ entry_id }) => entry_id);
    return hasHead || ids.length > 0 ? [{ groupId, hasHead, isWhole: false, entryIds: ids }] : [];
  });
  const goneGroups = [
    ...[...access.keys()].filter((id) => !livingIds.has(id)),
    ...own.filter((row) => row.trashed_by !== null && isNew(row)).map(({ entry_group_id }) => entry_group_id),
  ];
  return {
    isDelta: true,
    trees: await changedTrees(read, since, [...access.keys(), ...own.map(({ entry_group_id }) => entry_group_id)]),
    groups,
    goneGroups: [...new Set(goneGroups)],
    goneEntries: changed
      .filter(({ isThere }) => !isThere)
      .map(({ entry_group_id, entry_id }) => ({ entry_group_id, entry_id })),
  };
}

/** Null if neither own groups nor their ancestors changed. */
async function changedTrees(read: Reader, { userId, stamp }: Since, own: readonly string[]): Promise<string | null> {
  const access = await listAccessChanges(read, { userId, stamp });
  const moved = await listTreeChanges(read, stamp);
  if (access.length === 0 && moved.length === 0) return null;
  const forest = await readForest({ read }, userId);
  const shown = new Set([...own, ...forest.ids()]);
  return access.length > 0 || moved.some((id) => shown.has(id)) ? forest.toJson() : null;
}
