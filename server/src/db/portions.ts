/**
 * Splits large sets for statements, far below the limits of parameters; the event loop serves other requests
 * in between.
 */
const PORTION = 400;

export function* portions<T>(all: readonly T[], most = PORTION): Generator<readonly T[]> {
  for (let start = 0; start < all.length; start += most) yield all.slice(start, start + most);
}
