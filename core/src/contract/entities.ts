/** Response schemas (docs/spec/api.md §2). Unlisted members are never sent. */
import * as z from 'zod/mini';
import { PURPOSES, VIAS } from './faces.ts';
import { DUE_KINDS } from '../domain/entry-marks.ts';
import { FIELD_TYPES, TOTP_ALGORITHMS } from '../domain/fields/field-kinds.ts';
import { ROLES } from '../domain/policy.ts';
import { UserBrief } from './users/user.ts';

// A separate file, because the sign-in page loads only these two.
export { User, UserBrief } from './users/user.ts';

const uuid = z.string();
const ordinal = z.int().check(z.positive());
const time = z.string();
const role = z.enum(ROLES);
/** `service` marks a service account; absent: a person. */
export const AnyUser = z.extend(UserBrief, { kind: z.optional(z.literal('service')) });
export type AnyUser = z.output<typeof AnyUser>;
const base64Text = z.string();

export const HISTORY_EVENTS = ['created', 'updated', 'decrypted', 'moved', 'trashed', 'restored'] as const;
export type HistoryEvent = (typeof HISTORY_EVENTS)[number];

export const Certificate = z.object({
  v: z.literal(1),
  user_id: uuid,
  keyset_version: ordinal,
  ed25519_base64: base64Text,
  rsa_spki_base64: base64Text,
  fpr: z.string(),
  prev_fpr: z.string(),
  sig_base64: base64Text,
  sig_prev_base64: z.nullable(base64Text),
  created_at: time,
});
export type Certificate = z.output<typeof Certificate>;

export const Slot = z.object({
  slot_id: uuid,
  slot_type: z.enum(['password', 'recovery', 'machine']),
  kdf: z.string(),
  salt_base64: base64Text,
  blob_base64: base64Text,
  version: ordinal,
  /** Of the credential of a service account. */
  expires_at: z.optional(time),
});
export type Slot = z.output<typeof Slot>;

/** The user key, wrapped for a passkey. `credential_id` is base64url, the rest base64. */
export const PasskeySlot = z.object({
  slot_id: uuid,
  passkey_id: uuid,
  credential_id: z.string(),
  rp_id: z.string(),
  name: z.string(),
  kdf: z.string(),
  salt_base64: base64Text,
  blob_base64: base64Text,
  version: ordinal,
});
export type PasskeySlot = z.output<typeof PasskeySlot>;

/** Sealed by the owner for `version`. */
export const StoredDocument = z.object({ name: z.string(), version: ordinal, blob_base64: base64Text });

export const KeyBundle = z.object({
  user_id: uuid,
  keyset: z.nullable(z.object({ version: ordinal, blob_base64: base64Text })),
  certificate: z.nullable(Certificate),
  must_rekey: z.boolean(),
  slots: z.array(Slot),
  /** Null if the caller has this version (`known`). */
  documents: z.array(z.extend(StoredDocument, { blob_base64: z.nullable(base64Text) })),
  /** Absent in servers and local copies of releases before passkeys. */
  passkeys: z.optional(z.array(PasskeySlot)),
});
export type KeyBundle = z.output<typeof KeyBundle>;

/** Without children: a large tree is read in batches. */
export const TreeRow = z.object({
  entry_group_id: uuid,
  title: z.string(),
  materialized_path: z.string(),
  role: z.enum([...ROLES, 'guest']),
  children: z.array(z.unknown()),
});

export interface TreeNode {
  entry_group_id: string;
  title: string;
  materialized_path: string;
  role: (typeof ROLES)[number] | 'guest';
  children: TreeNode[];
}
export const TreeNode: z.ZodMiniType<TreeNode> = z.object({
  entry_group_id: uuid,
  title: z.string(),
  materialized_path: z.string(),
  role: z.enum([...ROLES, 'guest']),
  children: z.array(z.lazy(() => TreeNode)),
});

export const EntryGroup = z.object({
  entry_group_id: uuid,
  parent_entry_group_id: z.nullable(uuid),
  name: z.string(),
  title: z.string(),
  materialized_path: z.string(),
  role,
  gk_version: ordinal,
  rotation_due: z.boolean(),
  origin: z.enum(['client', 'server']),
  created_at: time,
  updated_at: time,
});
export type EntryGroup = z.output<typeof EntryGroup>;

export const GroupUser = z.object({
  id: uuid,
  entry_group_id: uuid,
  user_id: uuid,
  role,
  fpr: z.nullable(z.string()),
  /** `owner_name`: of a service account; null without an owner. */
  user: z.extend(AnyUser, { owner_name: z.optional(z.nullable(z.string())) }),
  created_at: time,
  updated_at: time,
});
export type GroupUser = z.output<typeof GroupUser>;

