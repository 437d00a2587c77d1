import type { NoticeKind } from '@passwordbroker/core/domain/notices';
import type { Role } from '@passwordbroker/core/domain/policy';
import type { Flag, Millis } from './columns.ts';

export interface UserTable {
  user_id: string;
  name: string;
  name_key: string;
  email: string;
  email_key: string;
  /** Argon2id PHC string. */
  password_hash: string;
  is_admin: Flag;
  /** 1 for the first user, else null; unique, so one sign-up wins (docs/spec/decisions.md I1). */
  first_user: 1 | null;
  /** Raised to end all sessions (docs/spec/threats.md §3.1.16). */
  epoch: number;
  mp_exposed_at: Millis | null;
  must_rekey: Flag;
  server_crypto_opt_out: Flag;
  keyset_version: number;
  created_at: Millis;
  updated_at: Millis;
  disabled_at: Millis | null;
  /** Never with `is_admin` (docs/spec/decisions.md I14). */
  is_auditor: Flag;
}

export interface UserKeySlotTable {
  slot_id: string;
  user_id: string;
  slot_type: 'password' | 'recovery';
  kdf: string;
  salt: Buffer;
  blob: Buffer;
  version: number;
  created_at: Millis;
}

export interface UserKeysetTable {
  user_id: string;
  version: number;
  blob: Buffer;
  fpr: string;
}

export interface UserCertificateTable {
  /** Outlives the account if it signed a group's newest roster. */
  user_id: string;
  /** Restarts at 1 after a key reset. */
  keyset_version: number;
  ed25519: Buffer;
  rsa_spki: Buffer;
  fpr: string;
  prev_fpr: string;
  sig: Buffer;
  sig_prev: Buffer | null;
  created_at: Millis;
}

export interface UserDocumentTable {
  user_id: string;
  name: string;
  n: number;
  blob: Buffer;
}

export interface SessionTable {
  /** Public, used in proofs; the secret is in the cookie. */
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
  /** Last check of the account password. */
  confirmed_at: Millis;
  /** The password did not meet the site's policy. */
  weak_password: Flag;
}

export interface InviteTable {
  invite_id: string;
  /** SHA-256 of the link's secret. */
  token_hash: Buffer;
  email: string;
  email_key: string;
  /** Set by the inviter. */
  username: string | null;
  invited_by: string | null;
  created_at: Millis;
  expires_at: Millis;
  accepted_at: Millis | null;
  revoked_at: Millis | null;
  /** The account that was made; null before, and for older rows. */
  accepted_by: string | null;
}

/** To be shared by the inviter; deleted when the invited person becomes a member of the group. */
export interface InviteGroupTable {
  invite_id: string;
  /** May be gone. */
  entry_group_id: string;
  role: Role;
}

/** Written in the operation's transaction. Never contains a link or secret. */
export interface MailOutboxTable {
  mail_id: string;
  notice: string;
  recipient: string;
  /** JSON. */
  details: string;
  created_at: Millis;
  /** Next attempt; in the future while sending. */
  due_at: Millis;
  attempts: number;
}

/** Written in the operation's transaction. */
export interface NoticeTable {
  /** Ascending. */
  notice_id: string;
  user_id: string;
  kind: NoticeKind;
  /** JSON of ids and counts (`notices/subject.ts`). */
  subject: string;
  /** How often it happened. */
  repeats: number;
  /** Of the last time. */
  created_at: Millis;
  read_at: Millis | null;
  /** Part of a mail; null: of none so far. */
  mailed_at: Millis | null;
}

export interface NoticeSettingTable {
  user_id: string;
  /** JSON: the delivery of each kind that the person has chosen. */
  choices: string;
  /** Hour of the daily mail; null: the usual one. */
  digest_hour: number | null;
  /** IANA time zone of the hour; null: that of the server. */
  digest_zone: string | null;
  /** Local day of the last daily mail, `2026-03-29`. */
  digest_day: string | null;
}

export interface AttemptTable {
  /** `login:account:<email key>`, `login:address:<ip>`, `mp:<user_id>`. */
  key: string;
  failures: number;
  window_started_at: Millis;
  blocked_until: Millis;
}

export interface ProofNonceTable {
  session_id: string;
  nonce: string;
  seen_at: Millis;
}

export interface CreatedRequestTable {
  /** Of the created object. */
  id: string;
  user_id: string;
  /** SHA-256 of the sealed body: a repeat returns the stored resource. */
  digest: Buffer;
  created_at: Millis;
}

export interface SiteSettingTable {
  name: string;
  value: string;
  updated_at: Millis;
}
