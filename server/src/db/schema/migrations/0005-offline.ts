/** Applications, offline copies and later changes (ADR 8). */
import type { Migration } from '../migrate.ts';
import { markedInPostgres } from './0005-offline-postgres.ts';
import { markedInSqlite } from './0005-offline-sqlite.ts';

const STAMP = 'INT not null default 0';

const applications = [
  `create table user_applications (
    user_application_id text primary key,
    user_id text not null references users (user_id) on delete cascade,
    client_id text not null,
    is_offline INT not null check (is_offline in (0, 1)),
    copy_fetched_at INT,
    key_state text,
    key_fetched_at INT,
    created_at INT not null,
    updated_at INT not null,
    unique (user_id, client_id)
  )`,
  `create table offline_copies (
    copy_id text primary key,
    user_id text not null references users (user_id) on delete cascade,
    user_application_id text references user_applications (user_application_id) on delete cascade,
    stamp INT not null,
    created_at INT not null
  )`,
  'create index offline_copies_of_user on offline_copies (user_id)',
  'create index offline_copies_by_stamp on offline_copies (stamp)',
  'create index offline_copies_of_application on offline_copies (user_application_id)',
];

/** No reference to applications: a person's knowledge outlives the device. */
const released = [
  `create table offline_releases (
    user_id text not null references users (user_id) on delete cascade,
    entry_group_id text not null references entry_groups (entry_group_id) on delete cascade,
    user_application_id text not null,
    first_at INT not null,
    last_at INT not null,
    primary key (user_id, entry_group_id, user_application_id)
  )`,
  'create index offline_releases_of_group on offline_releases (entry_group_id)',
  `create table entry_moves (
    entry_id text not null references entries (entry_id) on delete cascade,
    left_at INT not null,
    arrived_at INT not null,
    entry_group_id text not null,
    primary key (entry_id, left_at, entry_group_id)
  )`,
  'alter table departure_secrets add column user_application_id text',
];

/** No references: a deletion is a change, too. */
const changes = [
  `create table changed_groups (
    entry_group_id text primary key,
    head_stamp ${STAMP},
    tree_stamp ${STAMP},
    whole_stamp ${STAMP}
  )`,
  'create index changed_groups_by_head on changed_groups (head_stamp)',
  'create index changed_groups_by_tree on changed_groups (tree_stamp)',
  'insert into changed_groups (entry_group_id) select entry_group_id from entry_groups',
  `create table changed_entries (
    entry_group_id text not null,
    entry_id text not null,
    stamp INT not null,
    primary key (entry_group_id, entry_id)
  )`,
  'create index changed_entries_of_group on changed_entries (entry_group_id, stamp)',
  'create index changed_entries_by_stamp on changed_entries (stamp)',
  `create table changed_access (
    user_id text not null,
    entry_group_id text not null,
    stamp INT not null,
    whole_stamp ${STAMP},
    primary key (user_id, entry_group_id)
  )`,
  'create index changed_access_by_stamp on changed_access (stamp)',
];

export const offline: Migration = {
  name: '0005-offline',
  both: [...applications, ...released, ...changes],
  sqlite: markedInSqlite,
  postgres: markedInPostgres,
};
