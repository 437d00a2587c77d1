/** docs/spec/api.md §3.1. */
import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { User } from '../users/user.ts';
import { boolean, optionalScalar, text } from '../inputs.ts';
import { LOGIN, LOGOUT, ME } from './session-calls.ts';
import { LIMITS } from '../../domain/limits.ts';

export { csrfCookie } from './session-calls.ts';

export const me = endpoint({
  ...ME,
  answer: {
    status: 200,
    schema: z.object({
      message: z.enum(['guest', 'loggedIn', 'firstUser']),
      user: z.nullable(User),
      session_id: z.nullable(z.string()),
      /** The account password was too weak at sign-in. */
      weak_password: z.optional(z.literal(true)),
    }),
  },
});

export const login = endpoint({
  ...LOGIN,
  body: {
    schema: z.object({
      email: text({ trim: true, max: LIMITS.email, missing: 'Field: Email should be filled in' }),
      password: text({ missing: 'Field: Password should be filled in' }),
      token_is_required: optionalScalar(boolean()),
      token_name: optionalScalar(text({ trim: true, line: true, max: LIMITS.tokenName })),
    }),
  },
  answer: {
    status: 200,
    /** The last three members only in bearer mode. */
    schema: z.object({
      message: z.string(),
      user: User,
      token: z.optional(z.string()),
      token_id: z.optional(z.string()),
      expires_at: z.optional(z.string()),
    }),
  },
});

const loggedOut = { status: 200, schema: z.object({ message: z.string() }) } as const;

export const logout = endpoint({ ...LOGOUT, answer: loggedOut });

export const logoutPost = endpoint({
  method: 'POST',
  path: '/identity/api/logout',
  summary: 'As GET, with a CSRF check',
  access: 'anyone',
  worksOnFullDisk: true,
  answer: loggedOut,
});
