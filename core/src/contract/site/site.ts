/**
 * Add a setting to a table below and to `server/src/platform/site-settings-repository.ts`
 * (docs/spec/decisions.md I11).
 */
import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { boolean, choice, integer, optional, optionalScalar, text } from '../inputs.ts';
import { EXPORT_BY } from '../../domain/exchange/export-formats.ts';
import { LIMITS } from '../../domain/limits.ts';
import { STRICT_PASSWORD } from '../../domain/sign-up-rules.ts';

const SETTINGS = {
  server_crypto: choice(['allowed', 'off']),
  password_policy: choice(['warn', 'strict']),
  /** Under the policy `strict`; the score is that of zxcvbn. */
  password_min_length: integer(STRICT_PASSWORD.length, 128),
  password_min_score: integer(STRICT_PASSWORD.score, 4),
  /** Only people with compared key words may get keys. */
  require_verified_members: boolean(),
  /** Whether passkeys sign in, in place of password and second factor. */
  passkey_sign_in: choice(['allowed', 'off']),
  /** Whether passkeys may open vaults. `separate`: yes, except passkeys that sign in. Choosing `off` removes all wraps. */
  passkey_unlock: choice(['separate', 'off']),
  /** `required`: clients ask people without a kit to make one. */
  recovery_kit: choice(['optional', 'required']),
  offline_allowed: boolean(),
  /** File bodies in offline copies. */
  offline_files: boolean(),
  /** The least role in each group of an export. */
  export_by: choice(EXPORT_BY),
  /** Also in kinds of files that everybody can read. */
  export_plain: boolean(),
  /** The people who may create service accounts. `off`: none, and existing accounts cannot sign in. */
  service_accounts: choice(['admins', 'everyone', 'off']),
  trash_days: integer(1, 365),
  /** 0: kept without limit. */
  log_months: integer(0, 120),
};

const LIMITS_OF_SITE = {
  session_idle_minutes: integer(1, LIMITS.sessionIdleMinutes),
  session_hours: integer(1, LIMITS.sessionHours),
  lock_minutes: integer(1, LIMITS.lockMinutes),
  invite_days: integer(1, LIMITS.inviteDays),
  /** Applies to existing tokens too. */
  token_days: integer(1, LIMITS.tokenDays),
  file_mib: integer(1, LIMITS.fileBytes / 1024 / 1024),
  /** 0: no limit, for both. */
  person_quota_mib: integer(0, LIMITS.quotaMib),
  site_quota_mib: integer(0, LIMITS.quotaMib),
};

export const SECOND_FACTOR_POLICIES = ['off', 'optional', 'admins', 'all'] as const;

export const LOCAL_SIGN_INS = ['allowed', 'to_link', 'off'] as const;

const SIGN_IN = {
  /**
   * Sign-in by account password or passkey. `to_link`: accounts without a link to an identity provider may only make one;
   * `off`: break-glass accounts only.
   */
  local_sign_in: choice(LOCAL_SIGN_INS),
  /** The people who must have one. `off`: no account may set one up, but existing ones are still asked for. */
  second_factor: choice(SECOND_FACTOR_POLICIES),
  /** Days that an existing account has, once the policy requires a factor of it. */
  second_factor_grace_days: integer(0, 90),
  /** 0: browsers are not remembered. */
  remember_days: integer(0, 90),
};

/** Addresses and CIDR ranges; empty: all. */
const networks = text({ trim: true, allowEmpty: true, max: 4000 });
const NETWORKS = {
  sign_in_networks: networks,
  /** Site admins must pass both lists. */
  admin_networks: networks,
};

export const SITE_VALUES = { ...SETTINGS, ...LIMITS_OF_SITE, ...NETWORKS, ...SIGN_IN };
export type SettingName = keyof typeof SITE_VALUES;

const time = z.string();
export const SiteSettings = z.object({ ...SETTINGS, updated_at: time });
export type SiteSettings = z.output<typeof SiteSettings>;
export const SiteLimits = z.object({ ...LIMITS_OF_SITE, updated_at: time });
export type SiteLimits = z.output<typeof SiteLimits>;
export const SiteNetworks = z.object({ ...NETWORKS, your_address: z.string(), updated_at: time });
export type SiteNetworks = z.output<typeof SiteNetworks>;

