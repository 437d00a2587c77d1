import { type ExpressionBuilder, sql } from 'kysely';
import type { Removal } from '@passwordbroker/core/contract/entities';
import type { Role } from '@passwordbroker/core/domain/policy';
import type { Database, Transact } from '../../db/database.ts';
import { portions } from '../../db/portions.ts';
import type { Tables } from '../../db/schema/tables.ts';

const ID_LENGTH = 36;

/** Finds a root group outside the trash. */
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

/** Paths contain no wildcards; the dot keeps `…1` from matching `…12`. */
export const inSubtree = (path: string) => (eb: ExpressionBuilder<Tables, 'entry_groups'>) =>
  eb.or([eb('materialized_path', '=', path), eb('materialized_path', 'like', `${path}.%`)]);

interface Subtree {
  /** Those outside the trash, with the top. */
  readonly living: string[];
  /** Whether others created or changed something in it. */
  isChanged: boolean;
}

/** By group, with two statements for many groups. */
export async function readSubtrees(
  tx: Transact,
  groupIds: readonly string[],
  userId: string,
): Promise<ReadonlyMap<string, Subtree>> {
  const subtrees = new Map(groupIds.map((id): [string, Subtree] => [id, { living: [], isChanged: false }]));
  for (const ids of portions(groupIds)) {
    const within = tx.withRecursive('below(id, top)', (db) =>
      db
        .selectFrom('entry_groups')
        .select(['entry_group_id as id', 'entry_group_id as top'])
        .where('entry_group_id', 'in', ids)
        .unionAll(
          db
            .selectFrom('entry_groups')
            .innerJoin('below', 'below.id', 'entry_groups.parent_entry_group_id')
            .select(['entry_groups.entry_group_id as id', 'below.top']),
        ),
    );
    const groups = await within
      .selectFrom('below')
      .innerJoin('entry_groups', 'entry_groups.entry_group_id', 'below.id')
      .select(['below.top', 'below.id', 'entry_groups.created_by', 'entry_groups.trashed_by'])
      .execute();
    for (const { top, id, created_by, trashed_by } of groups) {
      const subtree = subtrees.get(top);
      if (trashed_by === null) subtree?.living.push(id);
      if (created_by !== userId && subtree !== undefined) subtree.isChanged = true;
    }
    const changed = await within
      .selectFrom('below')
      .innerJoin('entries', 'entries.entry_group_id', 'below.id')
      .select('below.top')
      .where('entries.created_by', 'is distinct from', userId)
      .union((db) =>
        db
          .selectFrom('below')
          .innerJoin('entries', 'entries.entry_group_id', 'below.id')
          .innerJoin('fields', 'fields.entry_id', 'entries.entry_id')
          .innerJoin('field_revisions', 'field_revisions.field_id', 'fields.field_id')
          .select('below.top')
          .where('field_revisions.created_by', 'is distinct from', userId),
      )
      .execute();
    for (const { top } of changed) {
      const subtree = subtrees.get(top);
      if (subtree !== undefined) subtree.isChanged = true;
    }
  }
  return subtrees;
}

/** True if others see something in the subtree. */
export async function isSeenByOthers(tx: Transact, path: string, userId: string): Promise<boolean> {
  const member = await tx
    .selectFrom('group_members')
    .select('id')
    .where('entry_group_id', 'in', tx.selectFrom('entry_groups').where(inSubtree(path)).select('entry_group_id'))
    .where('user_id', '!=', userId)
    .limit(1)
    .execute();
  return member.length > 0;
}

/** Those that others renamed, moved or marked, or in which they wrote or deleted a field. */
export async function entriesTouchedByOthers(
  tx: Transact,
  entryIds: readonly string[],
  userId: string,
): Promise<Set<string>> {
  const touched = new Set<string>();
  for (const ids of portions(entryIds)) {
    const operation = tx.selectFrom('operations').where('operations.user_id', 'is distinct from', userId);
    const fields = tx.selectFrom('fields').select('fields.entry_id as id').where('fields.entry_id', 'in', ids);
    const rows = await operation
      .select('target_id as id')
      .where('target_id', 'in', ids)
      .union(fields.where('field_id', 'in', operation.select('target_id')))
      // Tags, icons and due dates have no operation. The audit log is kept longer than an undo is possible.
      .union(
        tx
          .selectFrom('audit_log')
          .select((eb) => eb.ref('target_id').$notNull().as('id'))
          .where('target_id', 'in', ids)
          .where('event_type', '=', 'entry_marked')
          .where('user_id', 'is distinct from', userId),
      )
      .union(
        fields
          .innerJoin('field_revisions', 'field_revisions.field_id', 'fields.field_id')
          .where('field_revisions.created_by', 'is distinct from', userId),
      )
      .execute();
    for (const { id } of rows) touched.add(id);
  }
  return touched;
}

/** Counts levels, including the trash. */
export async function readDepthBelow(tx: Transact, path: string): Promise<number> {
  const row = await tx
    .selectFrom('entry_groups')
    .select((eb) => eb.fn.max(eb.fn<number>('length', ['materialized_path'])).as('longest'))
    .where(inSubtree(path))
    .executeTakeFirst();
  // Every level adds one id and a dot.
  return Math.round(((row?.longest ?? path.length) - path.length) / (ID_LENGTH + 1));
}

/** Also updates the paths of the subtree. */
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

/** Counts groups outside the trash. */
export async function countLivingNotAdministered(tx: Database['read'], path: string, userId: string): Promise<number> {
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

/** Returns groups outside the trash, including the top. */
export async function livingGroups(tx: Database['read'], path: string): Promise<string[]> {
  const rows = await tx
    .selectFrom('entry_groups')
    .select('entry_group_id')
    .where(inSubtree(path))
    .where('trashed_by', 'is', null)
    .execute();
  return rows.map((row) => row.entry_group_id);
}

/** Counts what is outside the trash, and `users` who see some of it. */
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
