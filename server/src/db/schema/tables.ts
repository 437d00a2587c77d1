/** Ids are lower-case UUIDs, times milliseconds since 1970, flags 0 or 1. */
import type {
  AttemptTable,
  CreatedRequestTable,
  IdentityProviderTable,
  InviteGroupTable,
  InviteTable,
  MailOutboxTable,
  NoticeSettingTable,
  NoticeTable,
  ProofNonceTable,
  RememberedBrowserTable,
  ServiceAccountTable,
  ServiceCredentialTable,
  SessionTable,
  SignInTicketTable,
  SiteSettingTable,
  SsoUsedOnceTable,
  UserCertificateTable,
  UserDocumentTable,
  UserKeySlotTable,
  UserKeysetTable,
  UserRecoveryCodeTable,
  UserSsoLinkTable,
  UserTable,
  UserTotpTable,
} from './account-tables.ts';
import type {
  EntrySearchTable,
  EntryTagTable,
  EntryTable,
  ExportTable,
  ExportValueTable,
  FieldHistoryTable,
  FieldRevisionTable,
  FieldTable,
  ImportedRowTable,
  ImportPartTable,
  ImportTable,
  OperationTable,
  StagedImportTable,
  StoredSizeTable,
} from './entry-tables.ts';
import type {
  DepartureSecretTable,
  DepartureTable,
  EntryGroupTable,
  GroupGrantTable,
  GroupKeyTable,
  GroupMemberTable,
  GroupRosterTable,
  GroupTemplateTable,
} from './group-tables.ts';
import type {
  ChangeFloorTable,
  ChangedAccessTable,
  ChangedEntryTable,
  ChangedGroupTable,
  EntryMoveTable,
  OfflineCopyTable,
  OfflineReleaseTable,
  UserApplicationTable,
} from './offline-tables.ts';
import type { Millis, Flag } from './columns.ts';
import type { BackupState, CopyState } from '@passwordbroker/core/contract/site/backups';

export interface Tables {
  users: UserTable;
  user_key_slots: UserKeySlotTable;
  user_keysets: UserKeysetTable;
  user_certificates: UserCertificateTable;
  user_documents: UserDocumentTable;
  user_totp: UserTotpTable;
  user_recovery_codes: UserRecoveryCodeTable;
  remembered_browsers: RememberedBrowserTable;
  sign_in_tickets: SignInTicketTable;
  user_passkeys: UserPasskeyTable;
  user_prf_slots: UserPrfSlotTable;
  used_challenges: UsedChallengeTable;
  user_sso_links: UserSsoLinkTable;
  identity_providers: IdentityProviderTable;
  sso_used_once: SsoUsedOnceTable;
  sessions: SessionTable;
  service_accounts: ServiceAccountTable;
  service_credentials: ServiceCredentialTable;
  invites: InviteTable;
  invite_groups: InviteGroupTable;
  mail_outbox: MailOutboxTable;
  notices: NoticeTable;
  notice_settings: NoticeSettingTable;
  attempts: AttemptTable;
  proof_nonces: ProofNonceTable;
  created_requests: CreatedRequestTable;
  site_settings: SiteSettingTable;
  entry_groups: EntryGroupTable;
  group_members: GroupMemberTable;
  group_keys: GroupKeyTable;
  group_grants: GroupGrantTable;
  group_rosters: GroupRosterTable;
  group_templates: GroupTemplateTable;
  entries: EntryTable;
  entry_tags: EntryTagTable;
  fields: FieldTable;
  field_revisions: FieldRevisionTable;
  stored_sizes: StoredSizeTable;
  field_history: FieldHistoryTable;
  exports: ExportTable;
  imports: ImportTable;
  import_parts: ImportPartTable;
  export_values: ExportValueTable;
  operations: OperationTable;
  staged_imports: StagedImportTable;
  imported_rows: ImportedRowTable;
  departures: DepartureTable;
  departure_secrets: DepartureSecretTable;
  audit_log: AuditLogTable;
  audit_chain: AuditChainTable;
  audit_unsealed: AuditUnsealedTable;
  audit_pushes: AuditPushTable;
  refusal_counts: RefusalCountTable;
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
  backup_copies: BackupCopyTable;
}

