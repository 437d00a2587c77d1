/** The caller's groups as trees: his own, and the ancestors on the way as guests; no siblings, no other branches (decision G7). */
import type { TreeNode } from '@passwordbroker/core/contract/entities';
import { type GroupNode, ancestorsOf, buildTrees } from '@passwordbroker/core/domain/group-tree';
import type { Database } from '../db/database.ts';
import { listTreeRows, listTreeRowsOf } from './group-repository.ts';

export async function treesOf(db: Pick<Database, 'read'>, userId: string): Promise<TreeNode[]> {
  const own = await listTreeRows(db, userId);
  const ownIds = new Set(own.map((row) => row.entry_group_id));
  const above = new Set(own.flatMap((row) => ancestorsOf(row.materialized_path)).filter((id) => !ownIds.has(id)));
  const guests = await listTreeRowsOf(db, [...above]);
  const rows = [...own, ...guests.map((row) => ({ ...row, role: null }))].map((row) => ({
    id: row.entry_group_id,
    parentId: row.parent_entry_group_id,
    title: row.name,
    path: row.materialized_path,
    role: row.role,
  }));
  return buildTrees(rows).map(asTreeNode);
}

function asTreeNode({ id, title, path, role, children }: GroupNode): TreeNode {
  return { entry_group_id: id, title, materialized_path: path, role, children: children.map(asTreeNode) };
}
