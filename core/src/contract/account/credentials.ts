/** Sessions, tokens and account password of the caller. */
import * as z from 'zod/mini';
import { FACES } from '../faces.ts';
import { SCOPES, endpoint } from '../endpoint.ts';
import { pageQuery } from '../entries/entries.ts';
import { pageOf } from '../entities.ts';
import { boolean, choice, integer, list, optional, optionalScalar, text } from '../inputs.ts';
import type { AuditEvent } from '../site/audit-events.ts';
import { User } from '../users/user.ts';
import { factorCode } from './factors.ts';
import { PROOF_METHODS, SESSION_FACTORS, SIGN_IN_METHODS } from './sign-in-methods.ts';
import { assertion, optionsToken, OwnRequestOptions } from './webauthn.ts';
import { SIGN_UP_TEXTS } from '../users/users.ts';
import { LIMITS } from '../../domain/limits.ts';

const time = z.string();

/** The program of the last use, as it said itself; absent for others. */
const program = { face: z.optional(z.enum(FACES)), client_version: z.optional(z.string()) };

export const Session = z.object({
  session_id: z.string(),
  current: z.boolean(),
  address: z.string(),
  user_agent: z.string(),
  created_at: time,
  last_seen_at: time,
  expires_at: time,
  /** How the session began, and the second factor that was used. */
  method: z.enum(SIGN_IN_METHODS),
  factor: z.nullable(z.enum(SESSION_FACTORS)),
  /** The name of the identity provider, if the session began there. */
  provider_name: z.optional(z.string()),
  ...program,
});
export type Session = z.output<typeof Session>;

export const Token = z.object({
  token_id: z.string(),
  name: z.string(),
  scopes: z.array(z.enum(SCOPES)),
  current: z.boolean(),
  created_at: time,
  last_used_at: time,
  expires_at: time,
  /** The second factor of the sign-in that made the token; null: none. */
  factor: z.nullable(z.enum(SESSION_FACTORS)),
  ...program,
});
export type Token = z.output<typeof Token>;

export const SiteToken = z.object({
  token_id: z.string(),
  user: z.object({ user_id: z.string(), name: z.string(), email: z.string() }),
  name: z.string(),
  scopes: z.array(z.enum(SCOPES)),
  created_at: time,
  last_used_at: time,
  expires_at: time,
  ...program,
});
export type SiteToken = z.output<typeof SiteToken>;

const SITE_TOKENS = '/system/api/tokens';

export const siteTokens = endpoint({
  method: 'GET',
  path: SITE_TOKENS,
  summary:
    'All living tokens of the site, newest use first; `q` is a part of the token’s or its owner’s name or e-mail',
  access: 'site-reader',
  query: z.object({
    ...pageQuery,
    q: optional(text({ trim: true, allowEmpty: true, max: LIMITS.searchQuery })),
  }),
  answer: { status: 200, schema: pageOf(SiteToken) },
});

export const revokeSiteToken = endpoint({
  method: 'DELETE',
  path: `${SITE_TOKENS}/:tokenId`,
  summary: 'Revokes a token of any person, who gets a mail',
  access: 'site-admin',
  worksOnFullDisk: true,
  answer: { status: 204 },
});

export const createToken = endpoint({
  method: 'POST',
  path: '/identity/api/token',
  summary: 'A bearer token, shown once; one of the same name ends',
  access: 'signed-in',
  fresh: true,
  body: {
    schema: z.object({
      token_name: text({ trim: true, line: true, max: LIMITS.tokenName }),
      expires_in_days: optionalScalar(integer(1, LIMITS.tokenDays)),
      scopes: optional(list(choice(SCOPES), 1, SCOPES.length)),
    }),
  },
  answer: {
    status: 201,
    schema: z.object({ token: z.string(), token_id: z.string(), user: User, expires_at: time }),
  },
});

export const tokens = endpoint({
  method: 'GET',
  path: '/identity/api/tokens',
  summary: 'One’s own living tokens, without their secrets, newest use first',
  access: 'signed-in',
  answer: { status: 200, schema: z.array(Token) },
});

export const revokeToken = endpoint({
  method: 'DELETE',
  path: '/identity/api/tokens/:tokenId',
  summary: 'Ends one of one’s own tokens',
  access: 'signed-in',
  worksOnFullDisk: true,
  answer: { status: 204 },
});

export const sessions = endpoint({
  method: 'GET',
  path: '/identity/api/sessions',
  summary: 'One’s own living sessions, newest use first',
  access: 'signed-in',
  whileRestricted: true,
  answer: { status: 200, schema: z.array(Session) },
});

export const endSession = endpoint({
  method: 'DELETE',
  path: '/identity/api/sessions/:sessionId',
  summary: 'Ends one of one’s own sessions',
  access: 'signed-in',
  whileRestricted: true,
  worksOnFullDisk: true,
  answer: { status: 204 },
});

export const endOtherSessions = endpoint({
  method: 'DELETE',
  path: '/identity/api/sessions',
  summary: 'Ends all of one’s own sessions but the present one; tokens stay',
  access: 'signed-in',
  whileRestricted: true,
  worksOnFullDisk: true,
  answer: { status: 200, schema: z.object({ ended: z.number() }) },
});

