/**
 * The groups below one where the person is an admin: the scope of 'also in the child groups'
 * (docs/spec/decisions.md G4).
 */
import type { GroupNode, GroupTree } from '../../groups/tree/group-tree.ts';
import type { NamedGroup } from './over-groups.ts';

/** In the order of the tree, without the group itself. */
export function adminGroupsBelow(tree: GroupTree | null, groupId: string): readonly NamedGroup[] {
  const found: NamedGroup[] = [];
  const walk = (node: GroupNode) => {
    for (const child of node.children) {
      if (child.role === 'admin') found.push({ id: child.id, title: child.title });
      walk(child);
    }
  };
  const group = tree?.byId.get(groupId);
  if (group !== undefined) walk(group);
  return found;
}
