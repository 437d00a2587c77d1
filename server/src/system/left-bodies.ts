/** Sealed file bodies that no revision names: left over from acts that did not happen, from refused imports, from a process that died. */
import type { Deps } from '../http/context.ts';
import { portions } from '../db/portions.ts';

/** Longer than any upload and import together: a body is on disk before a row names it. */
const HOUR = 60 * 60_000;
export const KEPT_FOR = 6 * HOUR;

/** Removes them once nothing has touched them for six hours, and answers how many they were. */
export async function collectLeftBodies({ db, bodies, clock }: Pick<Deps, 'db' | 'bodies' | 'clock'>): Promise<number> {
  let collected = 0;
  for (const names of portions(await bodies.listUntouchedSince(clock.now() - KEPT_FOR))) {
    const rows = await db.read
      .selectFrom('field_revisions')
      .select('body_sha256')
      .distinct()
      .where('body_sha256', 'in', names)
      .execute();
    const named = new Set(rows.map((row) => row.body_sha256));
    for (const name of names.filter((one) => !named.has(one))) {
      await bodies.remove(name);
      collected += 1;
    }
  }
  return collected;
}
