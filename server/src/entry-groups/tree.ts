/** The caller's groups as trees: his own, and the ancestors on the way as guests; no siblings, no other branches (decision G7). */
import type { TreeNode } from '@passwordbroker/core/contract/entities';
import {
  type GroupNode,
  type GroupRow,
  ancestorsOf,
  buildTrees,
  idOf,
  parentIdOf,
} from '@passwordbroker/core/domain/group-tree';
import type { Database } from '../db/database.ts';
import { listTreeRows, listTreeRowsOf } from './group-repository.ts';

export async function treesOf(db: Pick<Database, 'read'>, userId: string): Promise<TreeNode[]> {
  const own = await listTreeRows(db, userId);
  const guests = await listTreeRowsOf(db, idsAbove(own.map((row) => row.materialized_path)));
  const rows = own.map((row): GroupRow => ({ title: row.name, path: row.materialized_path, role: row.role }));
  for (const { name, materialized_path } of guests) rows.push({ title: name, path: materialized_path, role: null });
  return buildTrees(rows).map(asTreeNode);
}

/** The groups above those of the paths that are not among them. */
function idsAbove(paths: readonly string[]): string[] {
  const own = new Set(paths.map(idOf));
  const above = new Set<string>();
  for (const path of paths) {
    const parentId = parentIdOf(path);
    // Where the parent is among them, its own path tells what is above.
    if (parentId === null || own.has(parentId)) continue;
    for (const id of ancestorsOf(path)) if (!own.has(id)) above.add(id);
  }
  return [...above];
}

function asTreeNode({ id, title, path, role, children }: GroupNode): TreeNode {
  return { entry_group_id: id, title, materialized_path: path, role, children: children.map(asTreeNode) };
}
