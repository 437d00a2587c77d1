/** ADR 19. */
import type { Migration } from '../migrate.ts';

export const backupCopies: Migration = {
  name: '0025-backup-copies',
  both: [
    'alter table backups add column sha256 text',
    'alter table backup_settings add column keep_days INT not null default 0',
    'alter table backup_settings add column enabled_at INT',
    `create table backup_copies (
      backup_id text not null references backups (backup_id),
      target text not null,
      state text not null check (state in ('waiting', 'copying', 'copied', 'failed', 'deleted')),
      attempts INT not null,
      due_at INT,
      error_message text,
      copied_at INT,
      deleted_at INT,
      created_at INT not null,
      updated_at INT not null,
      primary key (backup_id, target)
    )`,
    'create index backup_copies_by_state on backup_copies (target, state, backup_id)',
  ],
};
