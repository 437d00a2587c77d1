import type { ImportBatch } from '@passwordbroker/core/contract/entries/import';
import { AppError } from '@passwordbroker/core/contract/problem';
import type { PublicIdentity } from '@passwordbroker/core/domain/keyring/certificate';
import { foldText } from '@passwordbroker/core/domain/search-text';
import { LIMITS } from '@passwordbroker/core/domain/limits';
import type { Tables } from '../db/schema/tables.ts';
import { checkNewKey } from '../groups/group-key-checks.ts';
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
  readonly member: Tables['group_members'];
  readonly key: NewGroupKeyRows;
}

/** Call `read` in batch order, parents first. */
export function groupReader(importer: Importer) {
  const { userId, identity, now } = importer;
  const identities = new Map([[userId, identity]]);
  const roles = new Map([[userId, 'admin' as const]]);
  const paths = new Map<string, string>();
  return {
    has: (groupId: string) => paths.has(groupId),
    async read(group: BatchGroup, position: number): Promise<GroupRows> {
      const path = pathOf(paths, group, position);
      const groupId = group.entry_group_id;
      paths.set(groupId, path);
      const newGroup = { groupId, creatorId: userId, roles, now };
      const key = await atAsync(['batch', 'groups', position], () => checkNewKey(identities, newGroup, group));
      return { ...rowsOf(importer, group, path), key };
    },
  };
}

function pathOf(paths: ReadonlyMap<string, string>, group: BatchGroup, position: number): string {
  const { entry_group_id: id, parent_entry_group_id: parent } = group;
  const place = ['batch', 'groups', position, 'parent_entry_group_id'] as const;
  if (paths.has(id)) throw new AppError('id_taken');
  if ((parent === undefined) !== (position === 0)) throw unknownReference(...place);
  if (parent === undefined) return id;
  const above = paths.get(parent);
  if (above === undefined) throw unknownReference(...place);
  if (above.split('.').length >= LIMITS.treeDepth) {
    throw misplaced(`The tree is deeper than ${LIMITS.treeDepth} groups.`, ...place);
  }
  return `${above}.${id}`;
}

function rowsOf(importer: Importer, group: BatchGroup, path: string): Omit<GroupRows, 'key'> {
  const { userId: user_id, now } = importer;
  const { entry_group_id, name } = group;
  return {
    group: {
      entry_group_id,
      parent_entry_group_id: group.parent_entry_group_id ?? null,
      materialized_path: path,
      name,
      name_folded: foldText(name),
      gk_version: 1,
      origin: 'client',
      rotation_due: 0,
      roster_seq: 0,
      created_by: user_id,
      created_at: timeOf(group.created_at, now),
      updated_at: timeOf(group.updated_at, now),
      trashed_by: null,
    },
    member: { id: importer.newId(), entry_group_id, user_id, role: 'admin', created_at: now, updated_at: now },
  };
}

/** Unix ms; `now` for times that are missing, invalid or in the future. */
export function timeOf(told: string | number | undefined, now: number): number {
  const time = typeof told === 'string' ? Date.parse(told) : (told ?? Number.NaN);
  return time > 0 && time <= now ? time : now;
}
