/** docs/spec/api.md §3.2. */
import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { pageQuery } from '../entries/entries.ts';
import { AnyUser, User, UserBrief, pageOf } from '../entities.ts';
import { boolean, choice, id, list, optional, optionalScalar, text } from '../inputs.ts';
import { SIGN_UP_TEXTS } from './users.ts';
import { LIMITS } from '../../domain/limits.ts';
import { ROLES } from '../../domain/policy.ts';

/** Accounts that a site admin looks for. `unlinked`: those that cannot sign in while local sign-in is off. */
export const PEOPLE_FILTERS = ['without_factor', 'unlinked', 'break_glass'] as const;

export const search = endpoint({
  method: 'GET',
  path: '/identity/api/users/search',
  summary:
    'People by name; with `entryGroupExclude` service accounts too. Site admins and auditors see whole accounts of people, find them by a part of the e-mail, and may filter with `only`',
  access: 'signed-in',
  query: z.object({
    ...pageQuery,
    q: optional(text({ trim: true, allowEmpty: true, max: LIMITS.searchQuery })),
    entryGroupExclude: optionalScalar(id()),
    only: optionalScalar(choice(PEOPLE_FILTERS)),
  }),
  answer: { status: 200, schema: pageOf(z.union([User, AnyUser])) },
});

export const get = endpoint({
  method: 'GET',
  path: '/identity/api/user/:id',
  summary: 'One account',
  access: 'self-or-site-reader',
  whileRestricted: true,
  answer: { status: 200, schema: User },
});

const name = optional(text({ trim: true, line: true, max: LIMITS.userName, missing: SIGN_UP_TEXTS.nameEmpty }));

export const update = endpoint({
  method: 'PUT',
  path: '/identity/api/user/:id',
  summary: 'Changes name and e-mail; a site admin may give somebody else a new account password',
  access: 'self-or-site-admin',
  worksOnFullDisk: true,
  fresh: { changingAnother: ['password', 'email'], changingOwnWithFactor: ['email'] },
  body: {
    schema: z.object({
      name,
      username: name,
      email: optional(text({ trim: true, max: LIMITS.email, missing: SIGN_UP_TEXTS.emailBad })),
      password: optional(text({ missing: SIGN_UP_TEXTS.passwordEmpty })),
      password_confirmation: optional(text({ allowEmpty: true })),
    }),
  },
  answer: { status: 200, schema: User },
});

export const setAdmin = endpoint({
  method: 'PUT',
  path: '/identity/api/user/:id/admin',
  summary: 'Makes somebody a site admin, or no longer',
  access: 'site-admin',
  worksOnFullDisk: true,
  fresh: true,
  body: { schema: z.object({ is_admin: boolean() }) },
  answer: { status: 200, schema: User },
});

export const setBreakGlass = endpoint({
  method: 'PUT',
  path: '/identity/api/user/:id/breakGlass',
  summary: 'Lets a site admin sign in by account password or passkey while these are off for others, or no longer',
  access: 'site-admin',
  worksOnFullDisk: true,
  fresh: true,
  body: { schema: z.object({ status: boolean() }) },
  answer: { status: 200, schema: User },
});

export const setAuditor = endpoint({
  method: 'PUT',
  path: '/identity/api/user/:id/auditor',
  summary:
    'Makes somebody an auditor, who reads what site admins read and changes nothing, or no longer; a site admin is none',
  access: 'site-admin',
  worksOnFullDisk: true,
  fresh: true,
  body: { schema: z.object({ is_auditor: boolean() }) },
  answer: { status: 200, schema: User },
});

export const setDisabled = endpoint({
  method: 'PUT',
  path: '/identity/api/user/:id/disabled',
  summary: 'Disables an account: nobody can sign in to it, its sessions and tokens end; or enables it again',
  access: 'site-admin',
  worksOnFullDisk: true,
  fresh: true,
  body: { schema: z.object({ status: boolean() }) },
  answer: { status: 200, schema: User },
});

/** Its only admin is this person, one of `members`. */
export const SoleGroup = z.object({ entry_group_id: z.string(), name: z.string(), members: z.number() });
export type SoleGroup = z.output<typeof SoleGroup>;

const confirmed = { confirm_groups: optional(list(id(), 0, LIMITS.confirmedGroups)) };

export const remove = endpoint({
  method: 'DELETE',
  path: '/identity/api/user/:id',
  summary:
    'Deletes an account; groups without another admin are named by a 409 first, until `confirm_groups` names exactly those',
  access: 'site-admin',
  worksOnFullDisk: true,
  fresh: true,
  body: { schema: z.object(confirmed) },
  answer: { status: 204 },
});

export const keyReset = endpoint({
  method: 'GET',
  path: '/identity/api/user/:id/keyReset',
  summary: 'What a reset of somebody’s keys would leave without an admin',
  access: 'site-admin',
  answer: {
    status: 200,
    schema: z.object({
      user_id: z.string(),
      groups: z.array(SoleGroup),
      /** Number of groups without another member: they are lost. */
      only_member: z.number(),
    }),
  },
});

export const resetKeys = endpoint({
  method: 'POST',
  path: '/identity/api/user/:id/keyReset',
  summary: 'Deletes keys and memberships of a person without a master password, who makes new keys at the next sign-in',
  access: 'site-admin',
  worksOnFullDisk: true,
  fresh: true,
  body: { schema: z.object(confirmed) },
  answer: { status: 200, schema: User },
});

/** `admins`: other admins; `is_yours`: the caller is one. */
export const OffboardingGroup = z.object({
  entry_group_id: z.string(),
  name: z.string(),
  role: z.enum(ROLES),
  admins: z.array(UserBrief),
  is_yours: z.boolean(),
});
export type OffboardingGroup = z.output<typeof OffboardingGroup>;

const credentials = { sessions: z.number(), tokens: z.number(), invitations: z.number() };

const offboarding = {
  user: User,
  ...credentials,
  /** Backups or notices are mailed to this address. */
  gets_backups: z.boolean(),
  groups: z.array(OffboardingGroup),
};
export const Offboarding = z.object(offboarding);
export type Offboarding = z.output<typeof Offboarding>;

const OFFBOARDING = '/identity/api/user/:id/offboarding';

export const offboardingOf = endpoint({
  method: 'GET',
  path: OFFBOARDING,
  summary:
    'What ties somebody to the site: sessions, tokens, open invitations, and every group with who administers it',
  access: 'site-admin',
  answer: { status: 200, schema: Offboarding },
});

export const offboard = endpoint({
  method: 'POST',
  path: OFFBOARDING,
  summary:
    'Offboards a person: ends sessions, tokens, open invitations and site roles, and disables the account unless `disable` is false. Group admins end the memberships. Can be repeated',
  access: 'site-admin',
  worksOnFullDisk: true,
  fresh: true,
  body: { schema: z.object({ disable: optionalScalar(boolean()) }) },
  answer: { status: 200, schema: z.object({ ...offboarding, ended: z.object(credentials) }) },
});
