import type { TreeRole } from '@passwordbroker/core/domain/policy';
import { foldText } from '@passwordbroker/core/domain/search-query';

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
