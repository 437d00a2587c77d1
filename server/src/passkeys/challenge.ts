/**
 * WebAuthn challenges need no row: they are derived from the secret of the session, like the CSRF token. The caller
 * sends `options_token` back, and the server derives the same challenge again.
 */
import { encodePieces } from '@passwordbroker/core/crypto/bytes';
import { hmacSha256, randomText } from '../platform/ids-and-digests.ts';

const SECOND = 1000;
const CHALLENGE_MS = 10 * 60 * SECOND;

/** As a second factor: with a ticket, which it names, or with the password of the signed-in person. */
export type FactorPurpose = `factor:${string}` | 'confirm_factor';
export type Purpose = 'register' | 'sign_in' | 'confirm' | FactorPurpose;

export interface Challenge {
  /** Base64url. */
  readonly challenge: string;
  /** `seconds.random`. */
  readonly optionsToken: string;
}

/** @param secret of the session or guest cookie @param now Unix ms */
export function makeChallenge(secret: string, purpose: Purpose, now: number): Challenge {
  const [ts, random] = [String(Math.floor(now / SECOND)), randomText(16)];
  return { challenge: challengeOf(secret, purpose, ts, random), optionsToken: `${ts}.${random}` };
}

const TOKEN = /^(\d{1,12})\.([\w-]{22})$/;

/** The challenge of the token and when it expires (Unix ms). Null if the token is malformed or not valid now. */
export function challengeOfToken(
  secret: string,
  purpose: Purpose,
  optionsToken: string,
  now: number,
): { readonly challenge: string; readonly expiresAt: number } | null {
  const [, ts = '', random = ''] = TOKEN.exec(optionsToken) ?? [];
  const madeAt = Number(ts) * SECOND;
  const expiresAt = madeAt + CHALLENGE_MS;
  if (ts === '' || now < madeAt || expiresAt <= now) return null;
  return { challenge: challengeOf(secret, purpose, ts, random), expiresAt };
}

export function challengeOf(secret: string, purpose: string, ts: string, random: string): string {
  return hmacSha256(Buffer.from(secret), encodePieces(['webauthn', purpose, ts, random])).toString('base64url');
}
