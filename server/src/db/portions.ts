/** Below the parameter limits; other requests run in between. */
const PORTION = 400;

export function* portions<T>(all: readonly T[], most = PORTION): Generator<readonly T[]> {
  for (let start = 0; start < all.length; start += most) yield all.slice(start, start + most);
}
