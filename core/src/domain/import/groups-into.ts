import { can, type TreeRole } from '../policy.ts';

interface ExistingGroup {
  readonly id: string;
  readonly title: string;
  readonly role: TreeRole;
  readonly children: readonly ExistingGroup[];
}

/**
 * For each group of a file the existing one of the same path below `target`, each once, or null for a new one. Groups in
 * which the person may not add entries are passed over.
 * @param groups parents before children; the first is `target`
 */
export function groupsInto(
  groups: readonly { readonly name: string; readonly parent: number | null }[],
  target: ExistingGroup,
): readonly (string | null)[] {
  const found: (ExistingGroup | null)[] = [];
  const used = new Set<string>();
  for (const { name, parent } of groups) {
    const above = parent === null ? null : (found[parent] ?? null);
    const node =
      parent === null
        ? target
        : (above?.children.find(
            ({ id, title, role }) => title.trim() === name.trim() && can(role, 'entry.write') && !used.has(id),
          ) ?? null);
    if (node !== null) used.add(node.id);
    found.push(node);
  }
  return found.map((node) => node?.id ?? null);
}
