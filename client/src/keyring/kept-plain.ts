/** A person who has left a dialog open must not leave plain values behind. */
export const KEPT_MS = 10 * 60_000;

/** Keeps one thing with plain values at a time, for ten minutes after its last use. */
export function keptPlain<T>() {
  let kept: { readonly handle: number; readonly thing: T } | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let handles = 0;

  const drop = (handle: number) => {
    if (kept?.handle === handle) kept = null;
  };
  const stay = (handle: number) => {
    clearTimeout(timer);
    timer = setTimeout(() => drop(handle), KEPT_MS);
  };
  return {
    /** In place of what was kept. Returns its handle. */
    keep(thing: T): number {
      kept = { handle: (handles += 1), thing };
      stay(handles);
      return handles;
    },
    /** Null if it is gone. */
    take(handle: number): T | null {
      if (kept?.handle !== handle) return null;
      stay(handle);
      return kept.thing;
    },
    drop,
    clear: () => {
      kept = null;
    },
  };
}
