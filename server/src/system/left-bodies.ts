/** Collects sealed file bodies that no revision names: leftovers of dead processes. */
import type { Deps } from '../http/context.ts';
import { removeUnnamedBodies } from '../fields/body-repository.ts';

const HOUR = 60 * 60_000;
/** Longer than the longest upload or import: another process may still name a newer body. */
export const KEPT_FOR = 6 * HOUR;

/** Removes unnamed bodies not touched since this time (Unix time in ms). Returns their number. */
export async function collectLeftBodies(deps: Pick<Deps, 'db' | 'bodies'>, untouchedSince: number): Promise<number> {
  return removeUnnamedBodies(deps, await deps.bodies.listUntouchedSince(untouchedSince));
}
