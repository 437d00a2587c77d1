import type { Generated } from 'kysely';
import type { Purpose, Via } from '@passwordbroker/core/contract/faces';
import type { HistoryEvent, OperationKind } from '@passwordbroker/core/contract/entities';
import type { DueKind } from '@passwordbroker/core/domain/entry-marks';
import type { ExportFormat } from '@passwordbroker/core/domain/exchange/export-formats';
import type { FieldType, TotpAlgorithm } from '@passwordbroker/core/domain/fields/field-kinds';
import type { Flag, Millis } from './columns.ts';

export interface EntryTable {
  entry_id: string;
  entry_group_id: string;
  title: string;
  /** One a line, by key (core `tagKey`). */
  tags: string | null;
  icon: string | null;
  /** Beginning of a day in UTC. */
  due_at: Millis | null;
  due_kind: DueKind | null;
  rotate_days: number | null;
  created_by: string | null;
  created_at: Millis;
  updated_at: Millis;
  trashed_by: string | null;
}

/** Index of `entries.tags`, also of entries in the trash. */
export interface EntryTagTable {
  entry_id: string;
  tag_key: string;
  tag: string;
}

export interface FieldTable {
  field_id: string;
  entry_id: string;
  type: FieldType;
  title: string;
  login: string | null;
  totp_hash_algorithm: TotpAlgorithm | null;
  totp_timeout: number | null;
  file_name: string | null;
  file_mime: string | null;
  file_size: number | null;
  rev: number;
  created_by: string | null;
  updated_by: string | null;
  created_at: Millis;
  updated_at: Millis;
  trashed_by: string | null;
}

export interface FieldRevisionTable {
  field_id: string;
  rev: number;
  crypto_profile: 'pb1';
  gk_version: number;
  cek_wrapped: Buffer;
  value: Buffer;
  /** Names the sealed file; revisions may share one. */
  body_sha256: string | null;
  body_size: number | null;
  /** As of this revision. */
  title: string;
  login: string | null;
  totp_hash_algorithm: TotpAlgorithm | null;
  totp_timeout: number | null;
  file_name: string | null;
  file_mime: string | null;
  file_size: number | null;
  /** Site rules of a link; null before they were made, and for other types. */
  site: Buffer | null;
  /** Reserved. */
  author_sig: Buffer | null;
  created_by: string | null;
  created_at: Millis;
}

/** Written by triggers; small revisions have no row. */
export interface StoredSizeTable {
  field_id: string;
  rev: number;
  user_id: string | null;
  bytes: number;
}

export interface FieldHistoryTable {
  /** UUID version 7: sorts by creation. */
  field_edit_log_id: string;
  field_id: string;
  event_type: HistoryEvent;
  rev: number | null;
  user_id: string | null;
  /** Why it was opened. Null for events other than `decrypted`, and in old rows. */
  purpose?: Purpose | null;
  /** Of an export: its format; of `run`: the program that got the value. */
  label?: string | null;
  /** The program, as it said itself. Null for old rows. */
  via?: Via | null;
  created_at: Millis;
}

/** Ends an hour after its last call. */
export interface ExportTable {
  export_id: string;
  user_id: string;
  format: ExportFormat;
  state: 'open' | 'done' | 'cancelled' | 'expired';
  /** JSON of the response. */
  counts: string;
  released: number;
  created_at: Millis;
  called_at: Millis;
}

/** An import that arrives in several requests. */
export interface ImportTable {
  import_id: string;
  user_id: string;
  /** How many parts are announced. */
  parts: number;
  /** Announced size of all parts. */
  bytes: number;
  /** Set once it is stored. */
  operation_id: string | null;
  /** While a request stores it. */
  storing_at: Millis | null;
  created_at: Millis;
  called_at: Millis;
}

/** What a request of it contained: the JSON 'batch', or a sealed file by its part name. */
export interface ImportPartTable {
  import_id: string;
  /** From 1. */
  part: number;
  name: string;
  body_sha256: string;
  size: number;
}

/** What an export contains: rows of groups (without entry and field), of entries (without field) and of values. */
export interface ExportValueTable {
  export_id: string;
  /** From 1. */
  position: number;
  entry_group_id: string;
  /** Empty: none. */
  entry_id: string;
  field_id: string;
  rev: number;
  released_at: Millis | null;
}

export interface OperationTable {
  operation_id: string;
  kind: OperationKind;
  user_id: string | null;
  /** Topmost object. */
  target_kind: 'entry_group' | 'entry' | 'field';
  target_id: string;
  title: string;
  /** Of entries and fields; the parent of a group, null at the root. */
  entry_group_id: string | null;
  /** For the undo (`operations/journal.ts`). */
  detail: string;
  entry_groups: number;
  entries: number;
  fields: number;
  created_at: Millis;
  undo_until: Millis | null;
  undone_at: Millis | null;
}

/** What an import wrote into existing groups: topmost groups, entries, fields of existing entries, revisions. */
export interface ImportedRowTable {
  operation_id: string;
  kind: 'entry_group' | 'entry' | 'field' | 'revision';
  id: string;
  /** Of a revision, whose id is its field's. */
  rev: number | null;
}

/** Its groups have no members and are in its operation's trash (ADR 16). */
export interface StagedImportTable {
  operation_id: string;
  written_rows: number;
  /** Its rows are being removed. */
  is_dropped: Flag;
}

/** Entries outside the trash, with folded texts (core `foldText`). */
export interface EntrySearchTable {
  id: Generated<number>;
  entry_id: string;
  entry_group_id: string;
  updated_at: Millis;
  title_folded: string;
  /** One line per field outside the trash. */
  names_folded: string;
  logins_folded: string;
  files_folded: string;
  group_folded: string;
}
