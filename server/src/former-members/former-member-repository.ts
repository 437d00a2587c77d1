import { sql, type AliasedSelectQueryBuilder, type ExpressionBuilder } from 'kysely';
import type { Role } from '@passwordbroker/core/domain/policy';
import type { Database, Transact } from '../db/database.ts';
import { portions } from '../db/portions.ts';
import type { Tables } from '../db/schema/tables.ts';
import { knownSecrets } from './known-repository.ts';

export async function findName(tx: Transact, userId: string): Promise<string | undefined> {
  return (await tx.selectFrom('users').select('name').where('user_id', '=', userId).executeTakeFirst())?.name;
}

/** By group. */
export async function listRolesOf(tx: Transact, userId: string): Promise<Map<string, Role>> {
  const rows = await tx
    .selectFrom('group_members')
    .select(['entry_group_id', 'role'])
    .where('user_id', '=', userId)
    .execute();
  return new Map(rows.map(({ entry_group_id, role }) => [entry_group_id, role]));
}

export async function insertDepartures(tx: Transact, rows: readonly Tables['departures'][]): Promise<void> {
  await tx.insertInto('departures').values(rows).execute();
}

/** Records what the person knows of these groups. */
export async function insertKnownSecrets(
  tx: Transact,
  userId: string,
  left: readonly Pick<Tables['departures'], 'departure_id' | 'entry_group_id'>[],
): Promise<void> {
  for (const some of portions(left)) {
    const known = knownSecrets(tx, {
      userIds: [userId],
      groupIds: some.map(({ entry_group_id }) => entry_group_id),
    }).as('known');
    const ids = some.map(({ departure_id }) => departure_id);
    await tx
      .insertInto('departure_secrets')
      .columns(['departure_id', 'field_id', 'rev', 'opened_at', 'how', 'user_application_id'])
      .expression((eb) =>
        eb
          .selectFrom(known)
          .innerJoin('departures', 'departures.entry_group_id', 'known.entry_group_id')
          .select([
            'departures.departure_id',
            'known.field_id',
            'known.rev',
            'known.opened_at',
            'known.how',
            'known.user_application_id',
          ])
          .where('departures.departure_id', 'in', ids),
      )
      .execute();
  }
}

/** Deletes records of offline copies, so that a later membership starts without them. */
export async function deleteReleases(tx: Transact, userId: string, groupIds: readonly string[]): Promise<void> {
  await tx
    .deleteFrom('offline_releases')
    .where('user_id', '=', userId)
    .where('entry_group_id', 'in', groupIds)
    .execute();
}

type Of =
  | { readonly groupId: string; readonly departureId?: string }
  /** Null means everybody. */
  | { readonly userId: string | null; readonly adminId: string };

/** Selects former members of one group, or of all groups that `adminId` administers. */
function chosen(db: Database, of: Of) {
  const all = db.read
    .selectFrom('departures')
    .innerJoin('entry_groups', 'entry_groups.entry_group_id', 'departures.entry_group_id')
    .where('entry_groups.trashed_by', 'is', null);
  if ('groupId' in of) {
    const ofGroup = all.where('departures.entry_group_id', '=', of.groupId);
    return of.departureId === undefined ? ofGroup : ofGroup.where('departures.departure_id', '=', of.departureId);
  }
  const ofAdmin = all.where('departures.entry_group_id', 'in', (eb) =>
    eb
      .selectFrom('group_members')
      .select('group_members.entry_group_id')
      .where('group_members.user_id', '=', of.adminId)
      .where('group_members.role', '=', 'admin'),
  );
  return of.userId === null ? ofAdmin : ofAdmin.where('departures.user_id', '=', of.userId);
}

export async function countDepartures(db: Database, of: Of): Promise<number> {
  const { total } = await chosen(db, of)
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return Number(total);
}

/** Newest first. `total` counts known secrets that the caller can see, `open` those that have not changed. */
export async function listDepartures(
  db: Database,
  of: Of,
  { callerId, offset, limit }: { readonly callerId: string; readonly offset: number; readonly limit: number },
) {
  const counted = (eb: ExpressionBuilder<Tables, 'departures'>) =>
    eb
      .selectFrom('departure_secrets')
      .innerJoin('fields', 'fields.field_id', 'departure_secrets.field_id')
      .innerJoin('entries', 'entries.entry_id', 'fields.entry_id')
      .innerJoin('entry_groups as place', 'place.entry_group_id', 'entries.entry_group_id')
      .innerJoin('group_members', 'group_members.entry_group_id', 'entries.entry_group_id')
      .select(sql<number>`count(*)`.as('count'))
      .whereRef('departure_secrets.departure_id', '=', 'departures.departure_id')
      .where('fields.type', '!=', 'link')
      .where('fields.trashed_by', 'is', null)
      .where('entries.trashed_by', 'is', null)
      .where('place.trashed_by', 'is', null)
      .where('group_members.user_id', '=', callerId);
  return chosen(db, of)
    .leftJoin('users', 'users.user_id', 'departures.user_id')
    .selectAll('departures')
    .select(['entry_groups.name as group_name', 'users.user_id as present_user_id'])
    .select((eb) => [
      counted(eb).as('total'),
      counted(eb).whereRef('fields.rev', '<=', 'departure_secrets.rev').as('open'),
    ])
    .orderBy('departures.departure_id', 'desc')
    .offset(offset)
    .limit(limit)
    .execute();
}

export type DepartureRow = Awaited<ReturnType<typeof listDepartures>>[number];

type Known = Omit<Tables['departure_secrets'], 'departure_id'>;

export async function listDepartureSecrets(db: Database, departureId: string, callerId: string) {
  const known = db.read
    .selectFrom('departure_secrets')
    .select(['field_id', 'rev', 'opened_at', 'how', 'user_application_id'])
    .where('departure_id', '=', departureId);
  return asShown(db, known.as('known'), callerId);
}

export async function listMemberSecrets(db: Database, groupId: string, userId: string, callerId: string) {
  const all = knownSecrets(db.read, { groupIds: [groupId], userIds: [userId] }).as('in_group');
  const known = db.read.selectFrom(all).select(['field_id', 'rev', 'opened_at', 'how', 'user_application_id']);
  return asShown(db, known.as('known'), callerId);
}

/** Without links, which are no secrets. The caller must see the field now: it may have moved to another group. */
async function asShown(db: Database, known: AliasedSelectQueryBuilder<Known, 'known'>, callerId: string) {
  return db.read
    .selectFrom(known)
    .innerJoin('fields', 'fields.field_id', 'known.field_id')
    .innerJoin('entries', 'entries.entry_id', 'fields.entry_id')
    .innerJoin('entry_groups', 'entry_groups.entry_group_id', 'entries.entry_group_id')
    .innerJoin('group_members', 'group_members.entry_group_id', 'entries.entry_group_id')
    .select([
      'known.field_id',
      'known.rev',
      'known.opened_at',
      'known.how',
      'known.user_application_id',
      'fields.title',
      'fields.type',
      'fields.rev as present_rev',
      'fields.trashed_by as field_trashed_by',
      'entries.entry_id',
      'entries.entry_group_id',
      'entries.title as entry_title',
      'entries.trashed_by as entry_trashed_by',
    ])
    .where('fields.type', '!=', 'link')
    .where('group_members.user_id', '=', callerId)
    .where('entry_groups.trashed_by', 'is', null)
    .execute();
}

export type SecretRow = Awaited<ReturnType<typeof asShown>>[number];
