import type { Role } from '@passwordbroker/core/domain/policy';
import type { Flag, Millis } from './columns.ts';

export interface EntryGroupTable {
  entry_group_id: string;
  parent_entry_group_id: string | null;
  /** Ids from the root, joined by dots. */
  materialized_path: string;
  name: string;
  /** Core `foldText`. */
  name_folded: string;
  gk_version: number;
  origin: 'client' | 'server';
  rotation_due: Flag;
  roster_seq: number | null;
  created_by: string | null;
  created_at: Millis;
  updated_at: Millis;
  /** An operation. */
  trashed_by: string | null;
}

export interface GroupMemberTable {
  id: string;
  entry_group_id: string;
  user_id: string;
  role: Role;
  created_at: Millis;
  updated_at: Millis;
}

export interface GroupKeyTable {
  entry_group_id: string;
  gk_version: number;
  gk_commit: Buffer;
  created_at: Millis;
}

export interface GroupGrantTable {
  entry_group_id: string;
  gk_version: number;
  user_id: string;
  alg: string;
  wrapped: Buffer;
  role: Role;
  recipient_fpr: string;
  granted_by: string | null;
  created_at: Millis;
}

export interface GroupRosterTable {
  entry_group_id: string;
  seq: number;
  bytes: Buffer;
  sig: Buffer;
  signer: string;
  signer_fpr: string;
  created_at: Millis;
  /** 32 bytes (ADR 22). */
  proof: Buffer | null;
  proof_prev: Buffer | null;
}

/** Kinds of entries that admins of the group added. */
export interface GroupTemplateTable {
  template_id: string;
  entry_group_id: string;
  name: string;
  icon: string | null;
  /** JSON: type, title and name of the login of each field, without values. */
  fields: string;
}

/** A former member; outlives the account. */
export interface DepartureTable {
  departure_id: string;
  entry_group_id: string;
  user_id: string;
  /** When leaving. */
  user_name: string;
  cause: 'removed' | 'deleted' | 'reset';
  /** Null in rows from before roles were recorded. */
  role: Role | null;
  left_at: Millis;
}

/** A secret that the person knew, in the newest revision they had seen. */
export interface DepartureSecretTable {
  departure_id: string;
  field_id: string;
  rev: number;
  opened_at: Millis;
  how: 'revealed' | 'offline' | 'written';
  /** The last application that had it offline. */
  user_application_id: string | null;
}
