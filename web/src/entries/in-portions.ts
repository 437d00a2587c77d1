/** Many entries in as few calls as the server takes (docs/spec/api.md §1.6). Each call is all or none; the first refusal ends it. */
import { LIMITS } from '@passwordbroker/core/domain/limits';

export function inPortions<T>(all: readonly T[], size: number = LIMITS.bulkEntries): readonly (readonly T[])[] {
  const portions: T[][] = [];
  for (let at = 0; at < all.length; at += size) portions.push(all.slice(at, at + size));
  return portions;
}
