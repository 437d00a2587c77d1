/**
 * Signing in with a passkey, without summaries and schemas. The full endpoints are in `passkeys.ts`. A file of its own:
 * the code of the passkey button must not load zod from there.
 */
import { call } from '../endpoint.ts';

export const PASSKEY_OPTIONS = call({
  method: 'POST',
  path: '/identity/api/passkey/options',
  access: 'anyone',
  worksOnFullDisk: true,
  answer: { status: 200 },
});

export const PASSKEY_LOGIN = call({
  method: 'POST',
  path: '/identity/api/passkey/login',
  access: 'anyone',
  worksOnFullDisk: true,
  answer: { status: 200 },
});
