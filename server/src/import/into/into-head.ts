/** What a batch says about existing groups, checked without the database (ADR 16). */
import type { ImportBatch, ImportUpdate } from '@passwordbroker/core/contract/entries/import';
import { TEXTS } from '@passwordbroker/core/contract/inputs';
import type { Tables } from '../../db/schema/tables.ts';
import { ownMembers, type GroupPlace, type Importer, type Members, type PlaceOf } from '../batch-groups.ts';
import { misplaced, unknownReference } from '../batch-problem.ts';
import type { BatchInto } from '../sealed-source.ts';

/** The next revision of a field, without what is sealed. */
export type UpdateHead = Pick<
  ImportUpdate,
  'entry_id' | 'field_id' | 'base_rev' | 'type' | 'title' | 'login' | 'file_name'
>;

export interface IntoHead {
  readonly into: string;
  /** Key versions by group id. */
  readonly targets: ReadonlyMap<string, number>;
  readonly sameMembers: boolean;
  /** Targets with new groups directly below. */
  readonly parents: ReadonlySet<string>;
  /** Entries that get new fields: group ids by entry id. */
  readonly existing: ReadonlyMap<string, string>;
  /** As `existing`, with those of updates. */
  readonly entries: ReadonlyMap<string, string>;
  readonly updates: readonly UpdateHead[];
}

/** A target as it was when the import began. */
export interface SeenTarget {
  readonly name: string;
  readonly nameFolded: string;
  /** Levels of its path. */
  readonly depth: number;
  /** Null unless new groups below get them. */
  readonly members: Members | null;
}

export type SeenTargets = ReadonlyMap<string, SeenTarget>;
/** Reads the targets. @throws AppError as `judgeTargets` */
export type SeeTargets = (into: IntoHead) => Promise<SeenTargets>;

/** Every group, entry and field once. @throws AppError `validation` */
export function readIntoHead(
  { into, targets, sameMembers, existing, updates }: BatchInto,
  groups: ImportBatch['groups'],
): IntoHead {
  const versions = new Map<string, number>();
  for (const [at, { entry_group_id, gk_version }] of targets.entries()) {
    if (versions.has(entry_group_id)) throw twice('targets', at, 'entry_group_id');
    versions.set(entry_group_id, gk_version);
  }
  if (!versions.has(into)) throw unknownReference('batch', 'into');
  const entries = new Map<string, string>();
  for (const [at, { entry_id, entry_group_id }] of existing.entries()) {
    if (entries.has(entry_id)) throw twice('existing_entries', at, 'entry_id');
    if (!versions.has(entry_group_id)) throw unknownReference('batch', 'existing_entries', at, 'entry_group_id');
    entries.set(entry_id, entry_group_id);
  }
  const own = new Map(entries);
  const fields = new Set<string>();
  for (const [at, { field_id, entry_id, entry_group_id }] of updates.entries()) {
    if (fields.has(field_id)) throw twice('updates', at, 'field_id');
    fields.add(field_id);
    const isInTarget = versions.has(entry_group_id) && (entries.get(entry_id) ?? entry_group_id) === entry_group_id;
    if (!isInTarget) throw unknownReference('batch', 'updates', at, 'entry_group_id');
    entries.set(entry_id, entry_group_id);
  }
  const heads = updates.map(({ entry_id, field_id, base_rev, type, title, login, file_name }) => {
    return { entry_id, field_id, base_rev, type, title, login, file_name };
  });
  const above = groups.flatMap(({ parent_entry_group_id: parent }) => (parent === undefined ? [] : [parent]));
  const parents = new Set(above.filter((parent) => versions.has(parent)));
  return { into, targets: versions, sameMembers, parents, existing: own, entries, updates: heads };
}

const twice = (list: string, at: number, member: string) =>
  misplaced(TEXTS.unexpected(member.replaceAll('_', ' ')), 'batch', list, at, member);

/**
 * Empty groups in the trash of the import that stand in for existing ones: what is written into them is as invisible
 * as the groups of a new tree. A stand-in has the id of its target as name and no roster.
 */
export function standInsFor(importer: Importer, { sameMembers }: IntoHead, seen: SeenTargets) {
  const { userId, now, newId } = importer;
  const own = ownMembers(importer);
  const places = new Map<string, GroupPlace>();
  const placeOf: PlaceOf = (groupId) => {
    const target = seen.get(groupId);
    const known = places.get(groupId);
    if (target === undefined || known !== undefined) return known;
    const id = newId();
    const members = sameMembers ? (target.members ?? own) : own;
    const place = { id, path: id, depth: target.depth, members };
    places.set(groupId, place);
    return place;
  };
  const rows = (): Tables['entry_groups'][] =>
    [...places].map(([groupId, { id }]) => ({
      entry_group_id: id,
      parent_entry_group_id: null,
      materialized_path: id,
      name: groupId,
      name_folded: seen.get(groupId)?.nameFolded ?? '',
      gk_version: 1,
      origin: 'client',
      rotation_due: 0,
      roster_seq: null,
      created_by: userId,
      created_at: now,
      updated_at: now,
      trashed_by: null,
    }));
  return { placeOf, rows };
}

/** Key of the digest: a tree has an id of its own, an existing group takes many imports. */
export const requestId = (into: IntoHead | null, rootId: string, digest: Uint8Array): string =>
  into === null ? rootId : `import ${Buffer.from(digest).toString('hex')}`;

/** Finds the operation of a repeated request. */
export const intoDetail = ({ updates }: IntoHead, digest: Uint8Array): string =>
  JSON.stringify({ digest: Buffer.from(digest).toString('hex'), updated: updates.length });
