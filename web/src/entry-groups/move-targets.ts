/** The groups of the tree as places that entries may go to, from top to bottom, without the one they are in. */
import type { TargetGroup } from '../entries/find-targets.ts';
import type { GroupNode, GroupTree } from './group-tree.ts';

export function moveTargets(tree: GroupTree, exceptId: string): readonly TargetGroup[] {
  const targets: TargetGroup[] = [];
  const walk = (nodes: readonly GroupNode[], above: string) => {
    for (const { id, title, role, children } of nodes) {
      if (id !== exceptId) targets.push({ id, title, above, role });
      walk(children, above === '' ? title : `${above} / ${title}`);
    }
  };
  walk(tree.roots, '');
  return targets;
}
