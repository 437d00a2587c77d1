/** Groups of the loaded tree whose own name, or names above it, hold every word; guests cannot be opened and are left out. */
import { targetFinder, type TargetGroup } from '../entries/group-picker/find-targets.ts';
import type { GroupNode, GroupTree } from '../groups/tree/group-tree.ts';
import { MOST_SUGGESTED, type Suggestion } from './suggestion.ts';

/** Folds every name once; the answer is asked at every key. Nothing for blank text. */
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
