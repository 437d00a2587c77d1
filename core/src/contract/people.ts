/** Finding people and looking after accounts (`api.md` §3.2). */
import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { pageQuery } from './entries.ts';
import { User, UserBrief, pageOf } from './entities.ts';
import { id, optional, optionalScalar, text } from './inputs.ts';
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
  summary: 'One account: one’s own, any for site admins',
  access: 'signed-in',
  answer: { status: 200, schema: User },
});
