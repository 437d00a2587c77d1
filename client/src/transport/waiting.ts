/** Waits for shared work; aborting ends the wait, not the work. @throws the signal's reason */
export function untilAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  return new Promise((resolve, reject) => {
    const leave = () => reject(signal.reason as Error);
    if (signal.aborted) leave();
    signal.addEventListener('abort', leave, { once: true });
    const stop = () => signal.removeEventListener('abort', leave);
    work.then(resolve, reject).finally(stop);
  });
}

/** Yields to the event loop, so that no task takes over 50 ms. */
export const nextTurn = async (): Promise<void> => new Promise((resolve) => setTimeout(resolve));
