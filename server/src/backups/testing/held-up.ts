/** The same server with delayed transactions, as on a busy disk or in a suspended process. */
import type { Deps } from '../../http/context.ts';

interface HeldUp {
  readonly deps: Deps;
  /** Fulfilled when the first delayed transaction is reached. */
  readonly reached: Promise<void>;
  readonly letGo: () => void;
}

/** @param isHeld which transactions, counted from 1, wait until `letGo` */
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
