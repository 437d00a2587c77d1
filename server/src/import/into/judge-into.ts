/**
 * Judges an import into existing groups: when it begins, so that a refusal costs nothing, and again in its last
 * transaction. Call it with the shared vault lock.
 */
import { TEXTS } from '@passwordbroker/core/contract/inputs';
import { AppError, refuse } from '@passwordbroker/core/contract/problem';
import { depthOf } from '@passwordbroker/core/domain/groups/group-tree';
import { ENTRY_SIZE_TEXTS, hasTooManyFields, hasTooMuchText, type EntrySize } from '@passwordbroker/core/domain/limits';
import { can, type Role } from '@passwordbroker/core/domain/policy';
import { type Transact, dialectOf } from '../../db/database.ts';
import { portions } from '../../db/portions.ts';
import { listRecipients } from '../../groups/group-repository.ts';
import type { Members } from '../batch-groups.ts';
import type { IntoHead, SeenTarget, SeenTargets, UpdateHead } from './into-head.ts';

/**
 * @throws AppError `not_found`, `forbidden`, each with `entry_group_id` in its details; `key_version_conflict` with
 * `current_gk_version` too
 */
export async function judgeTargets(tx: Transact, userId: string, into: IntoHead): Promise<SeenTargets> {
  const ids = [...into.targets.keys()];
  const rows = new Map<string, Awaited<ReturnType<typeof listTargets>>[number]>();
  for (const portion of portions(ids)) {
    for (const row of await listTargets(tx, userId, portion)) rows.set(row.entry_group_id, row);
  }
  const members = into.sameMembers ? await membersOf(tx, userId, [...into.parents]) : new Map<string, Members>();
  const seen = new Map<string, SeenTarget>();
  for (const [entry_group_id, version] of into.targets) {
    const row = rows.get(entry_group_id);
    if (row === undefined) throw new AppError('not_found', { details: { entry_group_id } });
    const { name, name_folded: nameFolded, gk_version: current_gk_version, materialized_path: path, role } = row;
    const isAllowed =
      can(role, 'entry.write') && (!into.parents.has(entry_group_id) || can(role, 'group.create-child'));
    if (!isAllowed) throw new AppError('forbidden', { details: { entry_group_id } });
    if (current_gk_version !== version) {
      throw new AppError('key_version_conflict', { details: { entry_group_id, current_gk_version } });
    }
    seen.set(entry_group_id, { name, nameFolded, depth: depthOf(path), members: members.get(entry_group_id) ?? null });
  }
  return seen;
}

async function listTargets(tx: Transact, userId: string, ids: readonly string[]) {
  return tx
    .selectFrom('entry_groups')
    .leftJoin('group_members', (join) =>
      join
        .onRef('group_members.entry_group_id', '=', 'entry_groups.entry_group_id')
        .on('group_members.user_id', '=', userId),
    )
    .select(['entry_groups.entry_group_id', 'entry_groups.name', 'entry_groups.name_folded'])
    .select(['entry_groups.gk_version', 'entry_groups.materialized_path', 'group_members.role'])
    .where('entry_groups.entry_group_id', 'in', ids)
    .where('entry_groups.trashed_by', 'is', null)
    .execute();
}

/** With the importer as admin. */
async function membersOf(tx: Transact, userId: string, groupIds: readonly string[]): Promise<Map<string, Members>> {
  const roles = new Map<string, Map<string, Role>>();
  for (const portion of portions(groupIds)) {
    const rows = await tx
      .selectFrom('group_members')
      .select(['entry_group_id', 'user_id', 'role'])
      .where('entry_group_id', 'in', portion)
      .orderBy('user_id')
      .execute();
    for (const { entry_group_id, user_id, role } of rows) {
      const known = roles.get(entry_group_id);
      if (known === undefined) roles.set(entry_group_id, new Map([[user_id, role]]));
      else known.set(user_id, role);
    }
  }
  const people = new Set([...roles.values()].flatMap((some) => [...some.keys()]));
  const recipients = await listRecipients(tx, [...people, userId]);
  return new Map(
    [...roles].map(([groupId, own]) => {
      own.set(userId, 'admin');
      const keys = [...own.keys()].flatMap((id) => {
        const recipient = recipients.get(id);
        return recipient === undefined ? [] : ([[id, recipient]] as const);
      });
      return [groupId, { roles: own, recipients: new Map(keys) }];
    }),
  );
}