export const GroupUserWithCertificate = z.extend(GroupUser, { certificate: z.nullable(Certificate) });
export type GroupUserWithCertificate = z.output<typeof GroupUserWithCertificate>;

export const GroupAnswer = z.object({ entryGroup: EntryGroup, role: GroupUser, admins: z.array(GroupUser) });
export type GroupAnswer = z.output<typeof GroupAnswer>;

export const Grant = z.object({
  entry_group_id: uuid,
  user_id: uuid,
  role,
  gk_version: ordinal,
  alg: z.string(),
  encrypted_aes_password_base64: base64Text,
  recipient_fpr: z.string(),
  granted_by: z.nullable(uuid),
});
export type Grant = z.output<typeof Grant>;

export const Roster = z.object({
  entry_group_id: uuid,
  seq: z.int().check(z.nonnegative()),
  roster_base64: base64Text,
  roster_sig_base64: base64Text,
  /** Null in release 1.0. */
  roster_proof_base64: z.nullable(base64Text),
  roster_proof_prev_base64: z.nullable(base64Text),
  signer: uuid,
  signer_certificate: z.nullable(Certificate),
  created_at: time,
});
export type Roster = z.output<typeof Roster>;

export const RosterAnswer = z.object({
  entry_group_id: uuid,
  gk_version: ordinal,
  origin: z.enum(['client', 'server']),
  rosters: z.array(Roster),
  grants: z.array(Grant),
});
export type RosterAnswer = z.output<typeof RosterAnswer>;

export const Entry = z.object({
  entry_id: uuid,
  entry_group_id: uuid,
  title: z.string(),
  /** By their folded text. */
  tags: z.array(z.string()),
  /** Of `ENTRY_ICONS`. */
  icon: z.nullable(z.string()),
  /** A day: '2027-01-31'. */
  due_at: z.nullable(z.string()),
  due_kind: z.nullable(z.enum(DUE_KINDS)),
  /** A changed password moves the due date so many days ahead. */
  rotate_days: z.nullable(z.number()),
  created_at: time,
  updated_at: time,
});
export type Entry = z.output<typeof Entry>;

/** `login` is that of the first password, by title, that has one; null if none has. */
export const ListedEntry = z.extend(Entry, { login: z.nullable(z.string()) });
export type ListedEntry = z.output<typeof ListedEntry>;

const fieldCommon = {
  field_id: uuid,
  entry_id: uuid,
  title: z.string(),
  rev: z.number(),
  gk_version: z.number(),
  crypto_profile: z.literal('pb1'),
  created_by: z.nullable(UserBrief),
  updated_by: z.nullable(UserBrief),
  created_at: time,
  updated_at: time,
};
export const PasswordField = z.object({ ...fieldCommon, type: z.literal('password'), login: z.string() });
export const LinkField = z.object({ ...fieldCommon, type: z.literal('link') });
export const NoteField = z.object({ ...fieldCommon, type: z.literal('note') });
export const FileField = z.object({
  ...fieldCommon,
  type: z.literal('file'),
  file_name: z.string(),
  file_mime: z.string(),
  file_size: z.number(),
});
export const TotpField = z.object({
  ...fieldCommon,
  type: z.literal('TOTP'),
  totp_hash_algorithm: z.enum(TOTP_ALGORITHMS),
  totp_timeout: z.number(),
});
/** Without value and ciphertext. */
export const Field = z.discriminatedUnion('type', [PasswordField, LinkField, NoteField, FileField, TotpField]);
export type Field = z.output<typeof Field>;

export const Envelope = z.object({
  field_id: uuid,
  entry_id: uuid,
  entry_group_id: uuid,
  type: z.enum(FIELD_TYPES),
  rev: ordinal,
  crypto_profile: z.literal('pb1'),
  gk_version: ordinal,
  cek_wrapped_base64: base64Text,
  encrypted_value_base64: base64Text,
  initialization_vector_base64: base64Text,
  file: z.nullable(z.object({ body_size: z.number() })),
  /** Of links that have site rules. */
  site_sealed_base64: z.optional(base64Text),
});
export type Envelope = z.output<typeof Envelope>;

export const FieldHistory = z.object({
  field_edit_log_id: uuid,
  field_id: uuid,
  event_type: z.enum(HISTORY_EVENTS),
  rev: z.nullable(ordinal),
  has_value: z.boolean(),
  title: z.string(),
  login: z.nullable(z.string()),
  user: z.nullable(AnyUser),
  /** What a value was opened for. Absent in old rows and for other events. */
  purpose: z.optional(z.enum(PURPOSES)),
  /** Of `run`: the program that got the value, as the caller said it; of `export`: the kind of file. */
  label: z.optional(z.string()),
  /** The program that opened it, as it said itself. Absent in old rows and for other events. */
  via: z.optional(z.enum(VIAS)),
  created_at: time,
});
export type FieldHistory = z.output<typeof FieldHistory>;

