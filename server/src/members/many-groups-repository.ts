import { sql } from 'kysely';
import type { Selectable } from 'kysely';
import type { Database } from '../db/database.ts';
import { portions } from '../db/portions.ts';
import type { Tables } from '../db/schema/tables.ts';

type CertificateRow = Selectable<Tables['user_certificates']>;

/** Leaves out the trash, and groups without the person. */
export async function listMemberGroupsAmong(db: Database, groupIds: readonly string[], userId: string) {
  return db.read
    .selectFrom('entry_groups')
    .innerJoin('group_members', 'group_members.entry_group_id', 'entry_groups.entry_group_id')
    .select([
      'entry_groups.entry_group_id',
      'entry_groups.gk_version',
      'entry_groups.origin',
      'entry_groups.roster_seq',
    ])
    .where('group_members.user_id', '=', userId)
    .where('entry_groups.entry_group_id', 'in', groupIds)
    .where('entry_groups.trashed_by', 'is', null)
    .execute();
}

/** Returns certificates by fingerprint. */
export async function listCertificatesBy(db: Database, fingerprints: readonly string[]) {
  const rows: CertificateRow[] = [];
  for (const portion of portions(fingerprints)) {
    rows.push(...(await db.read.selectFrom('user_certificates').selectAll().where('fpr', 'in', portion).execute()));
  }
  return new Map(rows.map((row) => [row.fpr, row]));
}

/** Returns bytes by group id. */
export async function sizesOfRosters(
  db: Database,
  places: readonly { readonly groupId: string; readonly from: number }[],
): Promise<ReadonlyMap<string, number>> {
  if (places.length === 0) return new Map();
  const rows = await db.read
    .selectFrom('group_rosters')
    .select(['entry_group_id', sql<number>`sum(length(bytes))`.as('bytes')])
    .where((eb) =>
      eb.or(places.map(({ groupId, from }) => eb.and([eb('entry_group_id', '=', groupId), eb('seq', '>=', from)]))),
    )
    .groupBy('entry_group_id')
    .execute();
  return new Map(rows.map(({ entry_group_id, bytes }) => [entry_group_id, Number(bytes)]));
}

/** Rosters ascend in each group. */
export async function listRostersOfMany(
  db: Database,
  places: readonly { readonly groupId: string; readonly from: number }[],
) {
  if (places.length === 0) return [];
  return db.read
    .selectFrom('group_rosters')
    .selectAll()
    .where((eb) =>
      eb.or(places.map(({ groupId, from }) => eb.and([eb('entry_group_id', '=', groupId), eb('seq', '>=', from)]))),
    )
    .orderBy('seq')
    .execute();
}

export async function listOwnGrantsOfMany(db: Database, groupIds: readonly string[], userId: string) {
  return db.read
    .selectFrom('group_grants')
    .selectAll()
    .where('entry_group_id', 'in', groupIds)
    .where('user_id', '=', userId)
    .orderBy('gk_version')
    .execute();
}
