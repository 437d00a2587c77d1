/** A group with everything below it, as one thing. */
import { type ExpressionBuilder, sql } from 'kysely';
import type { Removal } from '@passwordbroker/core/contract/entities';
import type { Role } from '@passwordbroker/core/domain/policy';
import type { Database, Transact } from '../../db/database.ts';
import type { Tables } from '../../db/schema/tables.ts';

const ID_LENGTH = 36;

/** A living group that is the top of its tree, and the person's role in it. */
export async function findRoot(tx: Transact, groupId: string, userId: string) {
  const group = await tx
    .selectFrom('entry_groups')
    .select(['materialized_path', 'name'])
    .where('entry_group_id', '=', groupId)
    .where('trashed_by', 'is', null)
    .executeTakeFirst();
  if (group === undefined) return undefined;
  const member = await tx
    .selectFrom('group_members')
    .select('role')
    .where('entry_group_id', '=', groupId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  const role: Role | null = member?.role ?? null;
  return { ...group, role };
}

/** The group of this path and those below it. Paths are ids and dots, so nothing in them is a wildcard; the dot keeps `…1` from matching `…12`. */
const inSubtree = (path: string) => (eb: ExpressionBuilder<Tables, 'entry_groups'>) =>
  eb.or([eb('materialized_path', '=', path), eb('materialized_path', 'like', `${path}.%`)]);

/** Whether anybody else made, changed or may see something in the subtree. */
export async function isTouchedByOthers(tx: Transact, path: string, userId: string): Promise<boolean> {
  const groups = tx.selectFrom('entry_groups').where(inSubtree(path));
  const notOwn = <Column extends 'created_by' | 'user_id'>(column: Column) =>
    [column, 'is distinct from', userId] as const;
  const group = await groups
    .select('entry_group_id')
    .where(...notOwn('created_by'))
    .limit(1)
    .execute();
  if (group.length > 0) return true;
  const within = groups.select('entry_group_id');
  const member = await tx
    .selectFrom('group_members')
    .select('id')
    .where('entry_group_id', 'in', within)
    .where('user_id', '!=', userId)
    .limit(1)
    .execute();
  if (member.length > 0) return true;
  const entry = await tx
    .selectFrom('entries')
    .select('entry_id')
    .where('entry_group_id', 'in', within)
    .where('created_by', 'is distinct from', userId)
    .limit(1)
    .execute();
  if (entry.length > 0) return true;
  const revision = await tx
    .selectFrom('field_revisions')
    .innerJoin('fields', 'fields.field_id', 'field_revisions.field_id')
    .innerJoin('entries', 'entries.entry_id', 'fields.entry_id')
    .select('field_revisions.field_id')
    .where('entries.entry_group_id', 'in', within)
    .where('field_revisions.created_by', 'is distinct from', userId)
    .limit(1)
    .execute();
  return revision.length > 0;
}

/** How many levels there are below the group of this path, what lies in the trash included. */
export async function readDepthBelow(tx: Transact, path: string): Promise<number> {
  const row = await tx
    .selectFrom('entry_groups')
    .select((eb) => eb.fn.max(eb.fn<number>('length', ['materialized_path'])).as('longest'))
    .where(inSubtree(path))
    .executeTakeFirst();
  // Every level adds one id and its dot, all of the same length.
  return Math.round(((row?.longest ?? path.length) - path.length) / (ID_LENGTH + 1));
}

/** Gives the group another parent, and the whole subtree its new paths, in one statement. */
export async function updateGroupPlace(
  tx: Transact,
  place: { readonly groupId: string; readonly parentId: string | null; readonly from: string; readonly to: string },
): Promise<void> {
  const { groupId, parentId, from, to } = place;
  await tx
    .updateTable('entry_groups')
    .set({ materialized_path: sql<string>`${to} || substr(materialized_path, ${sql.lit(from.length + 1)})` })
    .where(inSubtree(from))
    .execute();
  await tx
    .updateTable('entry_groups')
    .set({ parent_entry_group_id: parentId })
    .where('entry_group_id', '=', groupId)
    .execute();
}

/** How many living groups of the subtree the person is no admin of. */
export async function countLivingNotAdministered(tx: Transact, path: string, userId: string): Promise<number> {
  const row = await tx
    .selectFrom('entry_groups')
    .leftJoin('group_members', (join) =>
      join
        .onRef('group_members.entry_group_id', '=', 'entry_groups.entry_group_id')
        .on('group_members.user_id', '=', userId)
        .on('group_members.role', '=', 'admin'),
    )
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where(inSubtree(path))
    .where('entry_groups.trashed_by', 'is', null)
    .where('group_members.id', 'is', null)
    .executeTakeFirstOrThrow();
  return row.count;
}

/** Ids of the living groups of the subtree, its top included. */
export async function livingGroups(tx: Transact, path: string): Promise<string[]> {
  const rows = await tx
    .selectFrom('entry_groups')
    .select('entry_group_id')
    .where(inSubtree(path))
    .where('trashed_by', 'is', null)
    .execute();
  return rows.map((row) => row.entry_group_id);
}

/** How much lives in the subtree, its top included, and how many people are members of any group of it. */
export async function weighSubtree(db: Database, path: string): Promise<Removal> {
  const groups = db.read.selectFrom('entry_groups').where(inSubtree(path)).where('entry_groups.trashed_by', 'is', null);
  const entries = groups
    .innerJoin('entries', 'entries.entry_group_id', 'entry_groups.entry_group_id')
    .where('entries.trashed_by', 'is', null);
  const [group, entry, field, user] = await Promise.all([
    groups.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow(),
    entries.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow(),
    entries
      .innerJoin('fields', 'fields.entry_id', 'entries.entry_id')
      .where('fields.trashed_by', 'is', null)
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow(),
    groups
      .innerJoin('group_members', 'group_members.entry_group_id', 'entry_groups.entry_group_id')
      .select((eb) => eb.fn.count<number>('group_members.user_id').distinct().as('count'))
      .executeTakeFirstOrThrow(),
  ]);
  return { counts: { entry_groups: group.count, entries: entry.count, fields: field.count }, users: user.count };
}
