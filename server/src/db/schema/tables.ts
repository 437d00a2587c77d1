/** The tables of both databases: ids are lower-case UUIDs, times milliseconds since 1970, flags 0 or 1. */
import type {
  AttemptTable,
  CreatedRequestTable,
  InviteTable,
  MailOutboxTable,
  ProofNonceTable,
  SessionTable,
  SiteSettingTable,
  UserCertificateTable,
  UserDocumentTable,
  UserKeySlotTable,
  UserKeysetTable,
  UserTable,
} from './account-tables.ts';
import type {
  AuditChainTable,
  AuditLogTable,
  AuditPushTable,
  AuditUnsealedTable,
  LeaseTable,
  RefusalCountTable,
} from './audit-tables.ts';
import type { BackupCopyTable, BackupSettingTable, BackupTable } from './backup-tables.ts';
import type {
  EntrySearchTable,
  EntryTable,
  FieldHistoryTable,
  FieldRevisionTable,
  FieldTable,
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
  stored_sizes: StoredSizeTable;
  field_history: FieldHistoryTable;
  operations: OperationTable;
  staged_imports: StagedImportTable;
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
