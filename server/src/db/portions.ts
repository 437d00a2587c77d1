/** Large sets are walked in portions, between which other requests get their turn on the event loop. */

/** How many ids one statement names: far below what any engine admits. */
const PORTION = 400;

export function* portions<T>(all: readonly T[], most = PORTION): Generator<readonly T[]> {
  for (let start = 0; start < all.length; start += most) yield all.slice(start, start + most);
}
