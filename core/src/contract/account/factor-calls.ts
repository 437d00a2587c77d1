/**
 * The second step of a sign-in, without summaries and schemas. The full endpoints are in `factors.ts`. A file of its
 * own: the second step must not load zod from there, and from `session-calls.ts` it would be in the first load of the
 * sign-in page.
 */
import { call } from '../endpoint.ts';

export const LOGIN_FACTOR = call({
  method: 'POST',
  path: '/identity/api/login/factor',
  access: 'anyone',
  worksOnFullDisk: true,
  answer: { status: 200 },
});

export const FACTOR_OPTIONS = call({
  method: 'POST',
  path: '/identity/api/login/factor/options',
  access: 'anyone',
  worksOnFullDisk: true,
  answer: { status: 200 },
});
