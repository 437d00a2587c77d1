import type { Database } from '../db/database.ts';
import { portions } from '../db/portions.ts';
import type { Deps } from '../http/context.ts';

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
 * Removes those that no revision names (ADR 15). In `Database.exclusive`: a concurrent transaction has
 * committed, or stores the body again (`withBody`).
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
