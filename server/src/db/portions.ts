/** Splits large sets into portions, between which the event loop serves other requests. */

/** Ids per statement, far below the limits of SQLite and PostgreSQL. */
const PORTION = 400;

export function* portions<T>(all: readonly T[], most = PORTION): Generator<readonly T[]> {
  for (let start = 0; start < all.length; start += most) yield all.slice(start, start + most);
}
