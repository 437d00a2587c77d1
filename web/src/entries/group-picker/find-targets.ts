import type { TreeRole } from '@passwordbroker/core/domain/policy';
import { foldText } from '@passwordbroker/core/domain/search-text';
import { GROUP_TEXTS as TEXTS } from '../../texts/groups/groups.ts';
import { groupsBelow, type GroupNode, type GroupTree } from '../../groups/tree/group-tree.ts';

export interface TargetGroup {
  readonly id: string;
  readonly title: string;
  /** 'Engineering / Databases'; empty for a root. */
  readonly above: string;
  readonly role: TreeRole;
}

/**
 * Finds groups by all words in their name or path, ignoring case and accents (docs/spec/decisions.md H8).
 * Matches in the own name come first. Folds each name once, because the result is called at every key.
 */
export function targetFinder(groups: readonly TargetGroup[]): (query: string) => readonly TargetGroup[] {
  const folded = groups.map((group) => ({
    group,
    title: foldText(group.title),
    whole: foldText(`${group.above} ${group.title}`),
  }));
  return (query) => {
    const words = foldText(query).split(/\s+/u).filter(Boolean);
    if (words.length === 0) return groups;
    const found = folded.filter(({ whole }) => words.every((word) => whole.includes(word)));
    const isNamed = ({ title }: (typeof folded)[number]) => words.every((word) => title.includes(word));
    return [...found.filter(isNamed), ...found.filter((one) => !isNamed(one))].map(({ group }) => group);
  };
}

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
