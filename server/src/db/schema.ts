/**
 * The tables, neutral of the engine: ids are lower-case UUID text, times are milliseconds since 1970 as numbers, flags are 0 or 1, bytes are
 * Buffers. Columns marked in `crypto.md` §20 exist from day one.
 */
import type { Generated } from 'kysely';
import type { BackupState } from '@passwordbroker/core/contract/backups';
import type { HistoryEvent, OperationKind } from '@passwordbroker/core/contract/entities';
import type { FieldType, TotpAlgorithm } from '@passwordbroker/core/domain/field-kinds';
import type { Role } from '@passwordbroker/core/domain/policy';

type Flag = 0 | 1;
type Millis = number;

export interface Tables {
  users: UserTable;
  user_key_slots: UserKeySlotTable;
  user_keysets: UserKeysetTable;
  user_certificates: UserCertificateTable;
  user_documents: UserDocumentTable;
  sessions: SessionTable;
  invites: InviteTable;
  mail_outbox: MailOutboxTable;
  attempts: AttemptTable;
  proof_nonces: ProofNonceTable;
  created_requests: CreatedRequestTable;
  site_settings: SiteSettingTable;
  entry_groups: EntryGroupTable;
  group_members: GroupMemberTable;
  group_keys: GroupKeyTable;
  group_grants: GroupGrantTable;
  group_rosters: GroupRosterTable;
  entries: EntryTable;
  fields: FieldTable;
  field_revisions: FieldRevisionTable;
  field_history: FieldHistoryTable;
  operations: OperationTable;
  departures: DepartureTable;
  departure_secrets: DepartureSecretTable;
  audit_log: AuditLogTable;
  audit_chain: AuditChainTable;
  audit_unsealed: AuditUnsealedTable;
  audit_pushes: AuditPushTable;
  leases: LeaseTable;
  entry_search: EntrySearchTable;
  user_applications: UserApplicationTable;
  offline_copies: OfflineCopyTable;
  offline_releases: OfflineReleaseTable;
  entry_moves: EntryMoveTable;
  changed_groups: ChangedGroupTable;
  changed_entries: ChangedEntryTable;
  changed_access: ChangedAccessTable;
  change_floor: ChangeFloorTable;
  backup_settings: BackupSettingTable;
  backups: BackupTable;
}

