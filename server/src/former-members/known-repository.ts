import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import type { Database, Transact } from '../db/database.ts';
import type { Tables } from '../db/schema/tables.ts';

interface Known {
  readonly entry_group_id: string;
  readonly field_id: string;
  readonly rev: number;
  readonly opened_at: number;
  readonly how: Tables['departure_secrets']['how'];
  readonly user_application_id: string | null;
}

interface Of {
  readonly groupIds: readonly string[];
  readonly userId: string;
}

type Reader = Database['read'] | Transact;

/**
 * What a person revealed, wrote or had in an offline copy, with the newest known revision. Includes entries
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
    .groupBy(['every.entry_group_id', 'every.field_id']);
}

const OPENING = ['decrypted', 'created', 'updated'] as const;

const BY_HISTORY = [
  sql<Known['rev']>`max(field_history.rev)`.as('rev'),
  sql<Known['opened_at']>`max(field_history.created_at)`.as('opened_at'),
  sql<Known['how']>`case max(case when field_history.event_type = 'decrypted' then 1 else 0 end)
    when 1 then 'revealed' else 'written' end`.as('how'),
  sql<Known['user_application_id']>`cast(null as text)`.as('user_application_id'),
];

function opened(db: Reader, { groupIds, userId }: Of) {
  return (
    db
      .selectFrom('entries')
      // Cross joins fix the order: from the groups' entries to this person's history.
      .crossJoin('fields')
      .crossJoin('field_history')
      .select(['entries.entry_group_id', 'field_history.field_id', ...BY_HISTORY])
      .whereRef('fields.entry_id', '=', 'entries.entry_id')
      .whereRef('field_history.field_id', '=', 'fields.field_id')
      .where('field_history.user_id', '=', userId)
      .where('field_history.event_type', 'in', OPENING)
      .where('field_history.rev', 'is not', null)
      .where('entries.entry_group_id', 'in', groupIds)
      .groupBy(['entries.entry_group_id', 'field_history.field_id'])
  );
}

/** Entries that moved to groups where the person is no member; no other list contains them. */
const movedAway = (db: Reader, { groupIds, userId }: Of) =>
  db
    .selectFrom('entry_moves')
    .innerJoin('entries', 'entries.entry_id', 'entry_moves.entry_id')
    .innerJoin('fields', 'fields.entry_id', 'entries.entry_id')
    .where('entry_moves.entry_group_id', 'in', groupIds)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('group_members')
            .select('group_members.id')
            .whereRef('group_members.entry_group_id', '=', 'entries.entry_group_id')
            .where('group_members.user_id', '=', userId),
        ),
      ),
    );

/** Opened while the entry was in the group. */
function openedBefore(db: Reader, of: Of) {
  return movedAway(db, of)
    .innerJoin('field_history', 'field_history.field_id', 'fields.field_id')
    .select(['entry_moves.entry_group_id', 'field_history.field_id', ...BY_HISTORY])
    .where('field_history.user_id', '=', of.userId)
    .where('field_history.event_type', 'in', OPENING)
    .where('field_history.rev', 'is not', null)
    .whereRef('field_history.created_at', '>=', 'entry_moves.arrived_at')
    .whereRef('field_history.created_at', '<=', 'entry_moves.left_at')
    .groupBy(['entry_moves.entry_group_id', 'field_history.field_id']);
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
function carriedHere(db: Reader, { groupIds, userId }: Of) {
  const time = sql<number>`offline_releases.last_at`;
  return db
    .selectFrom('offline_releases')
    .innerJoin('entries', 'entries.entry_group_id', 'offline_releases.entry_group_id')
    .innerJoin('fields', 'fields.entry_id', 'entries.entry_id')
    .select(['entries.entry_group_id', 'fields.field_id', ...byCopy(time)])
    .where('offline_releases.user_id', '=', userId)
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
function carriedBefore(db: Reader, of: Of) {
  return movedAway(db, of)
    .innerJoin('offline_releases', 'offline_releases.entry_group_id', 'entry_moves.entry_group_id')
    .select(['entry_moves.entry_group_id', 'fields.field_id', ...byCopy(lastCarried)])
    .where('offline_releases.user_id', '=', of.userId)
    .whereRef('offline_releases.first_at', '<=', 'entry_moves.left_at')
    .whereRef('offline_releases.last_at', '>=', 'entry_moves.arrived_at');
}

/** Copied in a former group of the entry. */
function carriedElsewhere(db: Reader, { groupIds, userId }: Of) {
  return db
    .selectFrom('entries')
    .innerJoin('entry_moves', 'entry_moves.entry_id', 'entries.entry_id')
    .innerJoin('offline_releases', 'offline_releases.entry_group_id', 'entry_moves.entry_group_id')
    .innerJoin('fields', 'fields.entry_id', 'entries.entry_id')
    .select(['entries.entry_group_id', 'fields.field_id', ...byCopy(lastCarried)])
    .where('offline_releases.user_id', '=', userId)
    .where('entries.entry_group_id', 'in', groupIds)
    .whereRef('offline_releases.first_at', '<=', 'entry_moves.left_at')
    .whereRef('offline_releases.last_at', '>=', 'entry_moves.arrived_at');
}
