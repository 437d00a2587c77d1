/** The caller's groups as trees: his own, and the ancestors on the way as guests; no siblings, no other branches (decision G7). */
import type { TreeNode } from '@passwordbroker/core/contract/entities';
import { Forest } from '@passwordbroker/core/domain/group-tree';
import type { Database } from '../db/database.ts';
import { listTreeRows, listTreeRowsOf } from './group-repository.ts';

export async function treesOf(db: Pick<Database, 'read'>, userId: string): Promise<TreeNode[]> {
  const forest = new Forest();
  for (const row of await listTreeRows(db, userId)) forest.add(row, row.role);
  for (const row of await listTreeRowsOf(db, forest.idsAbove())) forest.add(row, null);
  return forest.grow();
}
