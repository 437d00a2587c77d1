import { findGroup } from '../http/auth/path-repository.ts';
import type { GroupAnswer } from '@passwordbroker/core/contract/entities';
import { TEXTS } from '@passwordbroker/core/contract/inputs';
import { AppError, refuse } from '@passwordbroker/core/contract/problem';
import { foldText } from '@passwordbroker/core/domain/search-text';
import { depthOf } from '@passwordbroker/core/domain/groups/group-tree';
import { LIMITS } from '@passwordbroker/core/domain/limits';
import { type Role, can } from '@passwordbroker/core/domain/policy';
import { recordEvent } from '../audit/audit-log.ts';
import type { Transact } from '../db/database.ts';
import { type Answer, answer } from '../http/answer/answer.ts';
import type { Actor, Deps, Origin, Context } from '../http/context.ts';
import { isRepeat, rememberCreate, digestOfCreate } from '../http/answer/created-request-repository.ts';
import { readBack } from './group-answers.ts';
import { type Roles, checkNewGroup } from './group-key-checks.ts';
import {
  insertGroup,
  isGroupIdTaken,
  type GroupRow,
  insertMembers,
  listRoles,
  listRecipients,
} from './group-repository.ts';
import { insertGroupKey, type NewGroupKeyRows } from './key-repository.ts';
import { hashOfRow, readOwnRoster } from './signed-roster.ts';
import { noteRoles } from '../notices/member-notices.ts';
import { SERVER_TEXTS } from '../platform/texts.ts';
import type { create } from '@passwordbroker/core/contract/groups/entry-groups';
import type { BodyOf } from '@passwordbroker/core/contract/endpoint';

interface Maker {
  readonly deps: Deps;
  readonly actor: Actor;
  readonly origin: Origin;
}

interface NewGroup {
  readonly groupId: string;
  readonly parentId: string | undefined;
  readonly name: string;
  readonly sameMembersAsParent: boolean;
  readonly keyOrigin: 'client' | 'server';
  /** Identifies repeated requests; null if the body contained a secret. */
  readonly digest: Buffer | null;
  /** Must be fast, because it runs in the transaction. */
  readonly keyRows: (tx: Transact, roles: Roles, now: number) => Promise<NewGroupKeyRows>;
}

const PARENT = 'parent_entry_group_id';

/**
 * Creates group, members and first key (docs/spec/decisions.md G1–G3). Returns 201, or 200 for a repeat.
 * @throws AppError see docs/spec/api.md §3.6
 */
export async function createGroup({ deps, actor, origin }: Maker, group: NewGroup): Promise<Answer<GroupAnswer>> {
  const { groupId } = group;
  const status = await deps.db.transact(async (tx) => {
    if (await isRepeat(tx, groupId, actor.userId, group.digest)) return 200;
    const parent = group.parentId === undefined ? null : await findParent(tx, group.parentId, actor.userId);
    if (await isGroupIdTaken(tx, groupId)) throw new AppError('id_taken');
    const now = deps.clock.now();
    const roles = await rolesAtBirth(tx, actor.userId, group.sameMembersAsParent ? parent : null);
    const row = rowOf(group, parent, actor.userId, now);
    await insertGroup(tx, row);
    await insertMembers(
      tx,
      [...roles].map(([user_id, role]) => ({
        id: deps.newId(),
        entry_group_id: groupId,
        user_id,
        role,
        created_at: now,
        updated_at: now,
      })),
    );
    const keyRows = await group.keyRows(tx, roles, now);
    await insertGroupKey(tx, keyRows);
    await rememberCreate(tx, { id: groupId, userId: actor.userId, digest: group.digest, now });
    const target = { target_type: 'entry_group', target_id: groupId };
    const signed = keyRows.roster === null ? null : { roster_hash: hashOfRow(keyRows.roster) };
    const event = { event_type: 'group_created' as const, actor, origin, ...target };
    await recordEvent(tx, deps, signed === null ? event : { ...event, details: signed });
    for (const [userId, role] of roles) {
      if (userId === actor.userId) continue;
      const details = { user_id: userId, role, ...signed };
      await recordEvent(tx, deps, { event_type: 'role_granted', actor, origin, ...target, details });
    }
    const given = [...roles].map(([userId, role]) => ({ groupId, userId, role, before: null }));
    await noteRoles(tx, deps, actor.userId, given);
    return 201;
  });
  const made = await readBack(deps, groupId, actor.userId).catch((error: unknown) => {
    throw error instanceof AppError && error.code === 'not_found' ? new AppError('id_taken') : error;
  });
  return answer(status, made);
}

async function findParent(tx: Transact, parentId: string, userId: string): Promise<GroupRow> {
  const parent = await findGroup({ read: tx }, parentId, userId);
  if (parent === undefined) throw refuse(PARENT, TEXTS.unknown('parent entry group'));
  if (!can(parent.role, 'group.create-child')) throw new AppError('forbidden');
  if (depthOf(parent.materialized_path) >= LIMITS.treeDepth) {
    throw new AppError('conflict', { message: SERVER_TEXTS.tooDeep(LIMITS.treeDepth) });
  }
  return parent;
}

async function rolesAtBirth(tx: Transact, creatorId: string, parent: GroupRow | null): Promise<Roles> {
  const others = parent === null ? [] : await listRoles(tx, parent.entry_group_id);
  return new Map<string, Role>([...others.map(({ user_id, role }) => [user_id, role] as const), [creatorId, 'admin']]);
}

function rowOf(group: NewGroup, parent: GroupRow | null, creatorId: string, now: number): GroupRow {
  const { groupId, name, keyOrigin } = group;
  return {
    entry_group_id: groupId,
    parent_entry_group_id: parent?.entry_group_id ?? null,
    materialized_path: parent === null ? groupId : `${parent.materialized_path}.${groupId}`,
    name,
    name_folded: foldText(name),
    gk_version: 1,
    origin: keyOrigin,
    rotation_due: 0,
    roster_seq: keyOrigin === 'client' ? 0 : null,
    created_by: creatorId,
    created_at: now,
    updated_at: now,
    trashed_by: null,
  };
}

type Creating = Context<typeof create, BodyOf<typeof create>>;

/**
 * Verifies the roster before the transaction, to keep locks short.
 * @throws AppError as `createGroup`; `bad_sealed_value`, `rewrap_set_mismatch`, `roster_conflict`
 */
export async function createSealedGroup(context: Creating): Promise<Answer<GroupAnswer>> {
  const { deps, actor, origin, body } = context;
  const newGroup = { groupId: body.entry_group_id, creatorId: actor.userId };
  // A bad roster is reported later: repeats and taken ids come first.
  const [roster] = await Promise.allSettled([readOwnRoster(deps.db, actor, body, newGroup.groupId)]);
  return createGroup(
    { deps, actor, origin },
    {
      groupId: newGroup.groupId,
      parentId: body.parent_entry_group_id,
      name: body.name,
      sameMembersAsParent: body.same_members_as_parent ?? false,
      keyOrigin: 'client',
      digest: digestOfCreate(context, body),
      keyRows: async (tx, roles, now) => {
        if (roster.status === 'rejected') throw roster.reason;
        const recipients = await listRecipients(tx, [...roles.keys()]);
        return checkNewGroup({ ...newGroup, roles, now }, body, { roster: roster.value, recipients });
      },
    },
  );
}
