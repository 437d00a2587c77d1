/**
 * Without response schemas, so that the sign-in page does not load zod. The full endpoints are in
 * `session.ts`.
 */
import { endpoint } from '../endpoint.ts';

export const csrfCookie = endpoint({
  method: 'GET',
  path: '/sanctum/csrf-cookie',
  summary: 'Sets the readable cookie XSRF-TOKEN that unsafe calls repeat in the header X-XSRF-TOKEN',
  access: 'anyone',
  answer: { status: 204 },
});

export const ME = endpoint({
  method: 'GET',
  path: '/identity/api/me',
  summary: 'Who is calling: guest, loggedIn, or firstUser while nobody has signed up yet',
  access: 'anyone',
  answer: { status: 200 },
});

export const LOGIN = endpoint({
  method: 'POST',
  path: '/identity/api/login',
  summary: 'Signs in with the account password: by cookie, or with `token_is_required` by a bearer token',
  access: 'anyone',
  worksOnFullDisk: true,
  answer: { status: 200 },
});

export const LOGOUT = endpoint({
  method: 'GET',
  path: '/identity/api/logout',
  summary: 'Ends the presented session; for guests too',
  access: 'anyone',
  worksOnFullDisk: true,
  answer: { status: 200 },
});
