import type { Database, Transact } from '../../db/database.ts';
import type { Tables } from '../../db/schema/tables.ts';

export type LeaseRow = Tables['leases'];

export async function readLease({ read }: Pick<Database, 'read'>, name: string): Promise<LeaseRow | undefined> {
  return read.selectFrom('leases').selectAll().where('name', '=', name).executeTakeFirst();
}

/** Makes `owner` the holder if the lease still is as `seen` (undefined: no row). @returns whether it did */
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
  // Each change raises the heartbeat, so it identifies the row.
  const taken = await tx
    .updateTable('leases')
    .set({ owner, heartbeat: seen.heartbeat + 1 })
    .where('name', '=', name)
    .where('heartbeat', '=', seen.heartbeat)
    .executeTakeFirst();
  return taken.numUpdatedRows === 1n;
}

/** Returns false if `owner` no longer holds the lease. */
export async function beatLease(tx: Transact, name: string, owner: string): Promise<boolean> {
  const beaten = await tx
    .updateTable('leases')
    .set((row) => ({ heartbeat: row('heartbeat', '+', 1) }))
    .where('name', '=', name)
    .where('owner', '=', owner)
    .executeTakeFirst();
  return beaten.numUpdatedRows === 1n;
}

/** Does nothing if `owner` no longer holds it. */
export async function freeLease(tx: Transact, name: string, owner: string, dueAt: number): Promise<void> {
  await tx
    .updateTable('leases')
    .set((row) => ({ owner: null, heartbeat: row('heartbeat', '+', 1), due_at: dueAt }))
    .where('name', '=', name)
    .where('owner', '=', owner)
    .execute();
}
