/** Names of imported trees: `keepass`, `keepass (2)`, … */
export const TREE_NAME = 'keepass';

/** The first of these names that is not taken. */
export function firstFreeName(base: string, taken: readonly string[]): string {
  const names = new Set(taken);
  let name = base;
  for (let number = 2; names.has(name); number += 1) name = `${base} (${number})`;
  return name;
}
