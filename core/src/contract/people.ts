/** Finding people and looking after accounts (`api.md` §3.2). */
import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { pageQuery } from './entries.ts';
import { User, UserBrief, pageOf } from './entities.ts';
import { boolean, id, optional, optionalScalar, text } from './inputs.ts';
import { SIGN_UP_TEXTS } from './users.ts';
import { LIMITS } from '../domain/limits.ts';

export const search = endpoint({
  method: 'GET',
  path: '/identity/api/users/search',
  summary: 'People by name; site admins see whole accounts and find them by a part of the e-mail',
  access: 'signed-in',
  query: z.object({
    ...pageQuery,
    q: optional(text({ trim: true, allowEmpty: true, max: LIMITS.searchQuery })),
    entryGroupExclude: optionalScalar(id()),
  }),
  answer: { status: 200, schema: pageOf(z.union([User, UserBrief])) },
});

export const get = endpoint({
  method: 'GET',
  path: '/identity/api/user/:id',
  summary: 'One account',
  access: 'self-or-site-admin',
  answer: { status: 200, schema: User },
});

const name = optional(text({ trim: true, line: true, max: LIMITS.userName, missing: SIGN_UP_TEXTS.nameEmpty }));

export const update = endpoint({
  method: 'PUT',
  path: '/identity/api/user/:id',
  summary: 'Changes name and e-mail; a site admin may give somebody else a new account password',
  access: 'self-or-site-admin',
  body: {
    schema: z.object({
      name,
      /** The same under the name that sign-up has for it. */
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
  fresh: true,
  body: { schema: z.object({ is_admin: boolean() }) },
  answer: { status: 200, schema: User },
});

export const setDisabled = endpoint({
  method: 'PUT',
  path: '/identity/api/user/:id/disabled',
  summary: 'Disables an account: nobody can sign in to it, its sessions and tokens end; or enables it again',
  access: 'site-admin',
  body: { schema: z.object({ status: boolean() }) },
  answer: { status: 200, schema: User },
});
