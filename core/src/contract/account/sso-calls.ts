/**
 * Signing in at an identity provider, without summaries and schemas. The full endpoints are in `sso.ts`. A file of its
 * own: the sign-in page and the page to which the provider leads back must not load zod from there.
 */
import { call } from '../endpoint.ts';

export const SSO_BEGIN = call({
  method: 'POST',
  path: '/identity/api/sso/:providerId/begin',
  access: 'anyone',
  worksOnFullDisk: true,
  answer: { status: 200 },
});

export const SSO_CALLBACK = call({
  method: 'POST',
  path: '/identity/api/sso/callback',
  access: 'anyone',
  worksOnFullDisk: true,
  answer: { status: 200 },
});
