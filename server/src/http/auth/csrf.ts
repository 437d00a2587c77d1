/**
 * Against forged requests (docs/spec/threats.md §3.1.3): a signed double submit. The readable cookie XSRF-TOKEN holds `random.HMAC(session secret, random)`, the client
 * repeats it in a header. The secret is in an HttpOnly cookie, so nobody else can make a matching pair, and no server key is needed. On
 * top of it, requests that a browser marks as coming from elsewhere are refused.
 */
import type { FastifyRequest } from 'fastify';
import { AppError } from '@passwordbroker/core/contract/problem';
import { encodePieces, sameBytes } from '@passwordbroker/core/crypto/bytes';
import { hmacSha256, randomText, sameText, sha256 } from '../../platform/secrets.ts';
import type { Actor, AnswerHead } from '../context.ts';
import { isGuestSecret, presentedCookie } from './session.ts';
import type { Secure } from './session.ts';

const UNSAFE = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

function macOf(secret: string, random: string): string {
  return hmacSha256(Buffer.from(secret), encodePieces(['csrf', random])).toString('base64url');
}

/** A fresh token for this session secret, as the cookie that scripts of our pages can read. */
export function setCsrfCookie(head: AnswerHead, secret: string): void {
  const random = randomText(18);
  head.setCookie('XSRF-TOKEN', `${random}.${macOf(secret, random)}`, { httpOnly: false });
}

/** Throws `csrf_mismatch` unless cookie and header carry the same token, made for the presented session. */
export function checkCsrf(deps: Secure, request: FastifyRequest, method: string, actor: Actor | null): void {
  if (!UNSAFE.has(method) || request.headers.authorization !== undefined) return;
  const secret = presentedCookie(deps, request);
  const sent = request.headers['x-xsrf-token'];
  const cookie = request.cookies['XSRF-TOKEN'];
  // The secret of a session that has ended vouches for nothing.
  const isLive = secret !== null && (actor !== null || isGuestSecret(secret));
  if (!isLive || typeof sent !== 'string' || cookie === undefined || !sameText(sent, cookie)) {
    throw new AppError('csrf_mismatch');
  }
  if (!isMadeFor(secret, sent)) throw new AppError('csrf_mismatch');
}

/** Tokens whose authentication code is right, with the digest of the secret that each was made for. A page sends the same one with every call. */
const MADE_KEPT = 2000;
const made = new Map<string, Buffer>();

function isMadeFor(secret: string, token: string): boolean {
  const digest = sha256(Buffer.from(secret));
  const known = made.get(token);
  if (known !== undefined) return sameBytes(known, digest);
  const [random = '', mac = ''] = token.split('.');
  if (!sameText(mac, macOf(secret, random))) return false;
  if (made.size >= MADE_KEPT) made.clear();
  made.set(token, digest);
  return true;
}

/** Throws `cross_site` when the browser says that the request comes from another site (docs/spec/api.md §1.4). */
export function refuseOtherSites(deps: Secure, request: FastifyRequest): void {
  const { origin } = request.headers;
  if (origin !== undefined && !isOwnOrigin(deps, request, origin) && !deps.config.corsOrigins.includes(origin)) {
    throw new AppError('cross_site');
  }
  if (request.headers['sec-fetch-site'] === 'cross-site' && presentedCookie(deps, request) !== null) {
    throw new AppError('cross_site');
  }
}

function isOwnOrigin({ config }: Secure, request: FastifyRequest, origin: string): boolean {
  if (origin === config.publicUrl) return true;
  const { host } = request.headers;
  return host !== undefined && (origin === `http://${host}` || origin === `https://${host}`);
}

/**
 * Whether the browser says that neither one of our own pages nor the person at the address bar asked. For the GETs that set cookies: a link on another
 * site comes without our cookies (SameSite), so an answer with cookies would put a guest's in place of a session's.
 */
export function isForeignNavigation(request: { header(name: string): string | null }): boolean {
  const site = request.header('sec-fetch-site');
  return site !== null && site !== 'same-origin' && site !== 'none';
}
