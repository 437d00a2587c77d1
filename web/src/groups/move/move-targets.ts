/** The groups of the tree as places to move to, from top to bottom. */
import type { TargetGroup } from '../../entries/group-picker/find-targets.ts';
import { GROUP_TEXTS as TEXTS } from '../../texts/groups.ts';
import { groupsBelow, type GroupNode, type GroupTree } from '../tree/group-tree.ts';

/** @param isLeftOut whether a group is no place to choose */
function targetsOf(tree: GroupTree, isLeftOut: (group: GroupNode) => boolean): readonly TargetGroup[] {
  const targets: TargetGroup[] = [];
  const walk = (nodes: readonly GroupNode[], above: string) => {
    for (const group of nodes) {
      const { id, title, role, children } = group;
      if (!isLeftOut(group)) targets.push({ id, title, above, role });
      walk(children, above === '' ? title : `${above} / ${title}`);
    }
  };
  walk(tree.roots, '');
  return targets;
}

/** For entries: every group but the one they are in. */
export function moveTargets(tree: GroupTree, exceptId: string): readonly TargetGroup[] {
  return targetsOf(tree, ({ id }) => id === exceptId);
}

/** Stands for no parent among the targets of a group; no group has this id. */
export const ROOT = 'root';

/** For a group: the root, and every group but itself, those below it and the one it is in. */
export function groupMoveTargets(tree: GroupTree, group: GroupNode): readonly TargetGroup[] {
  const own = groupsBelow(group);
  const places = targetsOf(tree, ({ id }) => id === group.parentId || own.has(id));
  const root: TargetGroup = { id: ROOT, title: TEXTS.root, above: TEXTS.rootHint, role: 'admin' };
  return group.parentId === null ? places : [root, ...places];
}
