/** Names by id, of what a person may read. The trash counts for people who may restore from it. */
import type { Named } from '@passwordbroker/core/contract/entities';
import type { Role } from '@passwordbroker/core/domain/policy';
import { can } from '@passwordbroker/core/domain/policy';
import type { Database } from '../db/database.ts';

/** Unordered. Ids that nothing has, or nothing that the person may read, are left out. */
export async function listNames({ read }: Database, userId: string, ids: readonly string[]): Promise<Named[]> {
  const named = await Promise.all([groupNames, entryNames, fieldNames].map((of) => of(read, userId, ids)));
  const users = await read.selectFrom('users').select(['user_id', 'name']).where('user_id', 'in', ids).execute();
  return [...named.flat(), ...users.map(({ user_id, name }) => asNamed('user', user_id, name))];
}

type Reader = Database['read'];

const asNamed = (
  kind: Named['kind'],
  id: string,
  title: string,
  place: Partial<Pick<Named, 'entry' | 'entry_group'>> = {},
): Named => ({ id, kind, title, entry: null, entry_group: null, ...place });

/** Groups that the person is a member of; in the trash those that he administers. */
async function groupNames(read: Reader, userId: string, ids: readonly string[]): Promise<Named[]> {
  const rows = await read
    .selectFrom('entry_groups')
    .innerJoin('group_members', 'group_members.entry_group_id', 'entry_groups.entry_group_id')
    .select(['entry_groups.entry_group_id as id', 'entry_groups.name', 'entry_groups.trashed_by', 'group_members.role'])
    .where('group_members.user_id', '=', userId)
    .where('entry_groups.entry_group_id', 'in', ids)
    .execute();
  return rows
    .filter(({ trashed_by, role }) => can(role, trashed_by === null ? 'group.read' : 'group.delete'))
    .map(({ id, name }) => asNamed('entry_group', id, name));
}

const membersEntries = (read: Reader, userId: string) =>
  read
    .selectFrom('entries')
    .innerJoin('entry_groups', 'entry_groups.entry_group_id', 'entries.entry_group_id')
    .innerJoin('group_members', 'group_members.entry_group_id', 'entries.entry_group_id')
    .select(['entries.entry_id', 'entries.title as entry_title', 'entries.trashed_by as entry_trashed_by'])
    .select(['entry_groups.entry_group_id', 'entry_groups.name', 'group_members.role'])
    .where('entry_groups.trashed_by', 'is', null)
    .where('group_members.user_id', '=', userId);

const mayName = (role: Role, isInTrash: boolean) => can(role, isInTrash ? 'trash.read' : 'group.read');

async function entryNames(read: Reader, userId: string, ids: readonly string[]): Promise<Named[]> {
  const rows = await membersEntries(read, userId).where('entries.entry_id', 'in', ids).execute();
  return rows
    .filter(({ role, entry_trashed_by }) => mayName(role, entry_trashed_by !== null))
    .map(({ entry_id, entry_title, entry_group_id, name }) =>
      asNamed('entry', entry_id, entry_title, { entry_group: { entry_group_id, name } }),
    );
}

async function fieldNames(read: Reader, userId: string, ids: readonly string[]): Promise<Named[]> {
  const rows = await membersEntries(read, userId)
    .innerJoin('fields', 'fields.entry_id', 'entries.entry_id')
    .select(['fields.field_id', 'fields.title', 'fields.trashed_by'])
    .where('fields.field_id', 'in', ids)
    .execute();
  return rows
    .filter(({ role, entry_trashed_by, trashed_by }) => mayName(role, entry_trashed_by !== null || trashed_by !== null))
    .map(({ field_id, title, entry_id, entry_title, entry_group_id, name }) => {
      const place = { entry: { entry_id, title: entry_title }, entry_group: { entry_group_id, name } };
      return asNamed('field', field_id, title, place);
    });
}
