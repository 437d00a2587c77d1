/** Looks at the disk every second: a log line says when it is nearly full, and the reserve is made again when there is room. */
import { setInterval as every } from 'node:timers/promises';
import type { Deps } from '../http/context.ts';

const SECOND = 1000;
/** Before a reserve that could not be made is tried again. */
const PAUSE = 60 * SECOND;

/** `stop` is fulfilled when it looks no more. */
export function startSpaceWatch({ space, log }: Pick<Deps, 'space' | 'log'>): { stop(): Promise<void> } {
  const stopping = new AbortController();
  let pausesUntil = 0;
  const look = async () => {
    if (performance.now() < pausesUntil) return void (await space.look());
    await space.refill();
  };
  const watch = async () => {
    for await (const _ of every(SECOND, undefined, { signal: stopping.signal, ref: false })) {
      await look().catch((error: unknown) => {
        pausesUntil = performance.now() + PAUSE;
        log.warn({ error }, 'the reserve for a full disk could not be made');
      });
    }
  };
  const watching = watch().catch(() => {});
  return {
    async stop() {
      stopping.abort();
      await watching;
    },
  };
}