interface UserTable {
  user_id: string;
  name: string;
  /** Folded for uniqueness without case; unique. */
  name_key: string;
  email: string;
  email_key: string;
  /** Argon2id PHC string of the account password. */
  password_hash: string;
  is_admin: Flag;
  /** 1 for the first user, null for all others; unique, so that exactly one sign-up can win (decision I1). */
  first_user: 1 | null;
  /** Raised to end all sessions and tokens at once (threats §3.1.16). */
  epoch: number;
  mp_exposed_at: Millis | null;
  must_rekey: Flag;
  server_crypto_opt_out: Flag;
  keyset_version: number;
  created_at: Millis;
  updated_at: Millis;
  /** Since when nobody can sign in to it; null while it is in use. */
  disabled_at: Millis | null;
}
interface UserKeySlotTable {
  slot_id: string;
  user_id: string;
  slot_type: 'password' | 'recovery';
  kdf: string;
  salt: Buffer;
  blob: Buffer;
  version: number;
  created_at: Millis;
}
interface UserKeysetTable {
  user_id: string;
  version: number;
  blob: Buffer;
  fpr: string;
}
interface UserCertificateTable {
  /** Outlives the account where it signed a group's newest roster. */
  user_id: string;
  /** Begins again at 1 after a reset of the keys. */
  keyset_version: number;
  ed25519: Buffer;
  rsa_spki: Buffer;
  fpr: string;
  prev_fpr: string;
  sig: Buffer;
  sig_prev: Buffer | null;
  created_at: Millis;
}
interface UserDocumentTable {
  user_id: string;
  name: string;
  n: number;
  blob: Buffer;
}
interface SessionTable {
  /** Public id, used in proofs; the secret is in the cookie, here only its SHA-256. */
  session_id: string;
  secret_hash: Buffer;
  kind: 'cookie' | 'token';
  user_id: string;
  epoch: number;
  /** Tokens only. */
  name: string | null;
  scopes: string | null;
  address: string;
  user_agent: string;
  created_at: Millis;
  last_seen_at: Millis;
  expires_at: Millis;
  /** Last time the account password was given (fresh sign-in). */
  confirmed_at: Millis;
}
interface InviteTable {
  invite_id: string;
  /** SHA-256 of what the link ends with. */
  token_hash: Buffer;
  email: string;
  email_key: string;
  /** The name that the inviter gave; null: free to choose. */
  username: string | null;
  invited_by: string | null;
  created_at: Millis;
  expires_at: Millis;
  accepted_at: Millis | null;
  revoked_at: Millis | null;
}
/** Written in the act's transaction, mailed after it. Never a link or another secret. */
interface MailOutboxTable {
  mail_id: string;
  notice: string;
  recipient: string;
  /** What the text needs, as JSON. */
  details: string;
  created_at: Millis;
  /** When it is tried next; later than now while somebody is at it. */
  due_at: Millis;
  attempts: number;
}
interface AttemptTable {
  /** e.g. `login:account:<email key>`, `login:address:<ip>`, `mp:<user_id>`. */
  key: string;
  failures: number;
  window_started_at: Millis;
  blocked_until: Millis;
}
interface ProofNonceTable {
  session_id: string;
  nonce: string;
  seen_at: Millis;
}
interface CreatedRequestTable {
  /** Id of the created thing. */
  id: string;
  user_id: string;
  /** SHA-256 of the sealed body: an identical repeat answers the stored resource. */
  digest: Buffer;
  created_at: Millis;
}
interface SiteSettingTable {
  name: string;
  value: string;
  updated_at: Millis;
}
interface EntryGroupTable {
  entry_group_id: string;
  parent_entry_group_id: string | null;
  /** Ids from the root to the group itself, joined by dots. */
  materialized_path: string;
  name: string;
  /** Folded (core `foldText`) for search. */
  name_folded: string;
  gk_version: number;
  origin: 'client' | 'server';
  rotation_due: Flag;
  roster_seq: number | null;
  created_by: string | null;
  created_at: Millis;
  updated_at: Millis;
  /** The operation that put it into the trash. */
  trashed_by: string | null;
}
interface GroupMemberTable {
  id: string;
  entry_group_id: string;
  user_id: string;
  role: Role;
  created_at: Millis;
  updated_at: Millis;
}
interface GroupKeyTable {
  entry_group_id: string;
  gk_version: number;
  gk_commit: Buffer;
  created_at: Millis;
}
interface GroupGrantTable {
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
interface GroupRosterTable {
  entry_group_id: string;
  seq: number;
  bytes: Buffer;
  sig: Buffer;
  signer: string;
  signer_fpr: string;
  created_at: Millis;
}
interface EntryTable {
  entry_id: string;
  entry_group_id: string;
  title: string;
  created_by: string | null;
  created_at: Millis;
  updated_at: Millis;
  trashed_by: string | null;
}
interface FieldTable {
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
  /** The present revision. */
  rev: number;
  created_by: string | null;
  updated_by: string | null;
  created_at: Millis;
  updated_at: Millis;
  trashed_by: string | null;
}
interface FieldRevisionTable {
  field_id: string;
  rev: number;
  crypto_profile: 'pb1';
  gk_version: number;
  cek_wrapped: Buffer;
  value: Buffer;
  /** Name of the sealed file body; several revisions may name one body. */
  body_sha256: string | null;
  body_size: number | null;
  /** Plain columns as of this revision, for the history. */
  title: string;
  login: string | null;
  totp_hash_algorithm: TotpAlgorithm | null;
  totp_timeout: number | null;
  file_name: string | null;
  file_mime: string | null;
  file_size: number | null;
  /** Reserved for an author's signature. */
  author_sig: Buffer | null;
  created_by: string | null;
  created_at: Millis;
}
interface FieldHistoryTable {
  /** UUID version 7: the order of the ids is the order of the rows. */
  field_edit_log_id: string;
  field_id: string;
  event_type: HistoryEvent;
  rev: number | null;
  user_id: string | null;
  created_at: Millis;
}
interface OperationTable {
  operation_id: string;
  kind: OperationKind;
  user_id: string | null;
  /** Topmost thing the act was about. */
  target_kind: 'entry_group' | 'entry' | 'field';
  target_id: string;
  title: string;
  /** The group it belonged to: that of entries and fields, the parent of a group; null at the root. */
  entry_group_id: string | null;
  /** What an undo needs to know, as JSON (`operations/journal.ts`). */
  detail: string;
  entry_groups: number;
  entries: number;
  fields: number;
  created_at: Millis;
  undo_until: Millis | null;
  undone_at: Millis | null;
}
/** Somebody who is no member of a group any more. Outlives the account. */
interface DepartureTable {
  departure_id: string;
  entry_group_id: string;
  user_id: string;
  /** Name as it was when he left. */
  user_name: string;
  cause: 'removed' | 'deleted' | 'reset';
  left_at: Millis;
}
/** A secret that he knew then, by the newest revision that he had before his eyes. */
interface DepartureSecretTable {
  departure_id: string;
  field_id: string;
  rev: number;
  opened_at: Millis;
  how: 'revealed' | 'offline' | 'written';
  /** Of those that had it offline, the one that was registered last. */
  user_application_id: string | null;
}
interface AuditLogTable {
  audit_id: string;
  created_at: Millis;
  event_type: string;
  user_id: string | null;
  login: string | null;
  target_type: string | null;
  target_id: string | null;
  address: string | null;
  agent_hash: string | null;
  details: string | null;
}
/** The link of one row of the log (`audit/chain-link.ts`). */
interface AuditChainTable {
  /** 1, 2, 3 … without a gap. */
  seq: number;
  audit_id: string;
  /** Hash of the link before. */
  prev: Buffer;
  hash: Buffer;
}
/** Rows without a link: written by a trigger with the row, removed with the seal. */
interface AuditUnsealedTable {
  audit_id: string;
}
interface AuditPushTable {
  receiver: 'syslog' | 'webhook';
  /** Newest link that it has. */
  seq: number;
}
/** Who does what only one process may do at a time (`platform/lease.ts`). */
interface LeaseTable {
  name: string;
  /** Null while nobody holds it. */
  owner: string | null;
  /** Rises with every sign of life and every change of hands. */
  heartbeat: number;
  /** When the work is due next. */
  due_at: Millis;
}
/** One row a living entry: all that search looks at in one place, texts folded (core `foldText`). */
interface EntrySearchTable {
  id: Generated<number>;
  entry_id: string;
  entry_group_id: string;
  updated_at: Millis;
  title_folded: string;
  /** Titles, logins and file names of its living fields, a line each. */
  names_folded: string;
  logins_folded: string;
  files_folded: string;
  /** Name of its group. */
  group_folded: string;
}
/** One browser or device of one person. */
interface UserApplicationTable {
  user_application_id: string;
  user_id: string;
  client_id: string;
  is_offline: Flag;
  copy_fetched_at: Millis | null;
  /** What the keys were that it has fetched (`offline/key-part.ts`); null: none. */
  key_state: string | null;
  key_fetched_at: Millis | null;
  created_at: Millis;
  updated_at: Millis;
}
/** An answer that can be continued: its id is the cursor that the client has. */
interface OfflineCopyTable {
  copy_id: string;
  user_id: string;
  user_application_id: string | null;
  /** Whatever has a stamp below is in the copy (`db/change-stamp.ts`), or is nothing to it. */
  stamp: number;
  /** Made, or confirmed. */
  created_at: Millis;
}
/** One row, with `id` 1: a stamp that no copy was below at that time. */
interface ChangeFloorTable {
  id: 1;
  stamp: number;
  noted_at: Millis;
}
/** From when until when an application was given what lay in a group. Outlives the application, not the membership. */
interface OfflineReleaseTable {
  user_id: string;
  entry_group_id: string;
  /** Empty: downloaded without one. */
  user_application_id: string;
  first_at: Millis;
  last_at: Millis;
}
/** Where an entry was before. */
interface EntryMoveTable {
  entry_id: string;
  left_at: Millis;
  /** 0: it was made there. */
  arrived_at: Millis;
  entry_group_id: string;
}
/** Written by triggers alone; one row a group. */
interface ChangedGroupTable {
  entry_group_id: string;
  /** Anything but its entries. */
  head_stamp: number;
  /** What a tree shows of it. */
  tree_stamp: number;
  /** Made, deleted, restored: all of it. */
  whole_stamp: number;
}
/** Written by triggers alone: entries that changed, with their fields, or that went from the group. */
interface ChangedEntryTable {
  entry_group_id: string;
  entry_id: string;
  stamp: number;
}
/** Written by triggers alone: a person's role and grants in a group. */
interface ChangedAccessTable {
  user_id: string;
  entry_group_id: string;
  stamp: number;
  /** Became a member, or is none any more. */
  whole_stamp: number;
}
/** One row, with `id` 1. */
interface BackupSettingTable {
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
  updated_at: Millis;
}
interface BackupTable {
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
  /** What the scratch restore counted, as JSON. */
  counts: string | null;
  error_message: string | null;
  made_at: Millis | null;
  deleted_at: Millis | null;
  verified_at: Millis | null;
  created_at: Millis;
  updated_at: Millis;
}
