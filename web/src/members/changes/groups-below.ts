/** The groups below one where the person is admin too: what 'also in the child groups' means (docs/spec/decisions.md G4). */
import type { GroupNode, GroupTree } from '../../groups/tree/group-tree.ts';
import type { ActGroup } from './over-groups.ts';

/** From top to bottom as the tree shows them; the group itself is not among them. */
export function adminGroupsBelow(tree: GroupTree | null, groupId: string): readonly ActGroup[] {
  const found: ActGroup[] = [];
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
