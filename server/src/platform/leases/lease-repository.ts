/** Rows of leases. Every change is a comparison with what was seen, so that of two who want the same one only one gets it. */
import type { Database, Transact } from '../../db/database.ts';
import type { Tables } from '../../db/schema/tables.ts';

export type LeaseRow = Tables['leases'];

export async function readLease({ read }: Pick<Database, 'read'>, name: string): Promise<LeaseRow | undefined> {
  return read.selectFrom('leases').selectAll().where('name', '=', name).executeTakeFirst();
}

/** Makes `owner` the holder, if the lease is still as it was seen (undefined: nobody ever had it). Answers whether it is. */
export async function takeLease(
  tx: Transact,
  name: string,
  owner: string,
  seen: LeaseRow | undefined,
): Promise<boolean> {
  if (seen === undefined) {
    const made = await tx
      .insertInto('leases')
      .values({ name, owner, heartbeat: 1, due_at: 0 })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    return made.numInsertedOrUpdatedRows === 1n;
  }
  // Every change of hands and every sign of life raises the number: it alone tells what was seen.
  const taken = await tx
    .updateTable('leases')
    .set({ owner, heartbeat: seen.heartbeat + 1 })
    .where('name', '=', name)
    .where('heartbeat', '=', seen.heartbeat)
    .executeTakeFirst();
  return taken.numUpdatedRows === 1n;
}

/** A sign of life; false when `owner` does not hold it any more. */
export async function beatLease(tx: Transact, name: string, owner: string): Promise<boolean> {
  const beaten = await tx
    .updateTable('leases')
    .set((row) => ({ heartbeat: row('heartbeat', '+', 1) }))
    .where('name', '=', name)
    .where('owner', '=', owner)
    .executeTakeFirst();
  return beaten.numUpdatedRows === 1n;
}

/** Gives it up; nothing happens when somebody else has it. */
export async function freeLease(tx: Transact, name: string, owner: string, dueAt: number): Promise<void> {
  await tx
    .updateTable('leases')
    .set((row) => ({ owner: null, heartbeat: row('heartbeat', '+', 1), due_at: dueAt }))
    .where('name', '=', name)
    .where('owner', '=', owner)
    .execute();
}
