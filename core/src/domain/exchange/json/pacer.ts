import type { ReadOptions } from '../formats.ts';

const ITEMS_A_TURN = 2000;

/** Called before each of `total` items; a promise is to be awaited: tells the progress, and lets an abort arrive. @throws the signal's reason */
export function pacer(
  total: number,
  { signal, onProgress }: Pick<ReadOptions, 'signal' | 'onProgress'>,
): () => Promise<void> | undefined {
  let done = 0;
  return () => {
    signal?.throwIfAborted();
    if ((done += 1) % ITEMS_A_TURN !== 0) return undefined;
    onProgress?.(done, total);
    return new Promise((resolve) => setTimeout(resolve, 0));
  };
}
