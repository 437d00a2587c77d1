import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import type { Database, Transact } from '../db/database.ts';
import type { Tables } from '../db/schema/tables.ts';

interface Known {
  readonly user_id: string;
  readonly entry_group_id: string;
  readonly field_id: string;
  readonly rev: number;
  readonly opened_at: number;
  readonly how: Tables['departure_secrets']['how'];
  readonly user_application_id: string | null;
}

interface Of {
  readonly groupIds: readonly string[];
  readonly userIds: readonly string[];
}

type Reader = Database['read'] | Transact;

/**
 * What people revealed, wrote or had in an offline copy, with the newest known revision. Includes entries
 * that have moved to groups where the person is no member.
 */
export function knownSecrets(db: Reader, of: Of): SelectQueryBuilder<{ every: Known }, 'every', Known> {
  const every = opened(db, of)
    .unionAll(openedBefore(db, of))
    .unionAll(carriedHere(db, of))
    .unionAll(carriedElsewhere(db, of))
    .unionAll(carriedBefore(db, of))
    .as('every');
  return db
    .selectFrom(every)
    .select((eb) => [
      'every.user_id',
      'every.entry_group_id',
      'every.field_id',
      eb.fn.max('every.rev').as('rev'),
      eb.fn.max('every.opened_at').as('opened_at'),
      sql<Known['how']>`case max(case every.how when 'revealed' then 3 when 'offline' then 2 else 1 end)
        when 3 then 'revealed' when 2 then 'offline' else 'written' end`.as('how'),
      // Ids ascend, so this is the newest application.
      eb.fn.max('every.user_application_id').as('user_application_id'),
    ])
    .where('every.rev', 'is not', null)
    .groupBy(['every.user_id', 'every.entry_group_id', 'every.field_id']);
}

interface Within {
  readonly callerId: string;
  /** Only what is in this group now. */
  readonly groupId?: string | undefined;
  readonly entryIds?: readonly string[] | undefined;
}

/**
 * Secrets that present members have opened, that have not changed since and that the caller can see. Leaves out links
 * and the trash.
 */
function unchanged(db: Database, of: Of, { callerId, groupId, entryIds }: Within) {
  const rows = db.read
    .selectFrom(knownSecrets(db.read, of).as('known'))
    .innerJoin('fields', 'fields.field_id', 'known.field_id')
    .innerJoin('entries', 'entries.entry_id', 'fields.entry_id')
    .innerJoin('entry_groups', 'entry_groups.entry_group_id', 'entries.entry_group_id')
    .innerJoin('group_members', 'group_members.entry_group_id', 'entries.entry_group_id')
    .innerJoin('group_members as own', (join) =>
      join.onRef('own.entry_group_id', '=', 'known.entry_group_id').onRef('own.user_id', '=', 'known.user_id'),
    )
    .whereRef('fields.rev', '<=', 'known.rev')
    .where('fields.type', '!=', 'link')
    .where('fields.trashed_by', 'is', null)
    .where('entries.trashed_by', 'is', null)
    .where('entry_groups.trashed_by', 'is', null)
    .where('group_members.user_id', '=', callerId);
  const here = groupId === undefined ? rows : rows.where('entries.entry_group_id', '=', groupId);
  return entryIds === undefined ? here : here.where('entries.entry_id', 'in', entryIds);
}

/** One row for each person who knows one of these secrets. */
export async function countUnchanged(db: Database, of: Of, within: Within) {
  return unchanged(db, of, within)
    .select((eb) => [
      'known.user_id',
      eb.fn.count<number>('known.field_id').distinct().as('opened'),
      eb.fn.max<number>('known.opened_at').as('last_opened_at'),
      eb.fn.count<number>('known.field_id').distinct().filterWhere('known.how', '=', 'offline').as('in_copies'),
    ])
    .groupBy('known.user_id')
    .execute();
}

/** Secrets that at least one of these people knows. */
export async function countUnchangedOfAll(db: Database, of: Of, within: Within): Promise<number> {
  const { known } = await unchanged(db, of, within)
    .select((eb) => eb.fn.count<number>('known.field_id').distinct().as('known'))
    .executeTakeFirstOrThrow();
  return Number(known);
}

const OPENING = ['decrypted', 'created', 'updated'] as const;

const BY_HISTORY = [
  sql<Known['rev']>`max(field_history.rev)`.as('rev'),
  sql<Known['opened_at']>`max(field_history.created_at)`.as('opened_at'),
  sql<Known['how']>`case max(case when field_history.event_type = 'decrypted' then 1 else 0 end)
    when 1 then 'revealed' else 'written' end`.as('how'),
  sql<Known['user_application_id']>`cast(null as text)`.as('user_application_id'),
];

function opened(db: Reader, { groupIds, userIds }: Of) {
  return (
    db
      .selectFrom('entries')
      // Cross joins fix the order: from the groups' entries to the history of these people.
      .crossJoin('fields')
      .crossJoin('field_history')
      .select(['field_history.user_id', 'entries.entry_group_id', 'field_history.field_id', ...BY_HISTORY])
      .$narrowType<{ user_id: string }>()
      .whereRef('fields.entry_id', '=', 'entries.entry_id')
      .whereRef('field_history.field_id', '=', 'fields.field_id')
      .where('field_history.user_id', 'in', userIds)
      .where('field_history.event_type', 'in', OPENING)
      .where('field_history.rev', 'is not', null)
      .where('entries.entry_group_id', 'in', groupIds)
      .groupBy(['field_history.user_id', 'entries.entry_group_id', 'field_history.field_id'])
  );
}

