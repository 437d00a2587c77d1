/** The same server, some of whose acts come late: what a busy disk or a process that stood still does to it. */
import type { Deps } from '../../http/context.ts';

interface HeldUp {
  readonly deps: Deps;
  /** Fulfilled when the first of them has come to its turn. */
  readonly reached: Promise<void>;
  readonly letGo: () => void;
}

/** `isHeld`: which of the acts, by their number from 1, wait until they are let go. */
export function heldUp(whole: Deps, isHeld: (act: number) => boolean): HeldUp {
  let [tell, letGo] = [() => {}, () => {}];
  const reached = new Promise<void>((resolve) => (tell = resolve));
  const gate = new Promise<void>((resolve) => (letGo = resolve));
  let acts = 0;
  const { db } = whole;
  const transact: Deps['db']['transact'] = async (work) => {
    acts += 1;
    if (isHeld(acts)) {
      tell();
      await gate;
    }
    return db.transact(work);
  };
  return { deps: { ...whole, db: { ...db, transact } }, reached, letGo };
}
