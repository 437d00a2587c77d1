import type { Transact } from '../db/database.ts';
import { portions } from '../db/portions.ts';
import type { Tables } from '../db/schema/tables.ts';
import type { Deps } from '../http/context.ts';
import {
  deleteReleases,
  insertDepartures,
  insertKnownSecrets,
  listGroupsOf,
  findName,
} from './former-member-repository.ts';

export interface Leaving {
  readonly userId: string;
  /** Absent: all groups of the person, including the trash. */
  readonly groupIds?: readonly string[];
  readonly cause: Tables['departures']['cause'];
}

/** Records which secrets the person knows. Call before memberships, history or account are deleted. */
export async function recordDeparture(
  tx: Transact,
  deps: Pick<Deps, 'newId' | 'clock'>,
  { userId, groupIds, cause }: Leaving,
): Promise<void> {
  const name = await findName(tx, userId);
  if (name === undefined) return;
  const left = { user_id: userId, user_name: name, cause, left_at: deps.clock.now() };
  for (const portion of portions(groupIds ?? (await listGroupsOf(tx, userId)))) {
    const rows = portion.map((entry_group_id) => ({ departure_id: deps.newId(), entry_group_id, ...left }));
    await insertDepartures(tx, rows);
    await insertKnownSecrets(tx, userId, rows);
    await deleteReleases(tx, userId, portion);
  }
}
