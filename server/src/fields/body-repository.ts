/** Which sealed file bodies are in use. */
import type { Database } from '../db/database.ts';

/** Those of the names that any revision speaks of. */
export async function listNamedBodies(db: Database, names: readonly string[]): Promise<Set<string | null>> {
  const rows = await db.read
    .selectFrom('field_revisions')
    .select('body_sha256')
    .distinct()
    .where('body_sha256', 'in', names)
    .execute();
  return new Set(rows.map(({ body_sha256 }) => body_sha256));
}
