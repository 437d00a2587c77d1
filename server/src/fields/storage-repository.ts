import type { Kysely } from 'kysely';
import type { Tables } from '../db/schema/tables.ts';
import { prepared } from '../db/prepared.ts';
import type { Database } from '../db/database.ts';
import { portions } from '../db/portions.ts';
import type { Deps } from '../http/context.ts';

type Reader = Kysely<Tables>;

const OF_PERSON = prepared((db, given: { readonly userId: string }) =>
  db
    .selectFrom('stored_sizes')
    .select((eb) => eb.fn.sum<number | null>('bytes').as('bytes'))
    .where('user_id', '=', given.userId),
);

const OF_ALL = prepared((db) =>
  db.selectFrom('stored_sizes').select((eb) => eb.fn.sum<number | null>('bytes').as('bytes')),
);

export const storedBy = async (read: Reader, userId: string): Promise<number> =>
  Number((await OF_PERSON.first(read, { userId }))?.bytes ?? 0);

/** Includes removed accounts. */
export const storedByAll = async (read: Reader): Promise<number> => Number((await OF_ALL.first(read, {}))?.bytes ?? 0);

/** Leaves out people who store nothing. */
export async function storedByEach(read: Reader, userIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
  if (userIds.length === 0) return new Map();
  const rows = await read
    .selectFrom('stored_sizes')
    .select(['user_id', (eb) => eb.fn.sum<number>('bytes').as('bytes')])
    .where('user_id', 'in', userIds)
    .groupBy('user_id')
    .execute();
  return new Map(rows.map(({ user_id, bytes }) => [user_id ?? '', Number(bytes)]));
}

async function listNamedBodies(db: Database, names: readonly string[]): Promise<Set<string | null>> {
  const rows = await db.read
    .selectFrom('field_revisions')
    .select('body_sha256')
    .where('body_sha256', 'in', names)
    .union(db.read.selectFrom('import_parts').select('body_sha256').where('body_sha256', 'in', names))
    .execute();
  return new Set(rows.map(({ body_sha256 }) => body_sha256));
}

/**
 * Removes those that no revision and no part of an import names (ADR 15). In `Database.exclusive`: a concurrent transaction has
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
