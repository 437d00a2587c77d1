import type { Migration } from '../migrate.ts';

const people = [
  `create table users (
    user_id text primary key,
    name text not null,
    name_key text not null unique,
    email text not null,
    email_key text not null unique,
    password_hash text not null,
    is_admin INT not null check (is_admin in (0, 1)),
    first_user INT unique check (first_user = 1),
    epoch INT not null,
    mp_exposed_at INT,
    must_rekey INT not null check (must_rekey in (0, 1)),
    server_crypto_opt_out INT not null check (server_crypto_opt_out in (0, 1)),
    keyset_version INT not null,
    created_at INT not null,
    updated_at INT not null
  )`,
  `create table user_key_slots (
    slot_id text primary key,
    user_id text not null references users (user_id) on delete cascade,
    slot_type text not null check (slot_type in ('password', 'recovery')),
    kdf text not null,
    salt BYTES not null,
    blob BYTES not null,
    version INT not null,
    created_at INT not null,
    unique (user_id, slot_type)
  )`,
  `create table user_keysets (
    user_id text primary key references users (user_id) on delete cascade,
    version INT not null,
    blob BYTES not null,
    fpr text not null
  )`,
  // No reference: a certificate that signed a group's newest roster outlives its account (docs/spec/crypto.md
  // §20).
  `create table user_certificates (
    user_id text not null,
    keyset_version INT not null,
    ed25519 BYTES not null,
    rsa_spki BYTES not null,
    fpr text not null unique,
    prev_fpr text not null,
    sig BYTES not null,
    sig_prev BYTES,
    created_at INT not null,
    primary key (user_id, keyset_version)
  )`,
  `create table user_documents (
    user_id text not null references users (user_id) on delete cascade,
    name text not null,
    n INT not null,
    blob BYTES not null,
    primary key (user_id, name)
  )`,
  `create table sessions (
    session_id text primary key,
    secret_hash BYTES not null unique,
    kind text not null check (kind in ('cookie', 'token')),
    user_id text not null references users (user_id) on delete cascade,
    epoch INT not null,
    name text,
    scopes text,
    address text not null,
    user_agent text not null,
    created_at INT not null,
    last_seen_at INT not null,
    expires_at INT not null,
    confirmed_at INT not null
  )`,
  'create index sessions_of_user on sessions (user_id)',
  'create index sessions_by_expiry on sessions (expires_at)',
  `create table attempts (
    key text primary key,
    failures INT not null,
    window_started_at INT not null,
    blocked_until INT not null
  )`,
  'create index attempts_by_window on attempts (window_started_at)',
  `create table proof_nonces (
    session_id text not null references sessions (session_id) on delete cascade,
    nonce text not null,
    seen_at INT not null,
    primary key (session_id, nonce)
  )`,
  'create index proof_nonces_by_time on proof_nonces (seen_at)',
  `create table created_requests (
    id text primary key,
    user_id text not null,
    digest BYTES not null,
    created_at INT not null
  )`,
  `create table site_settings (
    name text primary key,
    value text not null,
    updated_at INT not null
  )`,
];

const groups = [
  `create table operations (
    operation_id text primary key,
    kind text not null check (kind in ('delete', 'restore', 'import', 'move', 'rename')),
    user_id text,
    target_kind text not null check (target_kind in ('entry_group', 'entry', 'field')),
    target_id text not null,
    title text not null,
    entry_group_id text,
    detail text not null,
    entry_groups INT not null,
    entries INT not null,
    fields INT not null,
    created_at INT not null,
    undo_until INT,
    undone_at INT
  )`,
  'create index operations_of_user on operations (user_id, operation_id)',
  'create index operations_by_time on operations (undo_until) where undone_at is null',
  'create index operations_of_target on operations (target_id)',
  `create table entry_groups (
    entry_group_id text primary key,
    parent_entry_group_id text references entry_groups (entry_group_id),
    materialized_path text not null unique,
    name text not null,
    name_folded text not null,
    gk_version INT not null,
    origin text not null check (origin in ('client', 'server')),
    rotation_due INT not null check (rotation_due in (0, 1)),
    roster_seq INT,
    created_by text,
    created_at INT not null,
    updated_at INT not null,
    trashed_by text references operations (operation_id)
  )`,
  'create index entry_groups_of_parent on entry_groups (parent_entry_group_id)',
  'create index entry_groups_trashed on entry_groups (trashed_by) where trashed_by is not null',
  `create table group_members (
    id text primary key,
    entry_group_id text not null references entry_groups (entry_group_id) on delete cascade,
    user_id text not null references users (user_id) on delete cascade,
    role text not null check (role in ('admin', 'moderator', 'member')),
    created_at INT not null,
    updated_at INT not null,
    unique (entry_group_id, user_id)
  )`,
  'create index group_members_of_user on group_members (user_id, entry_group_id, role)',
  `create table group_keys (
    entry_group_id text not null references entry_groups (entry_group_id) on delete cascade,
    gk_version INT not null,
    gk_commit BYTES not null,
    created_at INT not null,
    primary key (entry_group_id, gk_version)
  )`,
  `create table group_grants (
    entry_group_id text not null references entry_groups (entry_group_id) on delete cascade,
    gk_version INT not null,
    user_id text not null references users (user_id) on delete cascade,
    alg text not null,
    wrapped BYTES not null,
    role text not null check (role in ('admin', 'moderator', 'member')),
    recipient_fpr text not null,
    granted_by text,
    created_at INT not null,
    primary key (entry_group_id, gk_version, user_id)
  )`,
  'create index group_grants_of_user on group_grants (user_id)',
  // No reference: rosters outlive the signer's account.
  `create table group_rosters (
    entry_group_id text not null references entry_groups (entry_group_id) on delete cascade,
    seq INT not null,
    bytes BYTES not null,
    sig BYTES not null,
    signer text not null,
    signer_fpr text not null,
    created_at INT not null,
    primary key (entry_group_id, seq)
  )`,
  'create index group_rosters_by_signer on group_rosters (signer)',
];

