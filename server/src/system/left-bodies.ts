/** Sealed file bodies that no revision names: left over from acts that did not happen, from refused imports, from a process that died. */
import type { Deps } from '../http/context.ts';
import { portions } from '../db/portions.ts';
import { listNamedBodies } from '../fields/body-repository.ts';
import { KEPT_FOR } from '../platform/bodies.ts';

/** Removes them once nothing has touched them for six hours, and answers how many they were. */
export async function collectLeftBodies({ db, bodies, clock }: Pick<Deps, 'db' | 'bodies' | 'clock'>): Promise<number> {
  const since = clock.now() - KEPT_FOR;
  let collected = 0;
  for (const names of portions(await bodies.listUntouchedSince(since))) {
    const named = await listNamedBodies(db, names);
    for (const name of names) if (!named.has(name) && (await bodies.remove(name, since))) collected += 1;
  }
  return collected;
}
