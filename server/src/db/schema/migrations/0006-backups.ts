/** Backup settings and list (docs/spec/decisions.md H3–H6). */
import type { Migration } from '../migrate.ts';

export const backups: Migration = {
  name: '0006-backups',
  both: [
    // One row, created on first save.
    `create table backup_settings (
      id INT primary key check (id = 1),
      schedule text not null,
      enabled INT not null check (enabled in (0, 1)),
      email_enabled INT not null check (email_enabled in (0, 1)),
      email text,
      recipient text,
      sealed_identity BYTES,
      keep INT not null,
      updated_at INT not null,
      check ((recipient is null) = (sealed_identity is null))
    )`,
    `create table backups (
      backup_id text primary key,
      state text not null check (state in ('await', 'creating', 'created', 'error', 'deleted')),
      file_name text not null unique,
      slot text unique,
      has_password INT not null check (has_password in (0, 1)),
      attempts INT not null,
      progress INT,
      size INT,
      counts text,
      error_message text,
      made_at INT,
      deleted_at INT,
      verified_at INT,
      created_at INT not null,
      updated_at INT not null
    )`,
    'create index backups_by_state on backups (state, backup_id)',
  ],
};