const totpColumns = `
    totp_hash_algorithm text,
    totp_timeout INT,
    file_name text,
    file_mime text,
    file_size INT`;

const secrets = [
  `create table entries (
    entry_id text primary key,
    entry_group_id text not null references entry_groups (entry_group_id),
    title text not null,
    created_by text,
    created_at INT not null,
    updated_at INT not null,
    trashed_by text references operations (operation_id)
  )`,
  'create index entries_of_group on entries (entry_group_id)',
  'create index entries_by_update on entries (updated_at, entry_id)',
  'create index entries_trashed on entries (trashed_by) where trashed_by is not null',
  `create table fields (
    field_id text primary key,
    entry_id text not null references entries (entry_id),
    type text not null check (type in ('password', 'link', 'note', 'file', 'TOTP')),
    title text not null,
    login text,${totpColumns},
    rev INT not null,
    created_by text,
    updated_by text,
    created_at INT not null,
    updated_at INT not null,
    trashed_by text references operations (operation_id)
  )`,
  'create index fields_of_entry on fields (entry_id)',
  'create index fields_trashed on fields (trashed_by) where trashed_by is not null',
  `create table field_revisions (
    field_id text not null references fields (field_id),
    rev INT not null,
    crypto_profile text not null check (crypto_profile = 'pb1'),
    gk_version INT not null,
    cek_wrapped BYTES not null,
    value BYTES not null,
    body_sha256 text,
    body_size INT,
    title text not null,
    login text,${totpColumns},
    author_sig BYTES,
    created_by text,
    created_at INT not null,
    primary key (field_id, rev)
  )`,
  'create index field_revisions_of_body on field_revisions (body_sha256) where body_sha256 is not null',
  `create table field_history (
    field_edit_log_id text primary key,
    field_id text not null references fields (field_id),
    event_type text not null check (event_type in ('created', 'updated', 'decrypted', 'moved', 'trashed', 'restored')),
    rev INT,
    user_id text,
    created_at INT not null
  )`,
  'create index field_history_of_field on field_history (field_id, field_edit_log_id)',
];

const FOLDED = ['title_folded', 'names_folded', 'logins_folded', 'files_folded', 'group_folded'];
const folded = FOLDED.join(', ');
const foldedOf = (row: string) => FOLDED.map((column) => `${row}.${column}`).join(', ');

const entrySearch = (id: string, integer: string) => `create table entry_search (
    id ${id},
    entry_id text not null unique references entries (entry_id) on delete cascade,
    entry_group_id text not null references entry_groups (entry_group_id) on delete cascade,
    updated_at ${integer} not null,
    ${FOLDED.map((column) => `${column} text not null`).join(', ')}
  )`;
const entrySearchOfGroup = 'create index entry_search_of_group on entry_search (entry_group_id)';

const addToTrigrams = `insert into entry_search_trigrams (rowid, ${folded}) values (new.id, ${foldedOf('new')});`;
const takeFromTrigrams = `insert into entry_search_trigrams (entry_search_trigrams, rowid, ${folded})
    values ('delete', old.id, ${foldedOf('old')});`;

/** Indexes texts that are already folded. */
const searchIndex = [
  `create virtual table entry_search_trigrams using fts5(
    ${folded}, content = 'entry_search', content_rowid = 'id', tokenize = 'trigram case_sensitive 1'
  )`,
  `create trigger entry_search_added after insert on entry_search begin ${addToTrigrams} end`,
  `create trigger entry_search_removed after delete on entry_search begin ${takeFromTrigrams} end`,
  `create trigger entry_search_changed after update of ${folded} on entry_search
    when (${foldedOf('new')}) <> (${foldedOf('old')})
    begin ${takeFromTrigrams} ${addToTrigrams} end`,
];

const audit = [
  `create table audit_log (
    audit_id text primary key,
    created_at INT not null,
    event_type text not null,
    user_id text,
    login text,
    target_type text,
    target_id text,
    address text,
    agent_hash text,
    details text
  )`,
  'create index audit_log_of_user on audit_log (user_id, audit_id)',
  'create index audit_log_of_target on audit_log (target_id, audit_id)',
  'create index audit_log_by_event on audit_log (event_type, audit_id)',
];

export const tables: Migration = {
  name: '0001-tables',
  both: [...people, ...groups, ...secrets, ...audit],
  sqlite: [
    // Audit rows are never changed (docs/spec/threats.md §3.1.21).
    ...['update', 'delete'].map(
      (verb) => `create trigger audit_log_refuses_${verb} before ${verb} on audit_log
    begin select raise(abort, 'the audit log is append-only'); end`,
    ),
    entrySearch('integer primary key', 'integer'),
    entrySearchOfGroup,
    ...searchIndex,
  ],
  postgres: [
    entrySearch('bigserial primary key', 'bigint'),
    entrySearchOfGroup,
    `create function refuse_audit_change() returns trigger language plpgsql as
    $$ begin raise exception 'the audit log is append-only'; end $$`,
    `create trigger audit_log_refuses_change before update or delete on audit_log
    for each row execute function refuse_audit_change()`,
  ],
};
