/**
 * CSRF protection (docs/spec/threats.md §3.1.3): the client repeats the cookie `random.HMAC(session secret,
 * random)` in a header. The secret is HttpOnly, so other sites cannot make a pair.
 */
import type { FastifyRequest, FastifyReply } from 'fastify';
import { AppError } from '@passwordbroker/core/contract/problem';
import { encodePieces, sameBytes } from '@passwordbroker/core/crypto/bytes';
import { hmacSha256, randomText, sameText, sha256 } from '../../platform/ids-and-digests.ts';
import type { Actor, AnswerHead, Deps } from '../context.ts';
import { isGuestSecret, presentedCookie, type Secure } from './session.ts';

const UNSAFE = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

function macOf(secret: string, random: string): string {
  return hmacSha256(Buffer.from(secret), encodePieces(['csrf', random])).toString('base64url');
}

export function setCsrfCookie(head: AnswerHead, secret: string): void {
  const random = randomText(18);
  head.setCookie('XSRF-TOKEN', `${random}.${macOf(secret, random)}`, { httpOnly: false });
}

/** @throws AppError `csrf_mismatch` */
export function checkCsrf(deps: Secure, request: FastifyRequest, method: string, actor: Actor | null): void {
  if (!UNSAFE.has(method) || request.headers.authorization !== undefined) return;
  const secret = presentedCookie(deps, request);
  const sent = request.headers['x-xsrf-token'];
  const cookie = request.cookies['XSRF-TOKEN'];
  // An expired session's secret proves nothing.
  const isLive = secret !== null && (actor !== null || isGuestSecret(secret));
  if (!isLive || typeof sent !== 'string' || cookie === undefined || !sameText(sent, cookie)) {
    throw new AppError('csrf_mismatch');
  }
  if (!isMadeFor(secret, sent)) throw new AppError('csrf_mismatch');
}

/** Verified tokens, which a page sends again. */
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

/** @throws AppError `cross_site` for another origin (docs/spec/api.md §1.4) */
export function refuseOtherSites(deps: Secure, request: FastifyRequest): void {
  const { origin } = request.headers;
  const isAdmitted =
    origin === undefined ||
    isOwnOrigin(deps, request, origin) ||
    deps.config.corsOrigins.includes(origin) ||
    isExtensionWithToken(request, origin);
  if (!isAdmitted) throw new AppError('cross_site');
  if (request.headers['sec-fetch-site'] === 'cross-site' && presentedCookie(deps, request) !== null) {
    throw new AppError('cross_site');
  }
}

/** Browser extensions may send cookies of people, too: they need the header that makes cookies not count. */
const isExtensionWithToken = ({ headers }: FastifyRequest, origin: string) =>
  /^(?:chrome|moz)-extension:\/\//.test(origin) && /^Bearer /i.test(headers.authorization ?? '');

function isOwnOrigin({ config }: Secure, request: FastifyRequest, origin: string): boolean {
  if (origin === config.publicUrl) return true;
  const { host } = request.headers;
  return host !== undefined && (origin === `http://${host}` || origin === `https://${host}`);
}

/**
 * Whether another site caused this GET. Our cookies are then absent, and setting some would replace a
 * session.
 */
export function isForeignNavigation(request: { header(name: string): string | null }): boolean {
  const site = request.header('sec-fetch-site');
  return site !== null && site !== 'same-origin' && site !== 'none';
}

const METHODS = 'GET, POST, PUT, PATCH, DELETE';
const HEADERS = 'Authorization, Content-Type, X-XSRF-TOKEN, X-PB-Proof, X-PB-Client, X-Setup-Token, If-Match';

/** Lets pages of `CORS_ORIGINS` read the response. */
export function allowListedOrigin(
  { config }: Pick<Deps, 'config'>,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const { origin } = request.headers;
  if (config.corsOrigins.length === 0) return;
  reply.header('vary', 'Origin');
  if (origin === undefined || !config.corsOrigins.includes(origin)) return;
  reply.header('access-control-allow-origin', origin);
  reply.header('access-control-allow-credentials', 'true');
  reply.header('access-control-expose-headers', 'Date, Link, Retry-After, X-Operation-Id');
}

export function answerPreflight(
  deps: Pick<Deps, 'config'>,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const { origin } = request.headers;
  if (origin === undefined || !deps.config.corsOrigins.includes(origin)) throw new AppError('method_not_allowed');
  return reply
    .code(204)
    .header('access-control-allow-methods', METHODS)
    .header('access-control-allow-headers', HEADERS)
    .header('access-control-max-age', '600')
    .send();
}
