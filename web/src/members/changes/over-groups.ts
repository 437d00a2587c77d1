/** One act in many groups: a few at a time, one failure ends nothing, and a stop leaves the rest as it is. */

export interface ActGroup {
  readonly id: string;
  readonly title: string;
}

/** Why nothing was to be done in a group. */
export type Skip = 'not-member' | 'same-role' | 'other-role' | 'admin';

export interface Outcome {
  readonly done: readonly ActGroup[];
  readonly failed: readonly { readonly group: ActGroup; readonly reason: unknown }[];
  readonly skipped: readonly { readonly group: ActGroup; readonly why: Skip }[];
  /** Not begun when it was stopped. */
  readonly left: readonly ActGroup[];
}

interface Options {
  readonly signal?: AbortSignal;
  readonly onProgress?: (done: number) => void;
  /** A failure that ends it all, such as a dialog that the person closed: the rest is left. */
  readonly isStop?: (failure: unknown) => boolean;
  readonly atOnce?: number;
  /** Nobody has to be asked for anything: no group goes before the others. */
  readonly isReady?: boolean;
}

const AT_ONCE = 6;
/** Acts that go to the server many in one request. */
export const TOGETHER = 50;

/** @param act answers why nothing was to be done, or null when it is done. The first group goes alone, unless all is ready: what stops it stops all. */
export async function overGroups(
  groups: readonly ActGroup[],
  act: (group: ActGroup) => Promise<Skip | null>,
  { signal, onProgress, isStop = () => false, atOnce = AT_ONCE, isReady = false }: Options = {},
): Promise<Outcome> {
  const done: ActGroup[] = [];
  const failed: { group: ActGroup; reason: unknown }[] = [];
  const skipped: { group: ActGroup; why: Skip }[] = [];
  const waiting = [...groups];
  let isStopped = false;

  const one = async () => {
    const group = waiting.shift();
    if (group === undefined) return;
    try {
      const why = await act(group);
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
