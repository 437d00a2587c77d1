import type { ImportBatch } from '@passwordbroker/core/contract/entries/import';
import { AppError } from '@passwordbroker/core/contract/problem';
import type { PublicIdentity } from '@passwordbroker/core/domain/keyring/certificate';
import { foldText } from '@passwordbroker/core/domain/search-text';
import { LIMITS } from '@passwordbroker/core/domain/limits';
import type { Tables } from '../db/schema/tables.ts';
import { checkNewGroup, type Recipient, type Roles } from '../groups/group-key-checks.ts';
import { readSignedRoster } from '../groups/signed-roster.ts';
import type { NewGroupKeyRows } from '../groups/key-repository.ts';
import { atAsync, misplaced, unknownReference } from './batch-problem.ts';

type BatchGroup = ImportBatch['groups'][number];

export interface Importer {
  readonly userId: string;
  readonly identity: PublicIdentity;
  readonly now: number;
  /** Bytes. */
  readonly fileLimit: number;
  readonly newId: () => string;
}

export interface GroupRows {
  readonly group: Tables['entry_groups'];
  readonly members: readonly Tables['group_members'][];
  readonly key: NewGroupKeyRows;
}

/** The people who can open a group. */
export interface Members {
  readonly roles: Roles;
  readonly recipients: ReadonlyMap<string, Recipient>;
}

/** Where a new group is, and who is in it. */
export interface GroupPlace {
  readonly id: string;
  readonly path: string;
  /** Levels from the root; of a stand-in, those of its target. */
  readonly depth: number;
  readonly members: Members;
}

/** @returns the place of an existing group; undefined if it is no target */
export type PlaceOf = (groupId: string) => GroupPlace | undefined;

/** Call `read` in batch order, parents first. @param placeOf null for an import with a root of its own */
export function groupReader(importer: Importer, placeOf: PlaceOf | null) {
  const { userId, identity, now } = importer;
  const own = ownMembers(importer);
  const places = new Map<string, GroupPlace>();
  return {
    has: (groupId: string) => places.has(groupId),
    async read(group: BatchGroup, position: number): Promise<GroupRows> {
      const above = aboveOf(places, placeOf, group, position);
      const groupId = group.entry_group_id;
      const members = above?.members ?? own;
      const path = above === null ? groupId : `${above.path}.${groupId}`;
      places.set(groupId, { id: groupId, path, depth: (above?.depth ?? 0) + 1, members });
      const newGroup = { groupId, creatorId: userId, roles: members.roles, now };
      const key = await atAsync(['batch', 'groups', position], async () =>
        checkNewGroup(newGroup, group, {
          roster: await readSignedRoster(identity, group, groupId),
          recipients: members.recipients,
        }),
      );
      return { ...rowsOf(importer, group, above, members), key };
    },
  };
}

export const ownMembers = ({ userId, identity }: Importer): Members => ({
  roles: new Map([[userId, 'admin']]),
  recipients: new Map([[userId, { fingerprint: identity.fingerprint, bits: identity.rsa.bits }]]),
});

function aboveOf(
  places: ReadonlyMap<string, GroupPlace>,
  placeOf: PlaceOf | null,
  { entry_group_id: id, parent_entry_group_id: parent }: BatchGroup,
  position: number,
): GroupPlace | null {
  const place = ['batch', 'groups', position, 'parent_entry_group_id'] as const;
  if (places.has(id)) throw new AppError('id_taken');
  const isRoot = placeOf === null && position === 0;
  if ((parent === undefined) !== isRoot) throw unknownReference(...place);
  if (parent === undefined) return null;
  const above = places.get(parent) ?? placeOf?.(parent);
  if (above === undefined) throw unknownReference(...place);
  if (above.depth >= LIMITS.treeDepth) {
    throw misplaced(`The tree is deeper than ${LIMITS.treeDepth} groups.`, ...place);
  }
  return above;
}

function rowsOf(
  importer: Importer,
  group: BatchGroup,
  above: GroupPlace | null,
  { roles }: Members,
): Omit<GroupRows, 'key'> {
  const { userId, now } = importer;
  const { entry_group_id, name } = group;
  return {
    group: {
      entry_group_id,
      parent_entry_group_id: above?.id ?? null,
      materialized_path: above === null ? entry_group_id : `${above.path}.${entry_group_id}`,
      name,
      name_folded: foldText(name),
      gk_version: 1,
      origin: 'client',
      rotation_due: 0,
      roster_seq: 0,
      created_by: userId,
      created_at: timeOf(group.created_at, now),
      updated_at: timeOf(group.updated_at, now),
      trashed_by: null,
    },
    members: [...roles].map(([user_id, role]) => ({
      id: importer.newId(),
      entry_group_id,
      user_id,
      role,
      created_at: now,
      updated_at: now,
    })),
  };
}

/** Unix ms; `now` for times that are missing, invalid or in the future. */
export function timeOf(told: string | number | undefined, now: number): number {
  const time = typeof told === 'string' ? Date.parse(told) : (told ?? Number.NaN);
  return time > 0 && time <= now ? time : now;
}
