/** Second factors: an authenticator app, security keys, recovery codes and remembered browsers. */
import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { User } from '../users/user.ts';
import { boolean, choice, optional, optionalScalar, text } from '../inputs.ts';
import { FACTOR_OPTIONS, LOGIN_FACTOR } from './factor-calls.ts';
import { FACTOR_STATES, PROOF_METHODS } from './sign-in-methods.ts';
import { assertion, optionsToken, OwnRequestOptions, Passkey } from './webauthn.ts';
import { LIMITS } from '../../domain/limits.ts';

const time = z.string();

/** The `details` of the error `second_factor_required`: what the second step of a sign-in needs. */
export const FactorAsked = z.object({
  /** Works once, for five minutes, in this browser. Keep it in memory only. */
  ticket: z.string(),
  expires_at: time,
  /** The second factors that this account can use; never empty. */
  methods: z.array(z.enum(PROOF_METHODS)),
  /** Security keys: the number that can be used here, and the hosts that the others belong to. */
  passkeys: z.object({ usable: z.number(), elsewhere: z.array(z.string()) }),
  recovery_codes_left: z.number(),
  /** Whether and for how many days `remember` makes the server remember the browser. */
  can_remember: z.boolean(),
  remember_days: z.number(),
});
export type FactorAsked = z.output<typeof FactorAsked>;

/** The same response as `login`: a session or a token, as requested in the first step. */
export const SignedIn = z.object({
  message: z.string(),
  user: User,
  token: z.optional(z.string()),
  token_id: z.optional(z.string()),
  expires_at: z.optional(z.string()),
  /** Present if the account has a second factor. */
  recovery_codes_left: z.optional(z.number()),
  /** The identity that `link_ticket` stands for. Ask the person before `POST sso/links` takes the ticket. */
  link: z.optional(z.object({ email: z.nullable(z.string()), provider_id: z.string(), name: z.string() })),
});
export type SignedIn = z.output<typeof SignedIn>;

/** A code of an authenticator app, or a recovery code. Case, spaces and hyphens are ignored. */
export const factorCode = () => text({ trim: true, max: LIMITS.factorCode, missing: 'The code is required.' });

const ticket = () => text({ trim: true, max: LIMITS.ticket });

export const factorOptions = endpoint({
  ...FACTOR_OPTIONS,
  summary:
    'The options with which the browser uses a security key in the second step of a sign-in; valid for ten minutes, for this ticket',
  body: { schema: z.object({ ticket: ticket() }) },
  answer: { status: 200, schema: z.object({ options: OwnRequestOptions, options_token: z.string() }) },
});

export const loginFactor = endpoint({
  ...LOGIN_FACTOR,
  summary:
    'Second step of a sign-in: takes the ticket of the refusal `second_factor_required`, and a code or the assertion of a security key. With a ticket of a token login it needs no cookie and no CSRF token, and takes codes only',
  jsonLimit: LIMITS.webauthnJsonBytes,
  body: {
    schema: z.object({
      ticket: ticket(),
      method: choice(PROOF_METHODS),
      /** Required unless the method is `passkey`. */
      code: optionalScalar(factorCode()),
      /** Required for the method `passkey`, with the `options_token` of `login/factor/options`. */
      assertion: optional(assertion()),
      options_token: optionalScalar(optionsToken()),
      remember: optionalScalar(boolean()),
    }),
  },
  answer: { status: 200, schema: SignedIn },
});

export const RememberedBrowser = z.object({
  browser_id: z.string(),
  current: z.boolean(),
  address: z.string(),
  user_agent: z.string(),
  created_at: time,
  last_used_at: time,
  expires_at: time,
});
export type RememberedBrowser = z.output<typeof RememberedBrowser>;

export const Factors = z.object({
  factor_state: z.enum(FACTOR_STATES),
  /** The time from which the account must have a second factor, past or future; null: it need not. */
  factor_due_at: z.nullable(time),
  /** Whether the person may set one up; false if the site has switched second factors off. */
  can_enrol: z.boolean(),
  /** Whether the policy of the site forbids removing the last factor. */
  is_required: z.boolean(),
  totp: z.nullable(z.object({ totp_id: z.string(), created_at: time, last_used_at: z.nullable(time) })),
  /** Whether passkeys work on this host. */
  can_add_passkey: z.boolean(),
  /** Security keys only. `GET factors/passkeys` lists all passkeys. */
  passkeys: z.array(Passkey),
  recovery_codes: z.nullable(
    z.object({
      left: z.number(),
      created_at: time,
      /** When the site was restored from a backup: codes used since that backup work again. */
      restored_at: z.nullable(time),
    }),
  ),
  remembered: z.array(RememberedBrowser),
  /** Number of the caller's tokens. The first factor ends them unless `revoke_tokens` is false. */
  tokens: z.number(),
});
export type Factors = z.output<typeof Factors>;

