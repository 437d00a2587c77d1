import type { GroupNode, GroupTree, NamedGroup } from '../../groups/tree/group-tree.ts';

/** Why a group needed no change. */
export type Skip = 'not-member' | 'same-role' | 'other-role' | 'admin';

export interface Outcome {
  readonly done: readonly NamedGroup[];
  readonly failed: readonly { readonly group: NamedGroup; readonly reason: unknown }[];
  readonly skipped: readonly { readonly group: NamedGroup; readonly why: Skip }[];
  /** Not started before the stop. */
  readonly left: readonly NamedGroup[];
}

interface Options {
  readonly signal?: AbortSignal;
  readonly onProgress?: (done: number) => void;
  /** True for a failure that stops the run, such as a closed dialog. */
  readonly isStop?: (failure: unknown) => boolean;
  readonly atOnce?: number;
  /** Nothing will be asked, so the first group need not go alone. */
  readonly isReady?: boolean;
}

const AT_ONCE = 6;
/** Concurrency for operations that are sent to the server together in one request. */
export const TOGETHER = 50;

/**
 * Runs one operation in many groups, a few at a time. Failures do not stop the others. The first group runs
 * alone
 * unless `isReady`, so that a failure that stops the run asks only once.
 * @param change returns null when done, or why nothing was to be done
 */
export async function overGroups(
  groups: readonly NamedGroup[],
  change: (group: NamedGroup) => Promise<Skip | null>,
  { signal, onProgress, isStop = () => false, atOnce = AT_ONCE, isReady = false }: Options = {},
): Promise<Outcome> {
  const done: NamedGroup[] = [];
  const failed: { group: NamedGroup; reason: unknown }[] = [];
  const skipped: { group: NamedGroup; why: Skip }[] = [];
  const waiting = [...groups];
  let isStopped = false;

  const one = async () => {
    const group = waiting.shift();
    if (group === undefined) return;
    try {
      const why = await change(group);
      if (why === null) done.push(group);
      else skipped.push({ group, why });
    } catch (reason) {
      if (isStop(reason)) {
        isStopped = true;
        waiting.unshift(group);
        return;
      }
      failed.push({ group, reason });
    }
    onProgress?.(done.length + failed.length + skipped.length);
  };
  const line = async () => {
    while (waiting.length > 0 && !isStopped && signal?.aborted !== true) await one();
  };
  if (signal?.aborted !== true && !isReady) await one();
  await Promise.all(Array.from({ length: atOnce }, line));
  return { done, failed, skipped, left: waiting };
}

/**
 * The groups below one where the person is an admin, in the order of the tree (docs/spec/decisions.md G4).
 */
export function adminGroupsBelow(tree: GroupTree | null, groupId: string): readonly NamedGroup[] {
  const found: NamedGroup[] = [];
  const walk = (node: GroupNode) => {
    for (const child of node.children) {
      if (child.role === 'admin') found.push({ id: child.id, title: child.title });
      walk(child);
    }
  };
  const group = tree?.byId.get(groupId);
  if (group !== undefined) walk(group);
  return found;
}
