/**
 * Who calls (threats §3.1.1-2, §3.1.6). The cookie holds 256 random bits. Before sign-in the same cookie holds a secret that no row knows,
 * to which the CSRF token is bound; its text begins with `p.`, that of a session with `s.`.
 */
import type { FastifyRequest } from 'fastify';
import { randomText, sha256 } from '../platform/secrets.ts';
import type { Actor, AnswerHead, Deps, RequestContext } from './context.ts';
import { findSession } from './session-repository.ts';
import type { SessionUse } from './session-use.ts';

const MINUTE = 60_000;
const IDLE_MS = 30 * MINUTE;
export const ABSOLUTE_MS = 12 * 60 * MINUTE;

export type Secure = Pick<Deps, 'config'>;

/** With HTTPS the prefix `__Host-` keeps other hosts of the domain from setting the cookie. */
const sessionCookieName = ({ config }: Secure) =>
  config.publicUrl.startsWith('https:') ? '__Host-pb_session' : 'pb_session';

export const newSessionSecret = () => `s.${randomText(32)}`;
const newGuestSecret = () => `p.${randomText(32)}`;
export const isGuestSecret = (secret: string) => /^p\.[\w-]{43}$/.test(secret);
export const hashOfSecret = (secret: string) => sha256(Buffer.from(secret));

/** Cookies count neither beside `Authorization` nor from another origin that CORS admits. */
export function cookiesCount({ config }: Secure, request: FastifyRequest): boolean {
  if (request.headers.authorization !== undefined) return false;
  const { origin } = request.headers;
  return origin === undefined || origin === config.publicUrl || !config.corsOrigins.includes(origin);
}

/** The secret that the request presents. */
export function presentedCookie(deps: Secure, request: FastifyRequest): string | null {
  return cookiesCount(deps, request) ? (request.cookies[sessionCookieName(deps)] ?? null) : null;
}

/** The person behind a session cookie, or null: unknown, ended, idle too long, account gone or its epoch raised. */
export async function findActor(
  deps: Pick<Deps, 'db' | 'clock'>,
  uses: SessionUse,
  secret: string | null,
): Promise<Actor | null> {
  if (secret === null || !secret.startsWith('s.')) return null;
  const row = await findSession(deps.db, hashOfSecret(secret));
  const now = deps.clock.now();
  if (row === undefined || row.kind !== 'cookie') return null;
  if (now >= row.expires_at || now >= uses.lastUse(row.session_id, row.last_seen_at) + IDLE_MS) return null;
  uses.note(row.session_id, row.last_seen_at);
  return {
    userId: row.user_id,
    name: row.name,
    email: row.email,
    isAdmin: row.is_admin === 1,
    serverCryptoOptOut: row.server_crypto_opt_out === 1,
    sessionId: row.session_id,
    epoch: row.epoch,
    confirmedAt: row.confirmed_at,
  };
}

/** Whether the request presents a session of any kind, living or not. */
export const presentsSession = (deps: Secure, context: Pick<RequestContext, 'cookie'>): boolean =>
  context.cookie(sessionCookieName(deps)) !== null;

/** Hands the secret to the browser. */
export function setSessionCookie(deps: Secure, head: AnswerHead, secret: string): void {
  head.setCookie(sessionCookieName(deps), secret, { httpOnly: true });
}

/**
 * The secret to bind a CSRF token to: that of the session, or one for a guest, made and handed out when there is none. The secret of an ended
 * session vouches for nothing.
 */
export function csrfSecret(deps: Secure, context: Pick<RequestContext, 'actor' | 'cookie' | 'head'>): string {
  const presented = context.cookie(sessionCookieName(deps));
  if (presented !== null && (context.actor !== null || isGuestSecret(presented))) return presented;
  return startGuestSession(deps, context.head);
}

/** Gives a caller without a session something to bind a CSRF token to, and answers it. */
export function startGuestSession(deps: Secure, head: AnswerHead): string {
  const secret = newGuestSecret();
  setSessionCookie(deps, head, secret);
  return secret;
}
