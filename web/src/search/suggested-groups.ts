/**
 * Finds groups of the loaded tree by all words in their own name or those above. Leaves out guest
 * groups, which cannot be opened.
 */
import { targetFinder, type TargetGroup } from '../entries/group-picker/find-targets.ts';
import type { GroupNode, GroupTree } from '../groups/tree/group-tree.ts';
import { MOST_SUGGESTED, type Suggestion } from './suggestion.ts';

/** Folds each name once; the returned function is called at every key. Nothing for blank text. */
export function groupFinder(tree: GroupTree): (query: string) => readonly Suggestion[] {
  const find = targetFinder(groupsOf(tree));
  return (query) => (query.trim() === '' ? [] : find(query).slice(0, MOST_SUGGESTED).map(suggestionOf));
}

function groupsOf(tree: GroupTree): readonly TargetGroup[] {
  const groups: TargetGroup[] = [];
  const walk = (nodes: readonly GroupNode[], above: string) => {
    for (const { id, title, role, children } of nodes) {
      if (role !== 'guest') groups.push({ id, title, above, role });
      walk(children, above === '' ? title : `${above} / ${title}`);
    }
  };
  walk(tree.roots, '');
  return groups;
}

const suggestionOf = ({ id, title, above, role }: TargetGroup): Suggestion => ({
  id: `group-${id}`,
  kind: 'group',
  title,
  above,
  role,
  target: { address: `/entryGroup/${id}` },
});
