/** Single sign-on by OpenID Connect: sign-in at an identity provider, and links between accounts and providers. */
import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { choice, optional, optionalScalar, text } from '../inputs.ts';
import { SignedIn } from './factors.ts';
import { SSO_BEGIN, SSO_CALLBACK } from './sso-calls.ts';
import { LIMITS } from '../../domain/limits.ts';

const time = z.string();

/** Why a person is sent to the provider. */
export const SSO_PURPOSES = ['login', 'link', 'confirm', 'invite'] as const;
export type SsoPurpose = (typeof SSO_PURPOSES)[number];

export const SsoLink = z.object({
  link_id: z.string(),
  provider_id: z.string(),
  /** The name of the provider, or its id if the server no longer knows it. */
  name: z.string(),
  /** The e-mail address that the provider gave when the link was made. Never used to find an account. */
  email_then: z.string(),
  created_at: time,
  last_used_at: z.nullable(time),
});
export type SsoLink = z.output<typeof SsoLink>;

const LINKS = '/identity/api/sso/links';

export const begin = endpoint({
  ...SSO_BEGIN,
  summary:
    'Returns the address of an identity provider, for the browser to go to. Only this browser can finish the sign-in, within ten minutes. `link` needs a fresh sign-in; `confirm` makes one, where `confirmWays` names the provider',
  textParams: ['providerId'],
  body: {
    schema: z.object({
      purpose: choice(SSO_PURPOSES),
      /** For `invite`: the token in the link of the invitation. */
      invite_token: optionalScalar(text({ trim: true, max: LIMITS.ticket })),
    }),
  },
  answer: { status: 200, schema: z.object({ url: z.string() }) },
});

export const callback = endpoint({
  ...SSO_CALLBACK,
  summary:
    'Finishes a sign-in that `begin` started. `query` is the query string of the address to which the provider sent the browser, without `?`. Signs in; for `link` returns a ticket for `POST sso/links`, for `confirm` until when calls that need a fresh sign-in work',
  body: { schema: z.object({ query: text({ allowEmpty: true }) }) },
  answer: {
    status: 200,
    schema: z.union([
      SignedIn,
      z.object({ ticket: z.string(), email: z.nullable(z.string()), provider_id: z.string(), name: z.string() }),
      z.object({ fresh_until: time }),
    ]),
  },
});

export const backChannelLogout = endpoint({
  method: 'POST',
  path: '/identity/api/sso/:providerId/backchannelLogout',
  summary:
    'For identity providers: ends the sessions that a logout token names (OpenID Connect Back-Channel Logout 1.0). Needs neither cookie nor CSRF token. 404 unless the provider may do this',
  access: 'anyone',
  textParams: ['providerId'],
  worksOnFullDisk: true,
  body: { schema: z.object({ logout_token: optional(text({ trim: true, allowEmpty: true })) }) },
  answer: { status: 200, schema: z.object({ message: z.string() }) },
});

export const links = endpoint({
  method: 'GET',
  path: LINKS,
  summary: 'The identity providers that the caller’s account is linked to',
  access: 'signed-in',
  browserOnly: true,
  whileRestricted: true,
  answer: { status: 200, schema: z.array(SsoLink) },
});

export const link = endpoint({
  method: 'POST',
  path: LINKS,
  summary: 'Links the caller’s account to the identity of the ticket. Show both to the person before this call',
  access: 'signed-in',
  browserOnly: true,
  whileRestricted: true,
  fresh: true,
  body: { schema: z.object({ ticket: text({ trim: true, max: LIMITS.ticket }) }) },
  answer: { status: 201, schema: SsoLink },
});

export const unlink = endpoint({
  method: 'DELETE',
  path: `${LINKS}/:linkId`,
  summary:
    'Ends a link of the caller’s account and the sessions that began there. Refused if it is the only way to sign in',
  access: 'signed-in',
  browserOnly: true,
  whileRestricted: true,
  worksOnFullDisk: true,
  fresh: true,
  answer: { status: 204 },
});

export const linksOfUser = endpoint({
  method: 'GET',
  path: '/identity/api/user/:id/links',
  summary: 'The identity providers that an account is linked to',
  access: 'site-admin',
  answer: { status: 200, schema: z.array(SsoLink) },
});

export const unlinkUser = endpoint({
  method: 'DELETE',
  path: '/identity/api/user/:id/links/:linkId',
  summary:
    'Ends a link of another account and the sessions that began there, for example if the person got a new identity at the provider',
  access: 'site-admin',
  worksOnFullDisk: true,
  fresh: true,
  answer: { status: 204 },
});
