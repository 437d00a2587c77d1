/** Former members and the secrets they knew: the history is deleted with the account. */
import type { Migration } from '../migrate.ts';

export const departures: Migration = {
  name: '0002-departures',
  both: [
    `create table departures (
    departure_id text primary key,
    entry_group_id text not null references entry_groups (entry_group_id) on delete cascade,
    user_id text not null,
    user_name text not null,
    cause text not null check (cause in ('removed', 'deleted', 'reset')),
    left_at INT not null
  )`,
    'create index departures_of_group on departures (entry_group_id, departure_id)',
    'create index departures_of_user on departures (user_id, departure_id)',
    `create table departure_secrets (
    departure_id text not null references departures (departure_id) on delete cascade,
    field_id text not null references fields (field_id) on delete cascade,
    rev INT not null,
    opened_at INT not null,
    how text not null check (how in ('revealed', 'offline', 'written')),
    primary key (departure_id, field_id)
  )`,
    'create index departure_secrets_of_field on departure_secrets (field_id)',
    'create index field_history_of_user on field_history (user_id, field_id)',
    // Covers the revisions that a rotation still has to wrap.
    'create index field_revisions_by_key on field_revisions (field_id, gk_version)',
  ],
};