interface UserPasskeyTable {
  passkey_id: string;
  user_id: string;
  credential_id: Buffer;
  /** The host that the passkey works on, which may be a former host of the site. */
  rp_id: string;
  /** Last byte of the user handle. 0: second factor and sign-in; 1: opening the vault only. */
  handle: Flag;
  /** COSE key. */
  public_key: Buffer;
  counter: number;
  /** Separated by spaces. */
  transports: string;
  aaguid: string;
  backed_up: Flag;
  has_prf: Flag;
  name: string;
  for_factor: Flag;
  for_sign_in: Flag;
  created_at: Millis;
  created_address: string;
  created_agent: string;
  last_used_at: Millis | null;
}

/** The user key, wrapped for a passkey (docs/spec/crypto.md §6). */
interface UserPrfSlotTable {
  slot_id: string;
  passkey_id: string;
  user_id: string;
  kdf: string;
  salt: Buffer;
  blob: Buffer;
  version: number;
  created_at: Millis;
}

/** Answered challenges, until they expire: each works once. */
interface UsedChallengeTable {
  challenge_hash: Buffer;
  expires_at: Millis;
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

/** Chain link of an audit row (`audit/chain/links-and-checkpoints.ts`). */
interface AuditChainTable {
  /** From 1, without gaps. */
  seq: number;
  audit_id: string;
  prev: Buffer;
  hash: Buffer;
}

/** A trigger inserts, the sealer removes rows. */
interface AuditUnsealedTable {
  audit_id: string;
}

interface AuditPushTable {
  receiver: 'syslog' | 'webhook';
  /** Newest link received. */
  seq: number;
}

/** Repeats until logged (`audit/refusals.ts`). */
interface RefusalCountTable {
  user_id: string;
  /** Path template: `/groups/:g`. */
  route: string;
  method: string;
  code: string;
  login: string;
  /** Of the last refusal. */
  address: string;
  agent_hash: string | null;
  first_at: Millis;
  last_at: Millis;
  repeats: number;
}

/** Jobs that only one process may run (`platform/leases/`). */
interface LeaseTable {
  name: string;
  /** Process, or null. */
  owner: string | null;
  /** Increases with every renewal and new owner. */
  heartbeat: number;
  due_at: Millis;
}

/** One row. */
interface BackupSettingTable {
  id: 1;
  /** Hours in the server's time zone (JSON list). */
  schedule: string;
  enabled: Flag;
  email_enabled: Flag;
  email: string | null;
  /** age recipient; null without an archive password. */
  recipient: string | null;
  /** Encrypted with the archive password (age). */
  sealed_identity: Buffer | null;
  keep: number;
  /** Days; 0: no limit. */
  keep_days: number;
  /** Null while off, or enabled by an older version. */
  enabled_at: Millis | null;
  updated_at: Millis;
}

interface BackupTable {
  backup_id: string;
  state: BackupState;
  file_name: string;
  /** `2026-03-29T03` in the server's time zone; null for manual backups. */
  slot: string | null;
  has_password: Flag;
  attempts: number;
  /** Per cent. */
  progress: number | null;
  size: number | null;
  /** Hex; null before verification. */
  sha256: string | null;
  /** Row counts of the scratch restore (JSON). */
  counts: string | null;
  error_message: string | null;
  made_at: Millis | null;
  deleted_at: Millis | null;
  verified_at: Millis | null;
  created_at: Millis;
  updated_at: Millis;
}

/** In the second target. */
interface BackupCopyTable {
  backup_id: string;
  /** Folder or URL prefix (`targetName`). */
  target: string;
  state: CopyState;
  attempts: number;
  /** Next copy or removal; null: none. */
  due_at: Millis | null;
  error_message: string | null;
  copied_at: Millis | null;
  deleted_at: Millis | null;
  created_at: Millis;
  updated_at: Millis;
}
