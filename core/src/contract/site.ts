/** What a site admin sets for everybody (`api.md` §3.11, decision I11). */
import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { boolean, choice, integer, optionalScalar } from './inputs.ts';
import { LIMITS } from '../domain/limits.ts';

const time = z.string();
const SERVER_CRYPTO = ['allowed', 'off'] as const;
const PASSWORD_POLICY = ['warn', 'strict'] as const;

export const SiteSettings = z.object({
  server_crypto: z.enum(SERVER_CRYPTO),
  password_policy: z.enum(PASSWORD_POLICY),
  offline_allowed: z.boolean(),
  trash_days: z.number(),
  updated_at: time,
});
export type SiteSettings = z.output<typeof SiteSettings>;

/** Ours beside the settings of `api.md`: how long sessions and invitations live, how long an unlocked vault may be left alone, and how large a file may be. */
export const SiteLimits = z.object({
  session_idle_minutes: z.number(),
  session_hours: z.number(),
  lock_minutes: z.number(),
  invite_days: z.number(),
  file_mib: z.number(),
  updated_at: time,
});
export type SiteLimits = z.output<typeof SiteLimits>;

const SETTINGS = '/system/api/setting/site';
const SITE_LIMITS = '/system/api/setting/limits';

export const settings = endpoint({
  method: 'GET',
  path: SETTINGS,
  summary: 'The settings of this site, for everybody who is signed in',
  access: 'signed-in',
  answer: { status: 200, schema: SiteSettings },
});

export const changeSettings = endpoint({
  method: 'PUT',
  path: SETTINGS,
  summary: 'Changes some of the settings; members that are absent stay',
  access: 'site-admin',
  fresh: true,
  body: {
    schema: z.object({
      server_crypto: optionalScalar(choice(SERVER_CRYPTO)),
      password_policy: optionalScalar(choice(PASSWORD_POLICY)),
      offline_allowed: optionalScalar(boolean()),
      trash_days: optionalScalar(integer(1, 365)),
    }),
  },
  answer: { status: 200, schema: SiteSettings },
});

export const limits = endpoint({
  method: 'GET',
  path: SITE_LIMITS,
  summary:
    'How long sessions (idle, at all) and invitations live, after how many idle minutes a vault locks at the latest, and how large a file may be',
  access: 'signed-in',
  answer: { status: 200, schema: SiteLimits },
});

export const changeLimits = endpoint({
  method: 'PUT',
  path: SITE_LIMITS,
  summary: 'Changes some of these limits; shorter sessions hold at once',
  access: 'site-admin',
  fresh: true,
  body: {
    schema: z.object({
      session_idle_minutes: optionalScalar(integer(1, LIMITS.sessionIdleMinutes)),
      session_hours: optionalScalar(integer(1, LIMITS.sessionHours)),
      lock_minutes: optionalScalar(integer(1, LIMITS.lockMinutes)),
      invite_days: optionalScalar(integer(1, LIMITS.inviteDays)),
      file_mib: optionalScalar(integer(1, LIMITS.fileBytes / 1024 / 1024)),
    }),
  },
  answer: { status: 200, schema: SiteLimits },
});