/** Ten codes such as `7K3M-Q2ZD-0VHX-9RTB`, shown once. */
export const RecoveryCodes = z.object({ codes: z.array(z.string()), created_at: time });
export type RecoveryCodes = z.output<typeof RecoveryCodes>;

const FACTORS = '/identity/api/factors';
const CODES = `${FACTORS}/recoveryCodes` as const;

const own = { access: 'signed-in', browserOnly: true, whileRestricted: true, worksOnFullDisk: true } as const;

export const get = endpoint({
  method: 'GET',
  path: FACTORS,
  summary: 'The caller’s second factors, without their secrets',
  access: 'signed-in',
  browserOnly: true,
  whileRestricted: true,
  answer: { status: 200, schema: Factors },
});

export const beginTotp = endpoint({
  ...own,
  method: 'POST',
  path: `${FACTORS}/totp`,
  summary:
    'Makes a secret for an authenticator app. It becomes a second factor when a code confirms it within 15 minutes',
  fresh: true,
  answer: {
    status: 201,
    schema: z.object({
      totp_id: z.string(),
      /** Base32, for typing. */
      secret: z.string(),
      /** `otpauth://`, for the QR code. */
      uri: z.string(),
      expires_at: time,
    }),
  },
});

export const confirmTotp = endpoint({
  ...own,
  method: 'POST',
  path: `${FACTORS}/totp/:totpId/confirm`,
  summary:
    'Confirms the secret with a code. The first factor comes with recovery codes. It ends other sessions, remembered browsers and, unless `revoke_tokens` is false, tokens',
  fresh: true,
  body: { schema: z.object({ code: factorCode(), revoke_tokens: optionalScalar(boolean()) }) },
  answer: {
    status: 200,
    /** `recovery_codes` comes with the first factor only. */
    schema: z.object({ factors: Factors, recovery_codes: z.nullable(RecoveryCodes) }),
  },
});

export const removeTotp = endpoint({
  ...own,
  method: 'DELETE',
  path: `${FACTORS}/totp/:totpId`,
  summary:
    'Removes the authenticator app and ends other sessions. If no security key is left that works here, the recovery codes are removed, too',
  fresh: true,
  answer: { status: 204 },
});

export const makeRecoveryCodes = endpoint({
  ...own,
  method: 'POST',
  path: CODES,
  summary: 'Replaces all recovery codes with ten new ones, which are shown once',
  fresh: true,
  answer: { status: 200, schema: RecoveryCodes },
});

export const checkRecoveryCode = endpoint({
  ...own,
  method: 'POST',
  path: `${CODES}/check`,
  summary: 'Says whether a recovery code would work, without using it. A wrong code counts as a failed attempt',
  fresh: true,
  body: { schema: z.object({ code: factorCode() }) },
  answer: { status: 200, schema: z.object({ is_good: z.boolean() }) },
});

export const forgetBrowser = endpoint({
  ...own,
  method: 'DELETE',
  path: `${FACTORS}/remembered/:browserId`,
  summary: 'Forgets a remembered browser: its next sign-in needs the second factor',
  answer: { status: 204 },
});

export const forgetBrowsers = endpoint({
  ...own,
  method: 'DELETE',
  path: `${FACTORS}/remembered`,
  summary: 'Forgets all remembered browsers of the caller',
  answer: { status: 200, schema: z.object({ ended: z.number() }) },
});

export const ofUser = endpoint({
  method: 'GET',
  path: '/identity/api/user/:id/factors',
  summary: 'The second factors of an account',
  access: 'site-admin',
  answer: {
    status: 200,
    schema: z.object({
      factor_state: z.enum(FACTOR_STATES),
      factor_due_at: z.nullable(time),
      totp: z.boolean(),
      /** Number of security keys. */
      passkeys: z.number(),
      recovery_codes_left: z.number(),
    }),
  },
});

export const reset = endpoint({
  method: 'POST',
  path: '/identity/api/user/:id/factorReset',
  summary:
    'Removes all second factors and passkeys of another person and ends the sessions and tokens. Returns one recovery code, valid for 72 hours, with which the person signs in to set up a new factor',
  access: 'site-admin',
  fresh: true,
  worksOnFullDisk: true,
  answer: { status: 200, schema: z.object({ user: User, recovery_code: z.string(), expires_at: time }) },
});
