/** Backups: their settings and the list of them. */
import type { BackupState, CopyState } from '@passwordbroker/core/contract/backups';
import type { Flag, Millis } from './columns.ts';

/** One row, with `id` 1. */
export interface BackupSettingTable {
  id: 1;
  /** Hours of the server's zone as a JSON list. */
  schedule: string;
  enabled: Flag;
  email_enabled: Flag;
  email: string | null;
  /** age recipient that archives are encrypted to; null without an archive password. */
  recipient: string | null;
  /** Its identity, an age file under the archive password. */
  sealed_identity: Buffer | null;
  keep: number;
  /** 0: archives are not removed for their age. */
  keep_days: number;
  /** Since when the schedule is enabled; null while it is off, and where it was enabled by an older version. */
  enabled_at: Millis | null;
  updated_at: Millis;
}

export interface BackupTable {
  backup_id: string;
  state: BackupState;
  file_name: string;
  /** The scheduled hour it is for, `2026-03-29T03` in the server's zone; null when somebody asked for it. */
  slot: string | null;
  has_password: Flag;
  /** How often it was begun. */
  attempts: number;
  /** Per cent. */
  progress: number | null;
  size: number | null;
  /** Hex SHA-256 of the archive that was proven; null before, and for archives of older versions. */
  sha256: string | null;
  /** What the scratch restore counted, as JSON. */
  counts: string | null;
  error_message: string | null;
  made_at: Millis | null;
  deleted_at: Millis | null;
  verified_at: Millis | null;
  created_at: Millis;
  updated_at: Millis;
}

/** The copy of one backup in a second target. */
export interface BackupCopyTable {
  backup_id: string;
  /** Where it is: the path of a folder, or the URL that the keys of the store begin with. */
  target: string;
  state: CopyState;
  /** How often it was begun. */
  attempts: number;
  /** When it is tried next, or its removal is; null: not again. */
  due_at: Millis | null;
  error_message: string | null;
  copied_at: Millis | null;
  deleted_at: Millis | null;
  created_at: Millis;
  updated_at: Millis;
}