/** Entries that moved to groups where the person (`who`) is no member; no other list contains them. */
const movedAway = (db: Reader, groupIds: readonly string[]) =>
  db
    .selectFrom('entry_moves')
    .innerJoin('entries', 'entries.entry_id', 'entry_moves.entry_id')
    .innerJoin('fields', 'fields.entry_id', 'entries.entry_id')
    .where('entry_moves.entry_group_id', 'in', groupIds);

const isMemberThere = (db: Reader, who: 'field_history.user_id' | 'offline_releases.user_id') =>
  db
    .selectFrom('group_members')
    .select('group_members.id')
    .where(
      sql<boolean>`group_members.entry_group_id = entries.entry_group_id and group_members.user_id = ${sql.ref(who)}`,
    );

/** Opened while the entry was in the group. */
function openedBefore(db: Reader, { groupIds, userIds }: Of) {
  return movedAway(db, groupIds)
    .innerJoin('field_history', 'field_history.field_id', 'fields.field_id')
    .select(['field_history.user_id', 'entry_moves.entry_group_id', 'field_history.field_id', ...BY_HISTORY])
    .$narrowType<{ user_id: string }>()
    .where('field_history.user_id', 'in', userIds)
    .where((eb) => eb.not(eb.exists(isMemberThere(db, 'field_history.user_id'))))
    .where('field_history.event_type', 'in', OPENING)
    .where('field_history.rev', 'is not', null)
    .whereRef('field_history.created_at', '>=', 'entry_moves.arrived_at')
    .whereRef('field_history.created_at', '<=', 'entry_moves.left_at')
    .groupBy(['field_history.user_id', 'entry_moves.entry_group_id', 'field_history.field_id']);
}

const revisionAt = (time: RawBuilder<number>) =>
  sql<Known['rev']>`(select max(field_revisions.rev) from field_revisions
    where field_revisions.field_id = fields.field_id and field_revisions.created_at <= ${time})`;

const byCopy = (time: RawBuilder<number>) => [
  revisionAt(time).as('rev'),
  time.as('opened_at'),
  sql<Known['how']>`'offline'`.as('how'),
  sql<Known['user_application_id']>`nullif(offline_releases.user_application_id, '')`.as('user_application_id'),
];

/** Copied after the entry came to its present group. */
function carriedHere(db: Reader, { groupIds, userIds }: Of) {
  const time = sql<number>`offline_releases.last_at`;
  return db
    .selectFrom('offline_releases')
    .innerJoin('entries', 'entries.entry_group_id', 'offline_releases.entry_group_id')
    .innerJoin('fields', 'fields.entry_id', 'entries.entry_id')
    .select(['offline_releases.user_id', 'entries.entry_group_id', 'fields.field_id', ...byCopy(time)])
    .where('offline_releases.user_id', 'in', userIds)
    .where('entries.entry_group_id', 'in', groupIds)
    .where((eb) =>
      eb(
        'offline_releases.last_at',
        '>=',
        eb
          .selectFrom('entry_moves')
          .select((of) => of.fn.coalesce(of.fn.max('entry_moves.left_at'), sql<number>`0`).as('arrived_at'))
          .whereRef('entry_moves.entry_id', '=', 'entries.entry_id'),
      ),
    );
}

/** Time of the last copy while the entry was in the group. */
const lastCarried = sql<number>`case when offline_releases.last_at < entry_moves.left_at
  then offline_releases.last_at else entry_moves.left_at end`;

/** Copied before the entry moved to where the person is no member. */
function carriedBefore(db: Reader, { groupIds, userIds }: Of) {
  return movedAway(db, groupIds)
    .innerJoin('offline_releases', 'offline_releases.entry_group_id', 'entry_moves.entry_group_id')
    .select(['offline_releases.user_id', 'entry_moves.entry_group_id', 'fields.field_id', ...byCopy(lastCarried)])
    .where('offline_releases.user_id', 'in', userIds)
    .where((eb) => eb.not(eb.exists(isMemberThere(db, 'offline_releases.user_id'))))
    .whereRef('offline_releases.first_at', '<=', 'entry_moves.left_at')
    .whereRef('offline_releases.last_at', '>=', 'entry_moves.arrived_at');
}

/** Copied in a former group of the entry. */
function carriedElsewhere(db: Reader, { groupIds, userIds }: Of) {
  return db
    .selectFrom('entries')
    .innerJoin('entry_moves', 'entry_moves.entry_id', 'entries.entry_id')
    .innerJoin('offline_releases', 'offline_releases.entry_group_id', 'entry_moves.entry_group_id')
    .innerJoin('fields', 'fields.entry_id', 'entries.entry_id')
    .select(['offline_releases.user_id', 'entries.entry_group_id', 'fields.field_id', ...byCopy(lastCarried)])
    .where('offline_releases.user_id', 'in', userIds)
    .where('entries.entry_group_id', 'in', groupIds)
    .whereRef('offline_releases.first_at', '<=', 'entry_moves.left_at')
    .whereRef('offline_releases.last_at', '>=', 'entry_moves.arrived_at');
}