/**
 * Site admins and auditors also see numbers. `accounts`: enabled accounts, and of these `without_factor`: without a
 * second factor; `unlinked`: without a link to an enabled identity provider, break-glass accounts left out. `tokens`:
 * those that go on while local sign-in is off.
 */
export const SignInSettings = z.object({
  ...SIGN_IN,
  accounts: z.optional(z.number()),
  without_factor: z.optional(z.number()),
  unlinked: z.optional(z.number()),
  tokens: z.optional(z.number()),
  /** Why `local_sign_in` counts as `allowed` whatever it says. Absent: it does not. */
  local_sign_in_overruled: z.optional(z.enum(['LOCAL_SIGN_IN', 'no provider'])),
  updated_at: time,
});
export type SignInSettings = z.output<typeof SignInSettings>;

const SETTINGS_PATH = '/system/api/setting/site';
const LIMITS_PATH = '/system/api/setting/limits';
const NETWORKS_PATH = '/system/api/setting/networks';
const SIGN_IN_PATH = '/system/api/setting/signIn';

export const settings = endpoint({
  method: 'GET',
  path: SETTINGS_PATH,
  summary: 'The settings of this site, for everybody who is signed in',
  access: 'signed-in',
  whileRestricted: true,
  answer: { status: 200, schema: SiteSettings },
});

export const changeSettings = endpoint({
  method: 'PUT',
  path: SETTINGS_PATH,
  summary: 'Changes some of the settings; members that are absent stay',
  access: 'site-admin',
  worksOnFullDisk: true,
  fresh: true,
  body: { schema: z.object(someOf(SETTINGS)) },
  answer: { status: 200, schema: SiteSettings },
});

export const limits = endpoint({
  method: 'GET',
  path: LIMITS_PATH,
  summary:
    'How long sessions (idle, at all) and invitations live, after how many idle minutes a vault locks at the latest, how large a file may be, and how much may be stored',
  access: 'signed-in',
  whileRestricted: true,
  answer: { status: 200, schema: SiteLimits },
});

export const changeLimits = endpoint({
  method: 'PUT',
  path: LIMITS_PATH,
  summary: 'Changes some of these limits; shorter sessions hold at once',
  access: 'site-admin',
  worksOnFullDisk: true,
  fresh: true,
  body: { schema: z.object(someOf(LIMITS_OF_SITE)) },
  answer: { status: 200, schema: SiteLimits },
});

export const siteNetworks = endpoint({
  method: 'GET',
  path: NETWORKS_PATH,
  summary: 'From which networks people, and site admins, may sign in',
  access: 'site-reader',
  answer: { status: 200, schema: SiteNetworks },
});

export const changeNetworks = endpoint({
  method: 'PUT',
  path: NETWORKS_PATH,
  summary: 'Changes these lists; a list without the address of the caller is refused',
  access: 'site-admin',
  worksOnFullDisk: true,
  fresh: true,
  body: { schema: z.object(someOf(NETWORKS)) },
  answer: { status: 200, schema: SiteNetworks },
});

export const signIn = endpoint({
  method: 'GET',
  path: SIGN_IN_PATH,
  summary:
    'Which accounts must have a second factor, how many days they have to set it up, and for how long browsers are remembered',
  access: 'signed-in',
  whileRestricted: true,
  answer: { status: 200, schema: SignInSettings },
});

export const changeSignIn = endpoint({
  method: 'PUT',
  path: SIGN_IN_PATH,
  summary: 'Changes some of these settings. Only a caller who has a second factor can make the policy stricter',
  access: 'site-admin',
  worksOnFullDisk: true,
  fresh: true,
  body: {
    schema: z.object({
      ...someOf(SIGN_IN),
      /** With `local_sign_in: off`: how many accounts cannot sign in then, as `GET` says. */
      unlinked: optionalScalar(integer(0, 10_000_000)),
    }),
  },
  answer: { status: 200, schema: SignInSettings },
});

/** '' counts as absent unless it is a valid value. */
function someOf<T extends Readonly<Record<string, z.core.$ZodType>>>(values: T) {
  const members = Object.entries(values).map(([name, value]) => [
    name,
    z.safeParse(value, '').success ? optional(value) : optionalScalar(value),
  ]);
  return Object.fromEntries(members) as { [Name in keyof T]: z.ZodMiniOptional<T[Name]> };
}
