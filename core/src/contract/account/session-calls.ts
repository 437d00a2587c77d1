/**
 * Without summaries and response schemas, so that the sign-in page loads neither them nor zod. The full
 * endpoints are in `session.ts`.
 */
import { call } from '../endpoint.ts';

export const CSRF_COOKIE = call({
  method: 'GET',
  path: '/sanctum/csrf-cookie',
  access: 'anyone',
  answer: { status: 204 },
});

export const ME = call({
  method: 'GET',
  path: '/identity/api/me',
  access: 'anyone',
  answer: { status: 200 },
});

export const LOGIN = call({
  method: 'POST',
  path: '/identity/api/login',
  access: 'anyone',
  worksOnFullDisk: true,
  answer: { status: 200 },
});

export const LOGOUT = call({
  method: 'GET',
  path: '/identity/api/logout',
  access: 'anyone',
  worksOnFullDisk: true,
  answer: { status: 200 },
});
