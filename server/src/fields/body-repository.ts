/** Which sealed file bodies are in use, and the removal of those that are not (`docs/adr/0015-storage.md`). */
import type { Database } from '../db/database.ts';
import { portions } from '../db/portions.ts';
import type { Deps } from '../http/context.ts';

/** Those of the names that any revision speaks of. */
async function listNamedBodies(db: Database, names: readonly string[]): Promise<Set<string | null>> {
  const rows = await db.read
    .selectFrom('field_revisions')
    .select('body_sha256')
    .distinct()
    .where('body_sha256', 'in', names)
    .execute();
  return new Set(rows.map(({ body_sha256 }) => body_sha256));
}

/**
 * Removes those of the bodies that no revision names, and answers how many they were. Nothing else writes meanwhile: a transaction that names one of them
 * is over before, or comes later and finds that it is gone (`withBody`).
 */
export async function removeUnnamedBodies(
  { db, bodies }: Pick<Deps, 'db' | 'bodies'>,
  names: readonly string[],
): Promise<number> {
  let removed = 0;
  for (const portion of portions(names)) {
    await db.exclusive(async () => {
      const named = await listNamedBodies(db, portion);
      for (const name of portion) if (!named.has(name) && (await bodies.remove(name))) removed += 1;
    });
  }
  return removed;
}
