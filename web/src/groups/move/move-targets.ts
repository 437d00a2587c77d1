import type { TargetGroup } from '../../entries/group-picker/find-targets.ts';
import { GROUP_TEXTS as TEXTS } from '../../texts/groups/groups.ts';
import { groupsBelow, type GroupNode, type GroupTree } from '../tree/group-tree.ts';

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

/** Targets for entries: every group except their own. */
export function moveTargets(tree: GroupTree, exceptId: string): readonly TargetGroup[] {
  return targetsOf(tree, ({ id }) => id === exceptId);
}

/** Id of the root among the targets; no group has it. */
export const ROOT = 'root';

/** Targets for a group: the root and every group, except itself, those below it and its parent. */
export function groupMoveTargets(tree: GroupTree, group: GroupNode): readonly TargetGroup[] {
  const own = groupsBelow(group);
  const targets = targetsOf(tree, ({ id }) => id === group.parentId || own.has(id));
  const root: TargetGroup = { id: ROOT, title: TEXTS.root, above: TEXTS.rootHint, role: 'admin' };
  return group.parentId === null ? targets : [root, ...targets];
}