/** @throws AppError `rewrap_set_mismatch` if members, roles or keys of a parent have changed since */
export function requireSameMembers(before: SeenTargets, now: SeenTargets): void {
  for (const [groupId, { members }] of before) {
    if (members === null) continue;
    if (textOf(members) !== textOf(now.get(groupId)?.members ?? null)) throw new AppError('rewrap_set_mismatch');
  }
}

const textOf = (members: Members | null) =>
  members === null ? '' : JSON.stringify([[...members.roles].toSorted(byId), [...members.recipients].toSorted(byId)]);

const byId = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]) => (a < b ? -1 : 1);

/** Existing entries whose searchable texts the import changes, and those with another password. */
export interface ChangedEntries {
  readonly texts: ReadonlySet<string>;
  readonly passwords: ReadonlySet<string>;
}

/**
 * Locks the entries (PostgreSQL): nobody else changes them until the transaction ends.
 * @param withNewFields ids of existing entries
 * @throws AppError `not_found` with `entry_id` or `field_id` in its details; `revision_conflict` with `field_id` and
 * `current_rev`; `validation`
 */
export async function judgeEntries(
  tx: Transact,
  into: IntoHead,
  withNewFields: ReadonlySet<string> = new Set(),
): Promise<ChangedEntries> {
  for (const portion of portions([...into.entries.keys()].toSorted())) {
    const rows = await tx
      .selectFrom('entries')
      .select(['entry_id', 'entry_group_id'])
      .where('entry_id', 'in', portion)
      .where('trashed_by', 'is', null)
      .orderBy('entry_id')
      .$if(dialectOf(tx) === 'postgres', (query) => query.forNoKeyUpdate())
      .execute();
    const groups = new Map(rows.map((row) => [row.entry_id, row.entry_group_id]));
    for (const entry_id of portion) {
      const isThere = groups.get(entry_id) === into.entries.get(entry_id);
      if (!isThere) throw new AppError('not_found', { details: { entry_id } });
    }
  }
  const texts = new Set(withNewFields);
  for (const portion of portions(into.updates)) await judgeUpdates(tx, portion, texts);
  const passwords = into.updates.flatMap(({ type, entry_id }) => (type === 'password' ? [entry_id] : []));
  return { texts, passwords: new Set(passwords) };
}

async function judgeUpdates(tx: Transact, updates: readonly UpdateHead[], texts: Set<string>): Promise<void> {
  const rows = await tx
    .selectFrom('fields')
    .select(['field_id', 'entry_id', 'type', 'rev', 'title', 'login', 'file_name'])
    .where(
      'field_id',
      'in',
      updates.map(({ field_id }) => field_id),
    )
    .where('trashed_by', 'is', null)
    .execute();
  const fields = new Map(rows.map((row) => [row.field_id, row]));
  for (const { field_id, entry_id, base_rev, type, title, login, file_name } of updates) {
    const field = fields.get(field_id);
    if (field?.entry_id !== entry_id) throw new AppError('not_found', { details: { field_id } });
    if (field.type !== type) throw refuse('batch.updates', TEXTS.unexpected('type'));
    if (field.rev !== base_rev) {
      throw new AppError('revision_conflict', { details: { field_id, current_rev: field.rev } });
    }
    const isSame =
      (title ?? '') === field.title && (login ?? '') === (field.login ?? '') && (file_name ?? null) === field.file_name;
    if (!isSame) texts.add(entry_id);
  }
}

/** Entries beyond the limits may stay as they are. @throws AppError `validation` */
export function requireWithinSizes(before: Map<string, EntrySize>, after: Map<string, EntrySize>): void {
  for (const [entryId, size] of after) {
    const former = before.get(entryId) ?? { fields: 0, text: 0 };
    if (size.fields > former.fields && hasTooManyFields(size)) throw refuse('batch.fields', ENTRY_SIZE_TEXTS.fields);
    if (size.text > former.text && hasTooMuchText(size)) throw refuse('batch.fields', ENTRY_SIZE_TEXTS.text);
  }
}
