/**
 * What a site admin sets for everybody (`api.md` §3.11, decision I11). A new setting is one line in `SETTINGS` or `LIMITS_OF_SITE` and its default
 * in `server/src/platform/site-settings-repository.ts`; the API and the command `settings` follow from these tables.
 */
import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { boolean, choice, integer, optionalScalar } from './inputs.ts';
import { LIMITS } from '../domain/limits.ts';
import { STRICT_PASSWORD } from '../domain/sign-up-rules.ts';

const SETTINGS = {
  server_crypto: choice(['allowed', 'off']),
  password_policy: choice(['warn', 'strict']),
  /** What `strict` demands of account and master passwords: characters, and the score of zxcvbn. */
  password_min_length: integer(STRICT_PASSWORD.length, 128),
  password_min_score: integer(STRICT_PASSWORD.score, 4),
  offline_allowed: boolean(),
  trash_days: integer(1, 365),
};

/** Beside the settings of `api.md`: how long sessions and invitations live, after how many idle minutes a vault locks, and how large a file may be. */
const LIMITS_OF_SITE = {
  session_idle_minutes: integer(1, LIMITS.sessionIdleMinutes),
  session_hours: integer(1, LIMITS.sessionHours),
  lock_minutes: integer(1, LIMITS.lockMinutes),
  invite_days: integer(1, LIMITS.inviteDays),
  file_mib: integer(1, LIMITS.fileBytes / 1024 / 1024),
};

/** What each setting and limit may be, by its name. */
export const SITE_VALUES = { ...SETTINGS, ...LIMITS_OF_SITE };
export type SettingName = keyof typeof SITE_VALUES;

const time = z.string();
export const SiteSettings = z.object({ ...SETTINGS, updated_at: time });
export type SiteSettings = z.output<typeof SiteSettings>;
export const SiteLimits = z.object({ ...LIMITS_OF_SITE, updated_at: time });
export type SiteLimits = z.output<typeof SiteLimits>;

const SETTINGS_PATH = '/system/api/setting/site';
const LIMITS_PATH = '/system/api/setting/limits';

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
  fresh: true,
  body: { schema: z.object(someOf(SETTINGS)) },
  answer: { status: 200, schema: SiteSettings },
});

export const limits = endpoint({
  method: 'GET',
  path: LIMITS_PATH,
  summary:
    'How long sessions (idle, at all) and invitations live, after how many idle minutes a vault locks at the latest, and how large a file may be',
  access: 'signed-in',
  answer: { status: 200, schema: SiteLimits },
});

export const changeLimits = endpoint({
  method: 'PUT',
  path: LIMITS_PATH,
  summary: 'Changes some of these limits; shorter sessions hold at once',
  access: 'site-admin',
  fresh: true,
  body: { schema: z.object(someOf(LIMITS_OF_SITE)) },
  answer: { status: 200, schema: SiteLimits },
});

/** Each of the values, or none: what is absent stays as it is. */
function someOf<T extends Readonly<Record<string, z.core.$ZodType>>>(values: T) {
  const optional = Object.entries(values).map(([name, value]) => [name, optionalScalar(value)]);
  return Object.fromEntries(optional) as { [Name in keyof T]: z.ZodMiniOptional<T[Name]> };
}
