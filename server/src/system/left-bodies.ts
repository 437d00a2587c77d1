/** Sealed file bodies that no revision names: left over from a process that died before it could remove them. */
import type { Deps } from '../http/context.ts';
import { removeUnnamedBodies } from '../fields/body-repository.ts';

const HOUR = 60 * 60_000;
/** Longer than any upload and import together: another process may be about to name a body that was touched a shorter time ago. */
export const KEPT_FOR = 6 * HOUR;

/** Removes those that nothing has touched since then, milliseconds since 1970, and answers how many they were. */
export async function collectLeftBodies(deps: Pick<Deps, 'db' | 'bodies'>, untouchedSince: number): Promise<number> {
  return removeUnnamedBodies(deps, await deps.bodies.listUntouchedSince(untouchedSince));
}
