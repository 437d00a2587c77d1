interface EntryOfCopy {
  readonly entry_id: string;
}
interface HeadOfCopy {
  readonly entry_group_id: string;
}

export interface Copy<Tree, Head extends HeadOfCopy, Entry extends EntryOfCopy> {
  readonly trees: readonly Tree[];
  readonly groups: readonly (Head & { readonly entries: readonly Entry[] })[];
}

export interface DeltaOfCopy<Tree, Head extends HeadOfCopy, Entry extends EntryOfCopy> {
  readonly trees: readonly Tree[] | null;
  readonly groups: readonly {
    readonly entry_group_id: string;
    readonly head: Head | null;
    readonly is_whole: boolean;
    readonly entries: readonly Entry[];
  }[];
  readonly gone_groups: readonly string[];
  readonly gone_entries: readonly { readonly entry_group_id: string; readonly entry_id: string }[];
}

/** Shares unchanged parts with `copy`. Idempotent, unordered. */
export function applyOfflineDelta<Tree, Head extends HeadOfCopy, Entry extends EntryOfCopy>(
  copy: Copy<Tree, Head, Entry>,
  delta: DeltaOfCopy<Tree, Head, Entry>,
): Copy<Tree, Head, Entry> {
  const groups = new Map(copy.groups.map((group) => [group.entry_group_id, group]));
  for (const id of delta.gone_groups) groups.delete(id);
  for (const [groupId, gone] of byGroup(delta.gone_entries)) {
    const group = groups.get(groupId);
    if (group === undefined) continue;
    groups.set(groupId, { ...group, entries: group.entries.filter(({ entry_id }) => !gone.has(entry_id)) });
  }
  for (const { entry_group_id, head, is_whole, entries } of delta.groups) {
    const before = groups.get(entry_group_id);
    const present = head ?? before;
    // A delta without head refers to a known group.
    if (present === undefined) continue;
    const kept = new Map((is_whole ? [] : (before?.entries ?? [])).map((entry) => [entry.entry_id, entry]));
    for (const entry of entries) kept.set(entry.entry_id, entry);
    groups.set(entry_group_id, { ...present, entries: [...kept.values()] });
  }
  return { trees: delta.trees ?? copy.trees, groups: [...groups.values()] };
}

function byGroup(rows: readonly { readonly entry_group_id: string; readonly entry_id: string }[]) {
  const sets = new Map<string, Set<string>>();
  for (const { entry_group_id, entry_id } of rows) {
    sets.set(entry_group_id, (sets.get(entry_group_id) ?? new Set()).add(entry_id));
  }
  return sets;
}
