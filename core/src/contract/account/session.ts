/** docs/spec/api.md §3.1. */
import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { User } from '../users/user.ts';
import { SignedIn, factorCode } from './factors.ts';
import { RESTRICTIONS, SESSION_FACTORS, SIGN_IN_METHODS } from './sign-in-methods.ts';
import { boolean, optionalScalar, text } from '../inputs.ts';
import { CSRF_COOKIE, LOGIN, LOGOUT, ME } from './session-calls.ts';
import { LIMITS } from '../../domain/limits.ts';

export const csrfCookie = endpoint({
  ...CSRF_COOKIE,
  summary: 'Sets the readable cookie XSRF-TOKEN that unsafe calls repeat in the header X-XSRF-TOKEN',
});

export const me = endpoint({
  ...ME,
  service: true,
  summary: 'Who is calling: guest, loggedIn, or firstUser while nobody has signed up yet',
  answer: {
    status: 200,
    schema: z.object({
      message: z.enum(['guest', 'loggedIn', 'firstUser']),
      user: z.nullable(User),
      session_id: z.nullable(z.string()),
      /** The account password was too weak at sign-in. */
      weak_password: z.optional(z.literal(true)),
      /** Set if the session may only finish its set-up; other calls then answer `second_factor_enrolment_required`. */
      restriction: z.optional(z.enum(RESTRICTIONS)),
      /** How the session began. */
      sign_in: z.optional(
        z.object({
          method: z.enum(SIGN_IN_METHODS),
          factor: z.nullable(z.enum(SESSION_FACTORS)),
          /** The identity provider, if the session began there. */
          provider_id: z.optional(z.string()),
        }),
      ),
      /** The ways to sign in, in the order of the buttons. Only on a site with identity providers. */
      ways: z.optional(
        z.object({
          /** False if nobody may sign in with the account password. */
          password: z.boolean(),
          providers: z.array(z.object({ provider_id: z.string(), name: z.string() })),
        }),
      ),
    }),
  },
});

export const login = endpoint({
  ...LOGIN,
  summary:
    'Signs in with the account password: by cookie, or with `token_is_required` by a bearer token. An account with a second factor also needs `code`, or the second step with the ticket of the error `second_factor_required`',
  body: {
    schema: z.object({
      email: text({ trim: true, max: LIMITS.email, missing: 'Field: Email should be filled in' }),
      password: text({ missing: 'Field: Password should be filled in' }),
      /** A code of the second factor, to sign in with one call. */
      code: optionalScalar(factorCode()),
      /** With a cookie and `code`: the server does not ask this browser for a second factor for some days. */
      remember: optionalScalar(boolean()),
      token_is_required: optionalScalar(boolean()),
      token_name: optionalScalar(text({ trim: true, line: true, max: LIMITS.tokenName })),
      /** The ticket of the error `sso_not_linked`, in the same browser. The response then has `link`. */
      link_ticket: optionalScalar(text({ trim: true, max: LIMITS.ticket })),
    }),
  },
  answer: {
    status: 200,
    /** `token`, `token_id` and `expires_at` come in bearer mode only. */
    schema: SignedIn,
  },
});

const loggedOut = {
  status: 200,
  schema: z.object({
    message: z.string(),
    /** Where the browser goes to sign out at the identity provider of the session, too; only if the site wants that. */
    logout_url: z.optional(z.string()),
  }),
} as const;

export const logout = endpoint({
  ...LOGOUT,
  summary: 'Ends the presented session; for guests too',
  answer: loggedOut,
});

export const logoutPost = endpoint({
  method: 'POST',
  path: '/identity/api/logout',
  summary: 'As GET, with a CSRF check',
  access: 'anyone',
  worksOnFullDisk: true,
  answer: loggedOut,
});
