import type { Kysely } from 'kysely';
import type { Tables } from '../db/schema/tables.ts';
import { prepared } from '../db/prepared.ts';

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
