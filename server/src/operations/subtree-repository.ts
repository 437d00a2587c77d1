/** A group with everything below it, as one thing. */
import type { ExpressionBuilder } from 'kysely';
import type { Role } from '@passwordbroker/core/domain/policy';
import type { Transact } from '../db/database.ts';
import type { Tables } from '../db/schema.ts';

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
