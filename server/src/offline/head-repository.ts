/** Groups without entries: one query per table for many groups. */
import type { Kysely } from 'kysely';
import type { Tables } from '../db/schema/tables.ts';

type Reader = Kysely<Tables>;

export async function listGroups(read: Reader, userId: string, groupIds: readonly string[]) {
  return read
    .selectFrom('group_members')
    .innerJoin('entry_groups', 'entry_groups.entry_group_id', 'group_members.entry_group_id')
    .selectAll('entry_groups')
    .select('group_members.role')
    .where('group_members.user_id', '=', userId)
    .where('group_members.entry_group_id', 'in', groupIds)
    .where('entry_groups.trashed_by', 'is', null)
    .execute();
}

export async function listAdmins(read: Reader, groupIds: readonly string[]) {
  return read
    .selectFrom('group_members')
    .innerJoin('users', 'users.user_id', 'group_members.user_id')
    .leftJoin('user_keysets', 'user_keysets.user_id', 'group_members.user_id')
    .selectAll('group_members')
    .select(['users.name', 'user_keysets.fpr'])
    .where('group_members.entry_group_id', 'in', groupIds)
    .where('group_members.role', '=', 'admin')
    .execute();
}

export async function listGrants(read: Reader, userId: string, groupIds: readonly string[]) {
  return read
    .selectFrom('group_grants')
    .selectAll()
    .where('entry_group_id', 'in', groupIds)
    .where('user_id', '=', userId)
    .orderBy('gk_version')
    .execute();
}

export async function listNewestRosters(read: Reader, groupIds: readonly string[]) {
  return read
    .selectFrom('entry_groups')
    .innerJoin('group_rosters', (join) =>
      join
        .onRef('group_rosters.entry_group_id', '=', 'entry_groups.entry_group_id')
        .onRef('group_rosters.seq', '=', 'entry_groups.roster_seq'),
    )
    .selectAll('group_rosters')
    .where('entry_groups.entry_group_id', 'in', groupIds)
    .execute();
}

/** Up to `most` before the given one of each group, newest first. */
export async function listRostersBefore(
  read: Reader,
  places: readonly { readonly entry_group_id: string; readonly seq: number }[],
  most: number,
) {
  const rows: Tables['group_rosters'][] = [];
  for (let at = 0; at < places.length; at += GROUPS_AT_ONCE) {
    const some = places.slice(at, at + GROUPS_AT_ONCE);
    const found = read
      .selectFrom('group_rosters')
      .selectAll()
      .where((eb) =>
        eb.or(
          some.map(({ entry_group_id, seq }) =>
            eb.and([
              eb('entry_group_id', '=', entry_group_id),
              eb('seq', '<', seq),
              // Sequence numbers have no gaps.
              eb('seq', '>=', seq - most),
            ]),
          ),
        ),
      )
      .orderBy('seq', 'desc');
    rows.push(...(await found.execute()));
  }
  return rows;
}

/** Each adds a condition to the query. */
const GROUPS_AT_ONCE = 100;

export async function listCertificates(read: Reader, fingerprints: readonly string[]) {
  if (fingerprints.length === 0) return [];
  return read.selectFrom('user_certificates').selectAll().where('fpr', 'in', fingerprints).execute();
}
