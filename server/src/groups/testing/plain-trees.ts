/**
 * The trees of a person, built from the tables in the simplest way. The optimised calls have to
 * return the same.
 */
import type { TreeNode } from '@passwordbroker/core/contract/entities';
import type { TreeRole } from '@passwordbroker/core/domain/policy';
import type { Deps } from '../../http/context.ts';

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

export async function plainTrees({ db }: Pick<Deps, 'db'>, userId: string): Promise<TreeNode[]> {
  const groups = await db.read.selectFrom('entry_groups').selectAll().where('trashed_by', 'is', null).execute();
  const members = await db.read.selectFrom('group_members').selectAll().where('user_id', '=', userId).execute();
  const byId = new Map(groups.map((group) => [group.entry_group_id, group]));
  const roles = new Map<string, TreeRole>();
  for (const { entry_group_id, role } of members) {
    if (!byId.has(entry_group_id)) continue;
    roles.set(entry_group_id, role);
    for (let above = parentOf(entry_group_id); above !== null; above = parentOf(above)) {
      if (!roles.has(above)) roles.set(above, 'guest');
    }
  }
  function parentOf(id: string): string | null {
    return byId.get(id)?.parent_entry_group_id ?? null;
  }
  const below = (parent: string | null): TreeNode[] =>
    groups
      .filter((group) => roles.has(group.entry_group_id) && group.parent_entry_group_id === parent)
      .map((group) => ({
        entry_group_id: group.entry_group_id,
        title: group.name,
        materialized_path: group.materialized_path,
        role: roles.get(group.entry_group_id) ?? 'guest',
        children: below(group.entry_group_id),
      }))
      .sort((a, b) => collator.compare(a.title, b.title) || (a.entry_group_id < b.entry_group_id ? -1 : 1));
  return below(null);
}
