/** Seals an import (docs/spec/api.md §3.10) in portions, so that neither side holds all of it twice. */
import { writeDay } from '../entry-marks.ts';
import type { GroupKey } from '../groups/grants.ts';
import { type NewGroupKeyWire, type SignedMember, createGroupKeys } from '../groups/group-keys.ts';
import { type FieldWork, type SealedPortion, portionsOf, sealPortion, monotonicIds } from './import-fields.ts';
import type { ExchangeTree, SkippedThing, TreeEntry, TreeGroup } from '../exchange/tree.ts';
import type { Keyring } from '../keyring/keyring.ts';

export interface ImportGroupWire extends NewGroupKeyWire {
  readonly entry_group_id: string;
  readonly parent_entry_group_id?: string;
  readonly name: string;
  readonly created_at?: string;
  readonly updated_at?: string;
}

export interface ImportEntryWire {
  readonly entry_id: string;
  readonly entry_group_id: string;
  readonly title: string;
  readonly tags?: readonly string[];
  readonly due_at?: string;
  readonly due_kind?: 'expires';
  readonly created_at?: string;
  readonly updated_at?: string;
}

export interface SealedHead {
  readonly type: 'head';
  readonly groups: readonly ImportGroupWire[];
  readonly entries: readonly ImportEntryWire[];
  readonly fields: number;
  readonly skipped: readonly SkippedThing[];
}

export interface SealOptions {
  readonly rootName: string;
  /** Milliseconds. */
  readonly now: number;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

export type Preparing = Pick<SealOptions, 'now' | 'signal'>;

/** Seals everything except the fields (`sealPortion`). @throws the signal's reason if aborted */
export async function prepareImport(
  keyring: Keyring,
  tree: ExchangeTree,
  { rootName, ...options }: Preparing & Pick<SealOptions, 'rootName'>,
): Promise<{ head: SealedHead; work: readonly FieldWork[] }> {
  const members = [selfOf(keyring)];
  const groups = await makeGroups(keyring, tree, options, {
    rootName,
    existing: () => null,
    members: () => members,
  });
  const newId = monotonicIds(options.now);
  const entries = tree.entries.map((entry) => entryWire(entry, newId(), groupAt(groups, entry.group)));
  const work = tree.entries.flatMap((entry, at) =>
    entry.fields.map((field) => ({
      field,
      groupKey: groupAt(groups, entry.group).groupKey,
      entryId: entries[at]?.entry_id ?? '',
    })),
  );
  const wires = groups.flatMap(({ wire }) => wire ?? []);
  return { head: { type: 'head', groups: wires, entries, fields: work.length, skipped: tree.skipped }, work };
}

export const selfOf = (keyring: Keyring): SignedMember => ({ identity: keyring.identity, role: 'admin' });

export function entryWire(entry: TreeEntry, entry_id: string, group: MadeGroup): ImportEntryWire {
  return {
    entry_id,
    entry_group_id: group.groupKey.groupId,
    title: entry.title,
    ...(entry.tags.length === 0 ? {} : { tags: entry.tags }),
    ...(entry.expires === null ? {} : { due_at: writeDay(entry.expires), due_kind: 'expires' as const }),
    ...times(entry),
  };
}

/** Yields the head, then portions of fields. @throws the signal's reason if aborted */
export async function* sealImport(
  keyring: Keyring,
  tree: ExchangeTree,
  options: SealOptions,
): AsyncGenerator<SealedHead | SealedPortion> {
  const { signal, onProgress } = options;
  const { head, work } = await prepareImport(keyring, tree, options);
  yield head;
  let done = 0;
  for (const some of portionsOf(work)) {
    signal?.throwIfAborted();
    const portion = await sealPortion(some);
    onProgress?.((done += some.length), work.length);
    yield portion;
  }
}

export interface MadeGroup {
  /** Null for a group that exists. */
  readonly wire: ImportGroupWire | null;
  readonly groupKey: GroupKey;
}

export function groupAt(groups: readonly MadeGroup[], at: number): MadeGroup {
  const group = groups[at];
  if (group === undefined) throw new RangeError('A group comes before what lies in it');
  return group;
}

const GROUPS_AT_ONCE = 16;

interface Making {
  readonly rootName: string;
  readonly existing: (at: number) => GroupKey | null;
  readonly members: (at: number) => readonly SignedMember[];
}

export async function makeGroups(
  keyring: Keyring,
  tree: ExchangeTree,
  { now, signal }: Preparing,
  { rootName, existing, members }: Making,
): Promise<MadeGroup[]> {
  const newId = monotonicIds(now);
  const ids = tree.groups.map((_, at) => existing(at)?.groupId ?? newId());
  const idAt = (at: number): string => {
    const id = ids[at];
    if (id === undefined) throw new RangeError('A group comes before what lies in it');
    return id;
  };
  const make = async (group: TreeGroup, at: number): Promise<MadeGroup> => {
    const present = existing(at);
    if (present !== null) return { groupKey: present, wire: null };
    const groupId = idAt(at);
    const { groupKey, wire } = await createGroupKeys(keyring, { groupId, members: members(at), now });
    const place = group.parent === null ? {} : { parent_entry_group_id: idAt(group.parent) };
    const name = group.parent === null ? rootName : group.name;
    return { groupKey, wire: { entry_group_id: groupId, ...place, name, ...wire, ...times(group) } };
  };
  const made: MadeGroup[] = [];
  for (let at = 0; at < tree.groups.length; at += GROUPS_AT_ONCE) {
    signal?.throwIfAborted();
    const some = tree.groups.slice(at, at + GROUPS_AT_ONCE);
    made.push(...(await Promise.all(some.map((group, index) => make(group, at + index)))));
  }
  return made;
}

const time = (at: number) => new Date(at).toISOString();

function times({ created, modified }: { readonly created: number | null; readonly modified: number | null }) {
  return {
    ...(created === null ? {} : { created_at: time(created) }),
    ...(modified === null ? {} : { updated_at: time(modified) }),
  };
}
