/** Operations of kind 'create'. SQLite cannot change a check: the table is filled again with its rows. */
import type { Migration } from '../migrate.ts';

const KINDS = "kind in ('create', 'delete', 'restore', 'import', 'move', 'rename')";

export const createdEntries: Migration = {
  name: '0031-created-entries',
  both: [],
  sqlite: [
    // References to the rows are checked again at the commit.
    'pragma defer_foreign_keys = on',
    'create table operations_before as select * from operations',
    'create table staged_imports_before as select * from staged_imports',
    'drop table operations',
    `create table operations (
      operation_id text primary key,
      kind text not null check (${KINDS}),
      user_id text,
      target_kind text not null check (target_kind in ('entry_group', 'entry', 'field')),
      target_id text not null,
      title text not null,
      entry_group_id text,
      detail text not null,
      entry_groups integer not null,
      entries integer not null,
      fields integer not null,
      created_at integer not null,
      undo_until integer,
      undone_at integer
    ) strict`,
    'create index operations_of_user on operations (user_id, operation_id)',
    'create index operations_by_time on operations (undo_until) where undone_at is null',
    'create index operations_of_target on operations (target_id)',
    'insert into operations select * from operations_before',
    'insert into staged_imports select * from staged_imports_before',
    'drop table operations_before',
    'drop table staged_imports_before',
  ],
  postgres: [
    `alter table operations drop constraint operations_kind_check,
      add constraint operations_kind_check check (${KINDS})`,
  ],
};
