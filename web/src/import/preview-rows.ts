/** The rows of a preview: the groups that are open, and what lies in them. */
import type { ReadFile } from '@passwordbroker/client/vault/vault';

export interface PreviewRow {
  /** 'g3' or 'e17'. */
  readonly key: string;
  readonly kind: 'group' | 'entry';
  /** Index in the groups or entries of the file. */
  readonly at: number;
  /** From 1. */
  readonly level: number;
  readonly position: number;
  readonly siblings: number;
}

export interface PreviewTree {
  /** Entries in each group and below it. */
  readonly counts: readonly number[];
  readonly childGroups: readonly (readonly number[])[];
  readonly ownEntries: readonly (readonly number[])[];
}

export function previewTree({ groups, entries }: Pick<ReadFile, 'groups' | 'entries'>): PreviewTree {
  const childGroups: number[][] = groups.map(() => []);
  const ownEntries: number[][] = groups.map(() => []);
  for (const [at, { parent }] of groups.entries()) if (parent !== null) childGroups[parent]?.push(at);
  for (const [at, { group }] of entries.entries()) ownEntries[group]?.push(at);
  const counts = ownEntries.map((own) => own.length);
  // Parents come before children.
  for (let at = groups.length - 1; at > 0; at -= 1) {
    const parent = groups[at]?.parent ?? null;
    if (parent !== null) counts[parent] = (counts[parent] ?? 0) + (counts[at] ?? 0);
  }
  return { counts, childGroups, ownEntries };
}

/** @param open indices of groups */
export function previewRows({ childGroups, ownEntries }: PreviewTree, open: ReadonlySet<number>): PreviewRow[] {
  const rows: PreviewRow[] = [];
  const add = (group: number, level: number, position: number, siblings: number) => {
    rows.push({ key: `g${group}`, kind: 'group', at: group, level, position, siblings });
    if (!open.has(group)) return;
    const below = childGroups[group] ?? [];
    const own = ownEntries[group] ?? [];
    const all = below.length + own.length;
    for (const [at, child] of below.entries()) add(child, level + 1, at + 1, all);
    for (const [at, entry] of own.entries())
      rows.push({
        key: `e${entry}`,
        kind: 'entry',
        at: entry,
        level: level + 1,
        position: below.length + at + 1,
        siblings: all,
      });
  };
  if (childGroups.length > 0) add(0, 1, 1, 1);
  return rows;
}

/** Small files are shown whole; of others the first group. */
const OPEN_AT_ONCE = 40;

export const openAtFirst = ({ counts, childGroups }: PreviewTree): ReadonlySet<number> =>
  new Set((counts[0] ?? 0) + childGroups.length <= OPEN_AT_ONCE ? childGroups.keys() : [0]);
