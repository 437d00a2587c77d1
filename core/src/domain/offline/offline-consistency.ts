import { listedFields } from '../fields/field-kinds.ts';
/**
 * Consistency of an offline copy, so that a faulty server cannot make the client show one thing as another.
 */
import type { TreeRole } from '../policy.ts';

interface TreeOfCopy {
  readonly entry_group_id: string;
  readonly title: string;
  readonly materialized_path: string;
  readonly role: TreeRole;
  readonly children: readonly TreeOfCopy[];
}

interface FieldOfCopy {
  readonly field_id: string;
  readonly entry_id: string;
  readonly entry_group_id: string;
}

interface EntryOfCopy {
  readonly entry_id: string;
  readonly entry_group_id: string;
  readonly passwords: readonly FieldOfCopy[];
  readonly links: readonly FieldOfCopy[];
  readonly notes: readonly FieldOfCopy[];
  readonly files: readonly FieldOfCopy[];
  readonly TOTPs: readonly FieldOfCopy[];
}

export interface GroupInTree {
  readonly name: string;
  readonly materialized_path: string;
  readonly role: TreeRole;
}

interface HeadOfCopy extends GroupInTree {
  readonly entry_group_id: string;
  readonly parent_entry_group_id: string | null;
  readonly admins: readonly { readonly entry_group_id: string; readonly user_id: string; readonly role: TreeRole }[];
  readonly grants: readonly {
    readonly entry_group_id: string;
    readonly user_id: string;
    readonly gk_version: number;
  }[];
  readonly rosters: readonly { readonly entry_group_id: string; readonly seq: number }[];
}

interface WholeCopy {
  readonly trees: readonly TreeOfCopy[];
  readonly groups: readonly (HeadOfCopy & { readonly entries: readonly EntryOfCopy[] })[];
}

interface Delta {
  readonly groups: readonly {
    readonly entry_group_id: string;
    readonly head: HeadOfCopy | null;
    readonly entries: readonly EntryOfCopy[];
  }[];
  readonly gone_groups: readonly string[];
  readonly gone_entries: readonly { readonly entry_group_id: string; readonly entry_id: string }[];
}

export function isConsistentCopy({ trees, groups }: WholeCopy, userId: string): boolean {
  return (
    groups.every((group) => isConsistentHead(group, group.entry_group_id, userId)) &&
    areConsistentGroups(groups) &&
    matchesTrees(trees, new Map(groups.map((group) => [group.entry_group_id, group])))
  );
}

/** The caller checks that the delta fits its copy. */
export function isConsistentDelta({ groups, gone_groups, gone_entries }: Delta, userId: string): boolean {
  const goneGroups = new Set(gone_groups);
  const goneEntries = new Set(gone_entries.map(entryKey));
  return (
    groups.every(({ head, entry_group_id }) => head === null || isConsistentHead(head, entry_group_id, userId)) &&
    areConsistentGroups(groups) &&
    goneGroups.size === gone_groups.length &&
    goneEntries.size === gone_entries.length &&
    groups.every(
      ({ entry_group_id, entries }) =>
        !goneGroups.has(entry_group_id) && entries.every((entry) => !goneEntries.has(entryKey(entry))),
    )
  );
}

export const entryKey = ({ entry_group_id, entry_id }: Pick<EntryOfCopy, 'entry_group_id' | 'entry_id'>): string =>
  `${entry_group_id} ${entry_id}`;

/** The trees contain exactly these groups, and otherwise only ancestors. */
export function matchesTrees(trees: readonly TreeOfCopy[], groups: ReadonlyMap<string, GroupInTree>): boolean {
  const seen = new Set<string>();
  let shown = 0;
  const waiting = trees.map((node) => ({ node, above: '' }));
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { node, above } = next;
    const { entry_group_id: id, title, materialized_path: path, role, children } = node;
    if (seen.has(id) || path !== `${above}${id}`) return false;
    seen.add(id);
    const group = groups.get(id);
    if (role === 'guest') {
      if (group !== undefined || children.length === 0) return false;
    } else if (group?.name !== title || group.role !== role || group.materialized_path !== path) return false;
    else shown += 1;
    for (const child of children) waiting.push({ node: child, above: `${path}.` });
  }
  return shown === groups.size;
}

/** All rows are of this group, and the grants the person's own. */
function isConsistentHead(head: HeadOfCopy, groupId: string, userId: string): boolean {
  const { entry_group_id, parent_entry_group_id, materialized_path, admins, grants, rosters } = head;
  const above = materialized_path.split('.');
  const isOf = (row: { readonly entry_group_id: string }) => row.entry_group_id === groupId;
  return (
    entry_group_id === groupId &&
    above.pop() === groupId &&
    (above.at(-1) ?? null) === parent_entry_group_id &&
    admins.every((row) => isOf(row) && row.role === 'admin') &&
    areDifferent(admins.map(({ user_id }) => user_id)) &&
    grants.every((row) => isOf(row) && row.user_id === userId) &&
    areDifferent(grants.map(({ gk_version }) => gk_version)) &&
    rosters.every((row, at) => isOf(row) && row.seq > (rosters[at - 1]?.seq ?? -1))
  );
}

/** Parents match, and every id occurs once. */
function areConsistentGroups(
  groups: readonly { readonly entry_group_id: string; readonly entries: readonly EntryOfCopy[] }[],
): boolean {
  const ids = new Set<string>();
  const isNew = (id: string) => ids.size < ids.add(id).size;
  return groups.every(
    ({ entry_group_id: groupId, entries }) =>
      isNew(`group ${groupId}`) &&
      entries.every(
        (entry) =>
          entry.entry_group_id === groupId &&
          isNew(`entry ${entry.entry_id}`) &&
          listedFields(entry).every(
            (field) => field.entry_id === entry.entry_id && field.entry_group_id === groupId && isNew(field.field_id),
          ),
      ),
  );
}

const areDifferent = (values: readonly unknown[]) => new Set(values).size === values.length;
