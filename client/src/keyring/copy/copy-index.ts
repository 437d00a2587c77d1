import { listedFields } from '@passwordbroker/core/domain/fields/field-kinds';
/** Ids in a stored copy, to check whether a change fits without opening the copy again. */
import type { TreeNode } from '@passwordbroker/core/contract/entities';
import type { OfflineDelta, OfflineEntry } from '@passwordbroker/core/contract/account/offline';
import { matchesTrees, entryKey, type GroupInTree } from '@passwordbroker/core/domain/offline/offline-consistency';
import type { CopiedFile } from '../calls.ts';
import type { FieldRow, PackedCopy, PackedEntry } from './packed-copy.ts';

export interface CopyIndex {
  fits(delta: OfflineDelta): boolean;
  /** @returns ids of files that it removed */
  take(delta: OfflineDelta): readonly string[];
  files(): readonly CopiedFile[];
}

interface IndexedEntry {
  readonly groupId: string;
  readonly fieldIds: readonly string[];
  readonly files: readonly CopiedFile[];
}

/** Null: inconsistent. */
export function indexCopy(copy: PackedCopy): CopyIndex | null {
  let trees: readonly TreeNode[] = copy.trees;
  const groups = new Map<string, GroupInTree>();
  const entries = new Map<string, IndexedEntry>();
  /** Entry id by field id. */
  const entryOf = new Map<string, string>();

  function put(entryId: string, entry: IndexedEntry) {
    entries.set(entryId, entry);
    for (const fieldId of entry.fieldIds) entryOf.set(fieldId, entryId);
  }
  function drop(entryId: string, gone: Set<string>) {
    const { fieldIds = [], files = [] } = entries.get(entryId) ?? {};
    entries.delete(entryId);
    for (const fieldId of fieldIds) entryOf.delete(fieldId);
    for (const { fieldId } of files) gone.add(fieldId);
  }

  let fields = 0;
  let count = 0;
  for (const group of copy.groups) {
    groups.set(group.entry_group_id, placeIn(group));
    for (const entry of group.entries) {
      put(entry.entry_id, packedEntry(group.entry_group_id, entry));
      count += 1;
      fields += entry.row[3].length;
    }
  }
  const areOnce = groups.size === copy.groups.length && entries.size === count && entryOf.size === fields;
  if (!areOnce || !matchesTrees(trees, groups)) return null;

  function groupsAfter(delta: OfflineDelta): Map<string, GroupInTree> {
    const after = new Map(groups);
    for (const id of delta.gone_groups) after.delete(id);
    for (const { entry_group_id, head } of delta.groups) if (head !== null) after.set(entry_group_id, placeIn(head));
    return after;
  }

  return {
    fits(delta) {
      const gone = new Set(delta.gone_entries.map(entryKey));
      const emptied = new Set(delta.gone_groups);
      for (const { entry_group_id, is_whole } of delta.groups) if (is_whole) emptied.add(entry_group_id);
      const isFree = (entry_id: string, groupId: string) => {
        const before = entries.get(entry_id)?.groupId;
        if (before === undefined || before === groupId || emptied.has(before)) return true;
        return gone.has(entryKey({ entry_group_id: before, entry_id }));
      };
      return (
        delta.groups.every(
          ({ entry_group_id: id, head, is_whole, entries: changed }) =>
            (groups.has(id) || (head !== null && is_whole)) &&
            changed.every(
              (entry) =>
                isFree(entry.entry_id, id) &&
                fieldIdsOf(entry).every((fieldId) => (entryOf.get(fieldId) ?? entry.entry_id) === entry.entry_id),
            ),
        ) && matchesTrees(delta.trees ?? trees, groupsAfter(delta))
      );
    },
    take(delta) {
      const gone = new Set<string>();
      const emptied = new Set(delta.gone_groups);
      for (const { entry_group_id, is_whole } of delta.groups) if (is_whole) emptied.add(entry_group_id);
      if (emptied.size > 0) for (const [id, { groupId }] of entries) if (emptied.has(groupId)) drop(id, gone);
      for (const { entry_group_id, entry_id } of delta.gone_entries)
        if (entries.get(entry_id)?.groupId === entry_group_id) drop(entry_id, gone);
      for (const { entry_group_id: groupId, entries: changed } of delta.groups) {
        for (const entry of changed) {
          drop(entry.entry_id, gone);
          put(entry.entry_id, changedEntry(groupId, entry));
        }
      }
      const after = groupsAfter(delta);
      groups.clear();
      for (const [id, place] of after) groups.set(id, place);
      trees = delta.trees ?? trees;
      return [...gone].filter((fieldId) => !entryOf.has(fieldId));
    },
    files: () => [...entries.values()].flatMap(({ files }) => files),
  };
}

const NONE: readonly CopiedFile[] = [];
const placeIn = ({ name, role, materialized_path }: GroupInTree): GroupInTree => ({ name, role, materialized_path });

function packedEntry(groupId: string, { entry_id: entryId, row: [, , , rows] }: PackedEntry): IndexedEntry {
  const files = rows.flatMap(([, fieldId, , rev, , , , , , , , own]: FieldRow) =>
    own === null || !('body' in own) ? [] : [{ groupId, entryId, fieldId, rev, bodySize: own.body }],
  );
  return { groupId, fieldIds: rows.map(([, fieldId]) => fieldId), files: files.length === 0 ? NONE : files };
}

function changedEntry(groupId: string, entry: OfflineEntry): IndexedEntry {
  return { groupId, fieldIds: fieldIdsOf(entry), files: filesOfEntry(groupId, entry) };
}

const fieldIdsOf = (entry: OfflineEntry): readonly string[] => listedFields(entry).map(({ field_id }) => field_id);

const filesOfEntry = (groupId: string, { entry_id: entryId, files }: OfflineEntry): readonly CopiedFile[] =>
  files.map(({ field_id: fieldId, rev, file }) => ({
    groupId,
    entryId,
    fieldId,
    rev,
    bodySize: file?.body_size ?? 0,
  }));

export const filesOfChange = ({ groups }: OfflineDelta): readonly CopiedFile[] =>
  groups.flatMap(({ entry_group_id, entries }) => entries.flatMap((entry) => filesOfEntry(entry_group_id, entry)));