/** The last time that a person was shown a field. `user` is null if the account was deleted. */
export const SeenBy = z.object({
  field_id: uuid,
  user: z.nullable(AnyUser),
  last_at: time,
  /** Whether the person is a member of the field's group now. */
  is_member: z.boolean(),
});
export type SeenBy = z.output<typeof SeenBy>;

export const GroupHistory = z.extend(FieldHistory, {
  field: z.object({
    field_id: uuid,
    entry_id: uuid,
    title: z.string(),
    type: z.enum(FIELD_TYPES),
    entry: z.object({ entry_id: uuid, entry_group_id: uuid, title: z.string() }),
  }),
});
export type GroupHistory = z.output<typeof GroupHistory>;

/** Wrapped key of one revision, for a move or a rotation. */
export const Wrap = z.object({
  entry_id: uuid,
  field_id: uuid,
  rev: ordinal,
  type: z.enum(FIELD_TYPES),
  gk_version: ordinal,
  cek_wrapped_base64: base64Text,
});
export type Wrap = z.output<typeof Wrap>;

export const SearchRow = z.extend(Entry, {
  entry_group: z.object({ entry_group_id: uuid, name: z.string() }),
  passwords: z.array(PasswordField),
  links: z.array(LinkField),
  notes: z.array(NoteField),
  files: z.array(FileField),
  TOTPs: z.array(TotpField),
});
export type SearchRow = z.output<typeof SearchRow>;

export const OPERATION_KINDS = ['create', 'delete', 'restore', 'import', 'move', 'rename'] as const;
export type OperationKind = (typeof OPERATION_KINDS)[number];
export const TARGET_KINDS = ['entry_group', 'entry', 'field'] as const;
export type TargetKind = (typeof TARGET_KINDS)[number];

const counts = z.object({ entry_groups: z.number(), entries: z.number(), fields: z.number() });
const groupName = z.object({ entry_group_id: uuid, name: z.string() });

/** Subgroups included; `users` can see any of it. */
export const Removal = z.object({ counts, users: z.number() });
export type Removal = z.output<typeof Removal>;

export const Operation = z.object({
  operation_id: uuid,
  kind: z.enum(OPERATION_KINDS),
  counts,
  undo_until: z.nullable(time),
});
export type Operation = z.output<typeof Operation>;

/** Can still be undone. `from` and `to` are names (rename) or group ids (move; null: the root). */
export const JournalRow = z.extend(Operation, {
  target_kind: z.enum(TARGET_KINDS),
  target_id: uuid,
  /** Topmost things; the first is the target. */
  target_ids: z.array(uuid),
  title: z.string(),
  from: z.nullable(z.string()),
  to: z.nullable(z.string()),
  created_at: time,
});
export type JournalRow = z.output<typeof JournalRow>;

export const TrashItem = z.object({
  operation_id: uuid,
  kind: z.enum(TARGET_KINDS),
  title: z.string(),
  entry_group: z.nullable(groupName),
  user: z.nullable(UserBrief),
  items: z.array(z.object({ kind: z.enum(TARGET_KINDS), id: uuid, title: z.string() })),
  counts,
  can_purge: z.boolean(),
  created_at: time,
  purge_at: time,
});
export type TrashItem = z.output<typeof TrashItem>;

export const Skipped = z.object({ kind: z.string(), reason: z.string(), count: z.number() });
export type Skipped = z.output<typeof Skipped>;

/** Never contains values or titles. */
export const AuditRow = z.object({
  audit_id: uuid,
  created_at: time,
  event_type: z.string(),
  login: z.nullable(z.string()),
  user_id: z.nullable(uuid),
  target_type: z.nullable(z.string()),
  target_id: z.nullable(z.string()),
  address: z.nullable(z.string()),
  details: z.nullable(z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))),
});
export type AuditRow = z.output<typeof AuditRow>;

/** `entry` of a field, `entry_group` of a field or an entry; else null. */
export const Named = z.object({
  id: uuid,
  kind: z.enum([...TARGET_KINDS, 'user']),
  title: z.string(),
  entry: z.nullable(z.object({ entry_id: uuid, title: z.string() })),
  entry_group: z.nullable(groupName),
});
export type Named = z.output<typeof Named>;

export function pageOf<S extends z.core.$ZodType>(row: S) {
  return z.object({
    data: z.array(row),
    current_page: z.number(),
    last_page: z.number(),
    per_page: z.number(),
    total: z.number(),
  });
}
