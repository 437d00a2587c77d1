/** What a person has had before his eyes. This is the one place that says what counts as known. */
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
 * Every field of the group that the person revealed, wrote himself, or was given with an offline copy, with the newest revision of it that he knows.
 * A revealed field is called so, whatever else he did with it. Of the group is also what he knew of it there and what is now where he is nobody.
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
      // Ids rise: of several the application that was registered last.
      eb.fn.max('every.user_application_id').as('user_application_id'),
    ])
    .where('every.rev', 'is not', null)
    .groupBy(['every.entry_group_id', 'every.field_id']);
}

/** What puts a revision before somebody's eyes. */
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
      // Cross joins keep the order as written: through indexes from the groups' entries to what this person did with their fields, and nowhere else.
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

/** Entries that have left these groups for one where the person is nobody: no other list would ever tell of them. */
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

/** While it was there. */
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

/** The revision that was the present one then. */
const revisionAt = (time: RawBuilder<number>) =>
  sql<Known['rev']>`(select max(field_revisions.rev) from field_revisions
    where field_revisions.field_id = fields.field_id and field_revisions.created_at <= ${time})`;

const byCopy = (time: RawBuilder<number>) => [
  revisionAt(time).as('rev'),
  time.as('opened_at'),
  sql<Known['how']>`'offline'`.as('how'),
  sql<Known['user_application_id']>`nullif(offline_releases.user_application_id, '')`.as('user_application_id'),
];

/** In his copy since the entry came into the group where it is. */
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

/** The last time at which a copy was taken while the entry was still there. */
const lastCarried = sql<number>`case when offline_releases.last_at < entry_moves.left_at
  then offline_releases.last_at else entry_moves.left_at end`;

/** In his copy of the group while the entry was there, and gone to where he is nobody. */
function carriedBefore(db: Reader, of: Of) {
  return movedAway(db, of)
    .innerJoin('offline_releases', 'offline_releases.entry_group_id', 'entry_moves.entry_group_id')
    .select(['entry_moves.entry_group_id', 'fields.field_id', ...byCopy(lastCarried)])
    .where('offline_releases.user_id', '=', of.userId)
    .whereRef('offline_releases.first_at', '<=', 'entry_moves.left_at')
    .whereRef('offline_releases.last_at', '>=', 'entry_moves.arrived_at');
}

/** In his copy of a group where the entry was before. */
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
