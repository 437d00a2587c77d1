/** Exports under way, the values of each, and in the history why a value was opened. */
import type { Migration } from '../migrate.ts';

export const exports: Migration = {
  name: '0044-exports',
  both: [
    'alter table field_history add column purpose text',
    'alter table field_history add column label text',
    `create table exports (
      export_id text primary key,
      user_id text not null references users (user_id) on delete cascade,
      format text not null,
      state text not null check (state in ('open', 'done', 'cancelled', 'expired')),
      counts text not null,
      released INT not null,
      created_at INT not null,
      called_at INT not null
    )`,
    "create unique index exports_open on exports (user_id) where state = 'open'",
    `create table export_values (
      export_id text not null references exports (export_id) on delete cascade,
      position INT not null,
      entry_group_id text not null,
      entry_id text not null,
      field_id text not null,
      rev INT not null,
      released_at INT,
      primary key (export_id, position)
    )`,
  ],
};
