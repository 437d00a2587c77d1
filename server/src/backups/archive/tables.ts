/** Rows follow the rows that they reference. */
import type { Tables } from '../../db/schema/tables.ts';

export type TableName = keyof Tables;

interface BackedUpTable<Name extends TableName = TableName> {
  readonly table: Name;
  /** Unique; rows are read in its order. */
  readonly key: readonly (keyof Tables[Name] & string)[];
  /** Rows per query; few where a row may hold a megabyte. */
  readonly page: number;
}

const SMALL_ROWS = 500;
const LARGE_ROWS = 24;

function backedUp<Name extends TableName>(
  table: Name,
  key: readonly (keyof Tables[Name] & string)[],
  page = SMALL_ROWS,
): BackedUpTable {
  return { table, key: key as BackedUpTable['key'], page };
}

export const BACKED_UP: readonly BackedUpTable[] = [
  backedUp('site_settings', ['name']),
  backedUp('backup_settings', ['id']),
  backedUp('users', ['user_id']),
  backedUp('user_key_slots', ['slot_id']),
  backedUp('service_accounts', ['user_id']),
  backedUp('service_credentials', ['slot_id']),
  backedUp('user_keysets', ['user_id'], LARGE_ROWS),
  backedUp('user_certificates', ['fpr']),
  backedUp('user_documents', ['user_id', 'name'], LARGE_ROWS),
  backedUp('user_totp', ['totp_id']),
  backedUp('user_recovery_codes', ['user_id', 'code_hash']),
  backedUp('user_passkeys', ['passkey_id']),
  backedUp('user_prf_slots', ['slot_id']),
  backedUp('user_sso_links', ['link_id']),
  backedUp('identity_providers', ['provider_id']),
  backedUp('notices', ['notice_id']),
  backedUp('notice_settings', ['user_id']),
  backedUp('invites', ['invite_id']),
  backedUp('invite_groups', ['invite_id', 'entry_group_id']),
  backedUp('created_requests', ['id']),
  backedUp('operations', ['operation_id']),
  backedUp('imported_rows', ['operation_id', 'kind', 'id']),
  // A parent's path is a prefix of its child's path.
  backedUp('entry_groups', ['materialized_path']),
  backedUp('group_members', ['id']),
  backedUp('group_keys', ['entry_group_id', 'gk_version']),
  backedUp('group_grants', ['entry_group_id', 'gk_version', 'user_id']),
  backedUp('group_rosters', ['entry_group_id', 'seq'], LARGE_ROWS),
  backedUp('group_templates', ['template_id']),
  backedUp('entries', ['entry_id']),
  backedUp('entry_tags', ['entry_id', 'tag_key']),
  backedUp('fields', ['field_id']),
  backedUp('field_revisions', ['field_id', 'rev'], LARGE_ROWS),
  backedUp('field_history', ['field_edit_log_id']),
  backedUp('entry_moves', ['entry_id', 'left_at', 'entry_group_id']),
  backedUp('user_applications', ['user_application_id']),
  // What people have seen stays true after a recovery.
  backedUp('offline_releases', ['user_id', 'entry_group_id', 'user_application_id']),
  backedUp('departures', ['departure_id']),
  backedUp('departure_secrets', ['departure_id', 'field_id']),
  backedUp('audit_log', ['audit_id']),
  backedUp('audit_chain', ['seq']),
  backedUp('refusal_counts', ['user_id', 'route', 'method', 'code']),
];

/** Void after a recovery, specific to this installation, or rebuilt. */
export const LEFT_OUT: readonly string[] = [
  'sessions',
  'proof_nonces',
  'remembered_browsers',
  'sign_in_tickets',
  'used_challenges',
  'sso_used_once',
  'attempts',
  'mail_outbox',
  'leases',
  'audit_pushes',
  'audit_unsealed',
  'entry_search',
  'staged_imports',
  'imports',
  'import_parts',
  'exports',
  'export_values',
  'stored_sizes',
  'backups',
  'backup_copies',
  'offline_copies',
  'changed_groups',
  'changed_entries',
  'changed_access',
  'change_clock',
  'change_floor',
  // Stored as entries.
  'bodies',
  'body_parts',
];
