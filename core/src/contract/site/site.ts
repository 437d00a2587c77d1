/**
 * Add a setting to a table below and to `server/src/platform/site-settings-repository.ts`
 * (docs/spec/decisions.md I11).
 */
import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { boolean, choice, integer, optional, optionalScalar, text } from '../inputs.ts';
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
  offline_allowed: boolean(),
  /** File bodies in offline copies. */
  offline_files: boolean(),
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

/** Addresses and CIDR ranges; empty: all. */
const networks = text({ trim: true, allowEmpty: true, max: 4000 });
const NETWORKS = {
  sign_in_networks: networks,
  /** Site admins must pass both lists. */
  admin_networks: networks,
};

export const SITE_VALUES = { ...SETTINGS, ...LIMITS_OF_SITE, ...NETWORKS };
export type SettingName = keyof typeof SITE_VALUES;

const time = z.string();
export const SiteSettings = z.object({ ...SETTINGS, updated_at: time });
export type SiteSettings = z.output<typeof SiteSettings>;
export const SiteLimits = z.object({ ...LIMITS_OF_SITE, updated_at: time });
export type SiteLimits = z.output<typeof SiteLimits>;
export const SiteNetworks = z.object({ ...NETWORKS, your_address: z.string(), updated_at: time });
export type SiteNetworks = z.output<typeof SiteNetworks>;

const SETTINGS_PATH = '/system/api/setting/site';
const LIMITS_PATH = '/system/api/setting/limits';
const NETWORKS_PATH = '/system/api/setting/networks';

export const settings = endpoint({
  method: 'GET',
  path: SETTINGS_PATH,
  summary: 'The settings of this site, for everybody who is signed in',
  access: 'signed-in',
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

/** '' counts as absent unless it is a valid value. */
function someOf<T extends Readonly<Record<string, z.core.$ZodType>>>(values: T) {
  const members = Object.entries(values).map(([name, value]) => [
    name,
    z.safeParse(value, '').success ? optional(value) : optionalScalar(value),
  ]);
  return Object.fromEntries(members) as { [Name in keyof T]: z.ZodMiniOptional<T[Name]> };
}
