import type { NoticeKind } from '@passwordbroker/core/domain/notices';
import type { Face } from '@passwordbroker/core/contract/faces';
import type { Role } from '@passwordbroker/core/domain/policy';
import type { FactorState, SessionFactor, SignInMethod } from '@passwordbroker/core/contract/account/sign-in-methods';
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
  factor_state: FactorState;
  /** The time from which the policy requires a second factor; null: it does not. */
  factor_due_at: Millis | null;
  /** 0: `password_hash` is a hash of random bytes, and the account signs in at an identity provider. */
  has_password: Flag;
  /** 1: the account must be linked to an identity provider after a sign-in by password. */
  must_link: Flag;
  /** 1: the account may sign in with its password even while that is off for others. */
  break_glass: Flag;
  /** A service has no e-mail address, and nobody signs in to it with a password. */
  kind: 'person' | 'service';
}

/** Links to identity providers. Found by issuer and subject only, never by e-mail. */
export interface UserSsoLinkTable {
  link_id: string;
  user_id: string;
  provider_id: string;
  issuer: string;
  subject: string;
  /** The e-mail address at the provider, shown to tell links apart; '' without one. */
  email_then: string;
  created_at: Millis;
  last_used_at: Millis | null;
}

/** Settings of identity providers. Their addresses and secrets are in the environment. */
export interface IdentityProviderTable {
  provider_id: string;
  /** JSON. */
  settings: string;
  updated_at: Millis;
}

/** Used single-sign-on states, so that each works once. */
export interface SsoUsedOnceTable {
  id_hash: Buffer;
  expires_at: Millis;
}

/** Authenticator apps: for each account at most one that is confirmed and one that is not confirmed yet. */
export interface UserTotpTable {
  totp_id: string;
  user_id: string;
  /** Not encrypted: the server has no key of its own. */
  secret: Buffer;
  /** Time step of the last accepted code, so that each works once. */
  last_step: number;
  created_at: Millis;
  confirmed_at: Millis | null;
  last_used_at: Millis | null;
}

export interface UserRecoveryCodeTable {
  user_id: string;
  code_hash: Buffer;
  created_at: Millis;
  /** When the code from an admin expires; null for other codes. */
  expires_at: Millis | null;
  used_at: Millis | null;
  /** When the site was restored: codes used since that backup work again. */
  restored_at: Millis | null;
}

/** Browsers that are not asked for a second factor. */
export interface RememberedBrowserTable {
  browser_id: string;
  secret_hash: Buffer;
  user_id: string;
  epoch: number;
  address: string;
  user_agent: string;
  created_at: Millis;
  last_used_at: Millis;
  expires_at: Millis;
}

/** Tickets between the two steps of a sign-in. */
export interface SignInTicketTable {
  ticket_id: string;
  secret_hash: Buffer;
  user_id: string | null;
  epoch: number | null;
  /** `link` and `invite` are for single sign-on (`identity/sso/sso-tickets.ts`). */
  purpose: 'session' | 'token' | 'link' | 'invite' | 'program';
  method: SignInMethod;
  /** SHA-256 of the browser's cookie; null for a token login. */
  binding: Buffer | null;
  /** JSON. */
  details: string;
  failures: number;
  created_at: Millis;
  expires_at: Millis;
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
  method: SignInMethod;
  /** The second factor that was used; '' for none. */
  factor: SessionFactor | '';
  /** The identity provider of the sign-in. */
  provider_id: string | null;
  /** The provider's id of its own session. */
  provider_sid: string | null;
  /** The program that used it last, as it said itself. */
  face: Face | null;
  client_version: string | null;
}

/** Of accounts of the kind `service`. */
export interface ServiceAccountTable {
  user_id: string;
  /** Null: the owner left; `former_owner` is the name. */
  owner_id: string | null;
  former_owner: string | null;
  description: string;
  /** Joined by `, `; '': all. */
  allowed_networks: string;
  credential_due: Flag;
  /** A site admin disabled it. */
  is_stopped: Flag;
}

export interface ServiceCredentialTable {
  slot_id: string;
  user_id: string;
  kdf: 'S1';
  blob: Buffer;
  /** SHA-256 of the token. */
  token_hash: Buffer;
  created_at: Millis;
  expires_at: Millis;
  last_used_at: Millis | null;
  last_address: string | null;
  /** Before `expires_at`. */
  ended_at: Millis | null;
  /** When the owner was told that it expires. */
  told_at: Millis | null;
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
  /** The account that accepted; null before that, and in rows of older releases. */
  accepted_by: string | null;
}

/** Groups that the inviter wants to share. A row is deleted when the invited person becomes a member. */
export interface InviteGroupTable {
  invite_id: string;
  /** The group may be deleted already. */
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
