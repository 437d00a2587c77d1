import type { BackupState, CopyState } from '@passwordbroker/core/contract/site/backups';
import type { Flag, Millis } from './columns.ts';

/** One row. */
export interface BackupSettingTable {
  id: 1;
  /** Hours in the server's time zone, as a JSON list. */
  schedule: string;
  enabled: Flag;
  email_enabled: Flag;
  email: string | null;
  /** age recipient of the archives; null without an archive password. */
  recipient: string | null;
  /** Its identity, an age file encrypted with the archive password. */
  sealed_identity: Buffer | null;
  keep: number;
  /** Days; 0: no limit. */
  keep_days: number;
  /** Null while the schedule is off, or if an older version enabled it. */
  enabled_at: Millis | null;
  updated_at: Millis;
}

export interface BackupTable {
  backup_id: string;
  state: BackupState;
  file_name: string;
  /** Scheduled hour, `2026-03-29T03` in the server's time zone; null if a person requested the backup. */
  slot: string | null;
  has_password: Flag;
  attempts: number;
  /** Per cent. */
  progress: number | null;
  size: number | null;
  /** Hex; null before verification, and for archives of older versions. */
  sha256: string | null;
  /** Row counts of the scratch restore, as JSON. */
  counts: string | null;
  error_message: string | null;
  made_at: Millis | null;
  deleted_at: Millis | null;
  verified_at: Millis | null;
  created_at: Millis;
  updated_at: Millis;
}

/** The copy of a backup in the second target. */
export interface BackupCopyTable {
  backup_id: string;
  /** Folder, or URL prefix of the objects (`targetName`). */
  target: string;
  state: CopyState;
  attempts: number;
  /** Next attempt to copy or remove; null: none. */
  due_at: Millis | null;
  error_message: string | null;
  copied_at: Millis | null;
  deleted_at: Millis | null;
  created_at: Millis;
  updated_at: Millis;
}
