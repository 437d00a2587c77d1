import { setInterval as every } from 'node:timers/promises';
import type { Deps } from '../http/context.ts';

const SECOND = 1000;
/** After a failure. */
const PAUSE = 60 * SECOND;

/** Every second, logs a nearly full disk and refills the reserve. `stop` resolves after the last check. */
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
        log.warn({ error }, 'Disk reserve could not be written; check DATA_DIR; it is retried');
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