export const changePassword = endpoint({
  method: 'PUT',
  path: '/identity/api/password',
  summary: 'Changes the account password; all other sessions and tokens end',
  access: 'signed-in',
  whileRestricted: true,
  fresh: 'with-factor',
  worksOnFullDisk: true,
  body: {
    schema: z.object({
      /** Absent if the account has no password yet; the call then needs a fresh sign-in. */
      current_password: optional(text({ allowEmpty: true })),
      password: text({ missing: SIGN_UP_TEXTS.passwordEmpty }),
      password_confirmation: optional(text({ allowEmpty: true })),
    }),
  },
  answer: { status: 200, schema: User },
});

export const removePassword = endpoint({
  method: 'DELETE',
  path: '/identity/api/password',
  summary:
    'Removes the account password, if an identity provider or a passkey signs in to the account; all other sessions and tokens end',
  access: 'signed-in',
  fresh: true,
  browserOnly: true,
  answer: { status: 204 },
});

export const confirmPassword = endpoint({
  method: 'POST',
  path: '/identity/api/confirmPassword',
  summary:
    'Confirms the account password, with the second factor if there is one, or a passkey that signs in. Calls that need a fresh sign-in then work for ten minutes',
  access: 'signed-in',
  whileRestricted: true,
  worksOnFullDisk: true,
  scope: null,
  jsonLimit: LIMITS.webauthnJsonBytes,
  body: {
    schema: z.object({
      /** Required without `assertion`. */
      password: optional(text({ allowEmpty: true })),
      /** This or an assertion is required with the password if `confirmWays` names a factor. */
      code: optionalScalar(factorCode()),
      /**
       * With the password: of a security key. Without it: of a passkey that signs in. `options_token` is that of
       * `confirmPassword/options`.
       */
      assertion: optional(assertion()),
      options_token: optionalScalar(optionsToken()),
    }),
  },
  answer: { status: 200, schema: z.object({ fresh_until: time }) },
});

export const confirmOptions = endpoint({
  method: 'POST',
  path: '/identity/api/confirmPassword/options',
  summary:
    'The options with which the browser uses a passkey for `confirmPassword`; valid for ten minutes, in this session. 404 if the caller has none of the kind here',
  access: 'signed-in',
  browserOnly: true,
  whileRestricted: true,
  worksOnFullDisk: true,
  body: {
    schema: z.object({
      /** Of a security key, beside the password. Absent: of a passkey that signs in. */
      with_password: optionalScalar(boolean()),
    }),
  },
  answer: { status: 200, schema: z.object({ options: OwnRequestOptions, options_token: z.string() }) },
});

/** What gives or takes access to an account or its vault. */
export const OWN_EVENTS = [
  'password_changed',
  'password_removed',
  'token_created',
  'second_factor_failed',
  'factor_added',
  'factor_removed',
  'factor_reset',
  'recovery_codes_made',
  'recovery_code_used',
  'passkey_added',
  'passkey_removed',
  'unlock_passkey_added',
  'unlock_passkey_removed',
  'recovery_kit_made',
  'recovery_kit_removed',
  'recovery_kit_used',
  'keys_changed',
  'keys_reset',
  'sso_linked',
  'sso_unlinked',
  'user_updated',
  'user_admin_changed',
  'user_auditor_changed',
  'break_glass_changed',
] as const satisfies readonly AuditEvent[];

export const OwnEvents = z.object({
  /** Null: the site sends mail. */
  since: z.nullable(time),
  events: z.array(
    z.object({
      event_type: z.enum(OWN_EVENTS),
      created_at: time,
      by_other: z.boolean(),
      /** Null for what another person did. */
      address: z.nullable(z.string()),
    }),
  ),
});
export type OwnEvents = z.output<typeof OwnEvents>;

export const ownEvents = endpoint({
  method: 'GET',
  path: '/identity/api/ownEvents',
  summary:
    'What gave or took access to the caller’s account in the 30 days before this sign-in, newest first, at most 20. Empty on a site that sends mail: each of them was mailed',
  access: 'signed-in',
  browserOnly: true,
  answer: { status: 200, schema: OwnEvents },
});

/** One of these is enough. `factor`: one of these is needed, too; empty: the password alone. */
export const ConfirmWays = z.object({
  ways: z.array(
    z.union([
      z.object({ password: z.literal(true), factor: z.array(z.enum(PROOF_METHODS)) }),
      z.object({ passkey: z.literal(true) }),
      /** A new sign-in at this provider (`sso/{provider_id}/begin` with `confirm`), if the password does not confirm. */
      z.object({ provider_id: z.string(), name: z.string() }),
    ]),
  ),
});
export type ConfirmWays = z.output<typeof ConfirmWays>;

export const confirmWays = endpoint({
  method: 'GET',
  path: '/identity/api/confirmWays',
  summary: 'What the caller has to give to `confirmPassword`, or the provider to sign in at again',
  access: 'signed-in',
  whileRestricted: true,
  scope: null,
  answer: { status: 200, schema: ConfirmWays },
});
