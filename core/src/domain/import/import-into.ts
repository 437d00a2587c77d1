/** Seals an import into groups that exist (docs/spec/api.md §3.10). */
import type { ExchangeTree, TreeEntry, TreeField } from '../exchange/tree.ts';
import type { GroupKey } from '../groups/grants.ts';
import type { SignedMember } from '../groups/group-keys.ts';
import type { Keyring } from '../keyring/keyring.ts';
import {
  type ImportEntryWire,
  type Preparing,
  type SealedHead,
  entryWire,
  groupAt,
  makeGroups,
  selfOf,
} from './import-batch.ts';
import { type FieldWork, type NextRevision, monotonicIds } from './import-fields.ts';

/** An opened group that exists already. */
export interface ImportTarget {
  /** Its present version, behind a verified roster. */
  readonly groupKey: GroupKey;
  /** All its members with verified keys; of no use unless new groups below get the same ones. */
  readonly members: readonly SignedMember[];
}

/** How a field of the file meets the entry that takes it: left out, added, or the next revision of a field. */
export type FieldPlan = 'skip' | 'add' | { readonly fieldId: string; readonly baseRev: number };

/** `revise`: one plan for each field of the tree's entry, in its order. */
export type EntryPlan =
  | 'skip'
  | 'add'
  | {
      readonly entryGroupId: string;
      readonly entryId: string;
      readonly fields: readonly FieldPlan[];
    };

/** Where the groups and entries of a tree go among those that exist. */
export interface ImportPlan {
  /** For each group of the tree: the existing group of the same path, or null for a new one. The first is not null. */
  readonly groups: readonly (ImportTarget | null)[];
  /** Further groups with entries to revise, by id. */
  readonly elsewhere: ReadonlyMap<string, ImportTarget>;
  /** For each entry of the tree. */
  readonly entries: readonly EntryPlan[];
  /** Whether new groups get the members of the group above; otherwise the importer alone. */
  readonly sameMembers: boolean;
}

/** The members of a batch besides `name`, `fields` and `updates`; no `name` is sent. */
export interface SealedHeadInto extends SealedHead {
  readonly into: string;
  readonly targets: readonly { readonly entry_group_id: string; readonly gk_version: number }[];
  readonly same_members: boolean;
  readonly existing_entries: readonly { readonly entry_id: string; readonly entry_group_id: string }[];
}

/**
 * Like `prepareImport`, into groups that exist. Each piece of `work` is a new field or the next revision of one;
 * `sealPortion` seals both. The head names only the groups and entries that are written to. Groups of the tree
 * without a plan's group are made, also empty ones.
 * @throws RangeError for a plan that does not fit the tree or revises a field twice; the signal's reason if aborted
 */
export async function prepareImportInto(
  keyring: Keyring,
  tree: ExchangeTree,
  plan: ImportPlan,
  options: Preparing,
): Promise<{ head: SealedHeadInto; work: readonly FieldWork[] }> {
  const [root] = plan.groups;
  const isFitting = plan.groups.length === tree.groups.length && plan.entries.length === tree.entries.length;
  if (root === undefined || root === null || !isFitting) throw new RangeError('The plan is of another tree');
  const groups = await makeGroups(keyring, tree, options, {
    rootName: '',
    existing: (at) => plan.groups[at]?.groupKey ?? null,
    members: membersIn(keyring, tree, plan),
  });
  const written = new Map([[root.groupKey.groupId, root.groupKey]]);
  for (const [at, { wire }] of groups.entries()) {
    const above = plan.groups[tree.groups[at]?.parent ?? 0];
    if (wire !== null && above) written.set(above.groupKey.groupId, above.groupKey);
  }
  const keys = new Map(
    [...plan.elsewhere.values(), ...plan.groups].flatMap((one) => (one ? [[one.groupKey.groupId, one.groupKey]] : [])),
  );
  const newId = monotonicIds(options.now);
  const entries: ImportEntryWire[] = [];
  const existing = new Map<string, string>();
  const revised = new Set<string>();
  const work: FieldWork[] = [];
  for (const [at, entry] of tree.entries.entries()) {
    const how = plan.entries[at] ?? 'skip';
    if (how === 'skip') continue;
    if (how === 'add') {
      const group = groupAt(groups, entry.group);
      const wire = entryWire(entry, newId(), group);
      if (group.wire === null) written.set(group.groupKey.groupId, group.groupKey);
      entries.push(wire);
      for (const field of entry.fields) work.push({ field, groupKey: group.groupKey, entryId: wire.entry_id });
      continue;
    }
    const { entryId, entryGroupId } = how;
    const groupKey = keys.get(entryGroupId);
    if (groupKey === undefined) throw new RangeError('A revised entry is in an opened group');
    const own = fieldsToRevise(entry, how.fields).map((one) => ({ ...one, groupKey, entryId }));
    if (own.length === 0) continue;
    for (const { next } of own) {
      if (next === undefined) continue;
      if (revised.has(next.fieldId)) throw new RangeError('A field gets one revision');
      revised.add(next.fieldId);
    }
    written.set(entryGroupId, groupKey);
    existing.set(entryId, entryGroupId);
    work.push(...own);
  }
  return {
    head: {
      type: 'head',
      into: root.groupKey.groupId,
      targets: [...written.values()].map(({ groupId, version }) => ({ entry_group_id: groupId, gk_version: version })),
      same_members: plan.sameMembers,
      existing_entries: [...existing].map(([entry_id, entry_group_id]) => ({ entry_id, entry_group_id })),
      groups: groups.flatMap(({ wire }) => wire ?? []),
      entries,
      fields: work.filter(({ next }) => next === undefined).length,
      skipped: tree.skipped,
    },
    work,
  };
}

function fieldsToRevise(
  { fields }: TreeEntry,
  plans: readonly FieldPlan[],
): { field: TreeField; next?: NextRevision }[] {
  if (plans.length !== fields.length) throw new RangeError('The plan is of another entry');
  return fields.flatMap((field, at) => {
    const how = plans[at] ?? 'skip';
    if (how === 'skip') return [];
    return how === 'add' ? [{ field }] : [{ field, next: how }];
  });
}

/** Members of a new group: those of the group above, with the importer as admin. */
function membersIn(keyring: Keyring, tree: ExchangeTree, { groups, sameMembers }: ImportPlan) {
  const self = selfOf(keyring);
  const known: (readonly SignedMember[])[] = [];
  for (const [at, { parent }] of tree.groups.entries()) {
    const own = groups[at]?.members;
    const others = (own ?? (parent === null ? [] : known[parent]) ?? []).filter(
      ({ identity }) => identity.userId !== keyring.userId,
    );
    known.push([self, ...others]);
  }
  return (at: number): readonly SignedMember[] => (sameMembers ? (known[at] ?? [self]) : [self]);
}
