/** The table `refusal_counts`: refusals since the rows of the last minute were written. */
import type { Transact } from '../db/database.ts';
import type { Tables } from '../db/schema/tables.ts';

type Counted = Tables['refusal_counts'];

/** Adds to a counter, or creates it with `repeats`. @returns whether it was created */
export async function addRefusals(tx: Transact, refusals: Counted): Promise<boolean> {
  const { repeats } = await tx
    .insertInto('refusal_counts')
    .values(refusals)
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'route', 'method', 'code']).doUpdateSet((row) => ({
        repeats: row('refusal_counts.repeats', '+', row('excluded.repeats', '+', 1)),
        last_at: row.ref('excluded.last_at'),
        address: row.ref('excluded.address'),
        agent_hash: row.ref('excluded.agent_hash'),
      })),
    )
    .returning('repeats')
    .executeTakeFirstOrThrow();
  return Number(repeats) === refusals.repeats;
}

/** Removes all counters and returns them, ordered by their first refusal. */
export async function takeCountedRefusals(tx: Transact): Promise<Counted[]> {
  const rows = await tx.deleteFrom('refusal_counts').returningAll().execute();
  return rows.toSorted((a, b) => a.first_at - b.first_at);
}
