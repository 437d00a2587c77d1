/** Fewer B-trees per reveal and field write: tables read only by key become WITHOUT ROWID. */
import type { Migration } from '../migrate.ts';

const inItsKey = (table: string, columns: string) => [
  `create table ${table}_in_key (${columns}) strict, without rowid`,
  `insert into ${table}_in_key select * from ${table}`,
  `drop table ${table}`,
  `alter table ${table}_in_key rename to ${table}`,
];

export const fewerTrees: Migration = {
  name: '0012-fewer-trees',
  both: [],
  sqlite: [
    ...inItsKey(
      'field_history',
      `field_edit_log_id text primary key,
    field_id text not null references fields (field_id),
    event_type text not null check (event_type in ('created', 'updated', 'decrypted', 'moved', 'trashed', 'restored')),
    rev integer,
    user_id text,
    created_at integer not null`,
    ),
    'create index field_history_of_field on field_history (field_id, user_id, field_edit_log_id)',
    ...inItsKey(
      'attempts',
      `key text primary key,
    failures integer not null,
    window_started_at integer not null,
    blocked_until integer not null`,
    ),
    'create index attempts_by_window on attempts (window_started_at)',
    // SQLite refuses the rename while a trigger writes to a missing table.
    'drop trigger audit_log_awaits_its_seal',
    ...inItsKey('audit_unsealed', 'audit_id text primary key'),
    `create trigger audit_log_awaits_its_seal after insert on audit_log
    begin insert into audit_unsealed (audit_id) values (new.audit_id); end`,
    // A rotation is rare and reads the revisions.
    'drop index field_revisions_by_key',
  ],
};
