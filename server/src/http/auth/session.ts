/**
 * Finds the caller (docs/spec/threats.md §3.1.1–§3.1.2, §3.1.6, §3.1.14). Cookies: `s.` for sessions, `p.`
 * for guests, then 256 random bits.
 */
import type { FastifyRequest } from 'fastify';
import { CLIENT_HEADER } from '@passwordbroker/core/contract/client';
import { readClient, type SaidClient } from '@passwordbroker/core/contract/faces';
import { SCOPES } from '@passwordbroker/core/contract/endpoint';
import { latestPast } from '../../platform/clock.ts';
import { admits } from '../../platform/networks.ts';
import { randomText, sha256 } from '../../platform/ids-and-digests.ts';
import { DEFAULT_SITE_LIMITS } from '../../platform/site-settings-repository.ts';
import type { Actor, AnswerHead, Deps, RequestContext } from '../context.ts';
import type { Transact } from '../../db/database.ts';
import type { Tables } from '../../db/schema/tables.ts';
import { findService, isServiceToken } from './service-session.ts';
import { findSession, touchSession } from './session-repository.ts';

const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

export type Secure = Pick<Deps, 'config'>;

/** With HTTPS, `__Host-` stops other hosts of the domain from setting the cookie. */
const sessionCookieName = ({ config }: Secure) =>
  config.publicUrl.startsWith('https:') ? '__Host-pb_session' : 'pb_session';

export const newSessionSecret = () => `s.${randomText(32)}`;
const newGuestSecret = () => `p.${randomText(32)}`;
export const isGuestSecret = (secret: string) => /^p\.[\w-]{43}$/.test(secret);
/** `pbt_`, public token id, 256 random bits. */
export const newTokenSecret = (tokenId: string) => `pbt_${tokenId.replaceAll('-', '')}_${randomText(32)}`;
export const hashOfSecret = (secret: string) => sha256(Buffer.from(secret));

/** False with `Authorization`, and for other origins that CORS allows. */
export function cookiesCount({ config }: Secure, request: FastifyRequest): boolean {
  if (request.headers.authorization !== undefined) return false;
  const { origin } = request.headers;
  return origin === undefined || origin === config.publicUrl || !config.corsOrigins.includes(origin);
}

export function presentedCookie(deps: Secure, request: FastifyRequest): string | null {
  return cookiesCount(deps, request) ? (request.cookies[sessionCookieName(deps)] ?? null) : null;
}

const BEARER = /^Bearer +(pb[ts]_[\w-]+) *$/i;

/** Of a person or of a service account. */
export function presentedToken({ headers }: FastifyRequest): string | null {
  return BEARER.exec(headers.authorization ?? '')?.[1] ?? null;
}

/** What the program says about itself. */
export function clientOf({ headers }: FastifyRequest): SaidClient | null {
  const said = headers[CLIENT_HEADER.toLowerCase()];
  return typeof said === 'string' ? readClient(said) : null;
}

/** Null without a valid credential, from a forbidden address, or if disabled. */
export async function findActor(
  deps: Pick<Deps, 'db' | 'clock' | 'config' | 'providers'>,
  uses: SessionUse,
  request: FastifyRequest,
): Promise<Actor | null> {
  const isBearer = request.headers.authorization !== undefined;
  const secret = isBearer ? presentedToken(request) : presentedCookie(deps, request);
  if (secret === null || (!isBearer && !secret.startsWith('s.'))) return null;
  if (isBearer && isServiceToken(secret)) return findService(deps, uses.noteUse, secret, request.ip);
  const row = await findSession(deps.db, hashOfSecret(secret));
  if (row === undefined || row.kind !== (isBearer ? 'token' : 'cookie')) return null;
  if (!isAdmitted(row, request.ip)) return null;
  const lastUse = uses.lastUse(row.session_id, row.last_seen_at);
  const now = deps.clock.now();
  if (now >= endOf(row, lastUse)) return null;
  // The session's age is unknown after the clock was set back.
  if (row.kind === 'cookie' && Math.max(row.created_at, lastUse) > latestPast(now)) return null;
  // The session began before the account got its second factor.
  if (row.kind === 'cookie' && row.factor_state === 'set' && row.factor === '') return null;
  if (row.provider_id !== null && !isProviderOn(deps, row.provider_id)) return null;
  uses.note(row, clientOf(request));
  return {
    userId: row.user_id,
    name: row.name,
    email: row.email,
    isAdmin: row.is_admin === 1,
    isAuditor: row.is_auditor === 1,
    serverCryptoOptOut: row.server_crypto_opt_out === 1,
    hasKeys: row.keyset_version > 0,
    scopes: row.scopes === null ? null : scopesOf(row.scopes),
    sessionId: row.session_id,
    epoch: row.epoch,
    confirmedAt: row.confirmed_at,
    hasWeakPassword: row.weak_password === 1,
    method: row.method,
    factor: row.factor,
    factorState: row.factor_state,
    provider: providerOf(row, now),
    service: null,
    restriction: restrictionOf(row, now, deps.config),
  };
}

/** False for an identity provider that is no longer in the environment, or is switched off there. */
function isProviderOn({ providers }: Pick<Deps, 'providers'>, id: string): boolean {
  const known = providers.get(id);
  return known !== undefined && known.fixed.enabled !== false;
}

type ProviderColumns = Pick<Tables['sessions'], 'provider_id' | 'provider_sid' | 'expires_at'>;

/** A session that replaces this one ends at the same time. */
function providerOf({ provider_id, provider_sid, expires_at }: ProviderColumns, now: number): Actor['provider'] {
  if (provider_id === null) return null;
  return { id: provider_id, sid: provider_sid, hours: (expires_at - now) / HOUR, isFresh: false };
}

type BreakGlass = Pick<Tables['users'], 'is_admin' | 'break_glass' | 'has_password' | 'factor_state'>;

/** Whether the account is named a break-glass account and still has what one needs (docs/adr/0035-single-sign-on.md). */
export const isBreakGlass = (user: BreakGlass): boolean =>
  user.break_glass === 1 && user.is_admin === 1 && user.has_password === 1 && user.factor_state !== 'none';

type Restricted = Pick<Tables['users'], 'factor_due_at' | 'must_link'> & Pick<Actor, 'factor' | 'method'> & BreakGlass;

function restrictionOf(row: Restricted, now: number, { allowsLocalSignIn }: Secure['config']): Actor['restriction'] {
  const { factor_state, factor_due_at, factor, method, must_link } = row;
  const isLocal = method === 'password' || method === 'passkey';
  if (!allowsLocalSignIn && must_link === 1 && isLocal && !isBreakGlass(row)) return 'link';
  const isOverdue = factor === '' && factor_due_at !== null && factor_due_at <= now;
  return factor_state === 'reset' || isOverdue ? 'second factor' : null;
}

interface NetworkLists {
  readonly sign_in_networks: string | null;
  readonly admin_networks: string | null;
}

export const isAdmitted = (
  { sign_in_networks, admin_networks, is_admin }: NetworkLists & { readonly is_admin: number },
  address: string,
): boolean => admits(sign_in_networks ?? '', address) && (is_admin === 0 || admits(admin_networks ?? '', address));

export const scopesOf = (text: string) => SCOPES.filter((scope) => text.split(' ').includes(scope));

export const tokenEnd = (row: { readonly expires_at: number; readonly created_at: number }, days: number): number =>
  Math.min(row.expires_at, row.created_at + days * DAY);

/** Also limits existing sessions; tokens have no idle limit. */
function endOf(row: NonNullable<Awaited<ReturnType<typeof findSession>>>, lastUse: number): number {
  if (row.kind === 'token') return tokenEnd(row, Number(row.token_days ?? DEFAULT_SITE_LIMITS.token_days));
  const idle = Number(row.idle_minutes ?? DEFAULT_SITE_LIMITS.session_idle_minutes) * MINUTE;
  const absolute = Number(row.hours ?? DEFAULT_SITE_LIMITS.session_hours) * HOUR;
  return Math.min(row.expires_at, row.created_at + absolute, lastUse + idle);
}

export const presentsSession = (deps: Secure, context: Pick<RequestContext, 'cookie'>): boolean =>
  context.cookie(sessionCookieName(deps)) !== null;

export function setSessionCookie(deps: Secure, head: AnswerHead, secret: string): void {
  head.setCookie(sessionCookieName(deps), secret, { httpOnly: true });
}

/** The session's or guest's secret; null in a program without cookies. */
export const presentedSecret = (deps: Secure, context: Pick<RequestContext, 'cookie'>): string | null =>
  context.cookie(sessionCookieName(deps));

/** Binds a CSRF token to the session or guest, never to an expired session. */
export function csrfSecret(deps: Secure, context: Pick<RequestContext, 'actor' | 'cookie' | 'head'>): string {
  const presented = presentedSecret(deps, context);
  if (presented !== null && (context.actor !== null || isGuestSecret(presented))) return presented;
  return startGuestSession(deps, context.head);
}

export function startGuestSession(deps: Secure, head: AnswerHead): string {
  const secret = newGuestSecret();
  setSessionCookie(deps, head, secret);
  return secret;
}

/** For one session. */
const WRITE_EVERY_MS = 60_000;
/** A written use is remembered this long, for requests that read the row before. */
const REMEMBERED_MS = 30_000;

type UsedSession = Pick<Tables['sessions'], 'session_id' | 'last_seen_at' | 'face' | 'client_version'>;

/** @param usedAt Unix ms */
type StoreUse = (tx: Transact, usedAt: number) => Promise<void>;

/** Writes last uses in the background. */
export interface SessionUse {
  lastUse(sessionId: string, storedAt: number): number;
  /** @param client the program that uses it; null: as stored */
  note(session: UsedSession, client: SaidClient | null): void;
  /** Of what is not a session. @param storedAt Unix ms of the last stored use */
  readonly noteUse: (id: string, storedAt: number, store: StoreUse) => void;
  flush(): Promise<void>;
}

export function sessionUse({ db, clock, log }: Pick<Deps, 'db' | 'clock' | 'log'>): SessionUse {
  const unwritten = new Map<string, { readonly at: number; readonly store: StoreUse }>();
  const writing = new Map<string, Promise<void>>();
  const written = new Map<string, number>();

  const remember = (sessionId: string, usedAt: number) => {
    written.set(sessionId, usedAt);
    const forget = () => written.get(sessionId) === usedAt && written.delete(sessionId);
    setTimeout(forget, REMEMBERED_MS).unref();
  };

  const write = async (sessionId: string) => {
    try {
      for (let use = unwritten.get(sessionId); use !== undefined; use = unwritten.get(sessionId)) {
        const { at, store } = use;
        await db.transactBeside((tx) => store(tx, at));
        remember(sessionId, at);
        if (unwritten.get(sessionId) === use) unwritten.delete(sessionId);
      }
    } catch (error) {
      log.error({ error }, 'The last use of a session could not be stored');
    } finally {
      writing.delete(sessionId);
    }
  };
  const lastUse = (sessionId: string, storedAt: number) =>
    Math.max(storedAt, unwritten.get(sessionId)?.at ?? storedAt, written.get(sessionId) ?? storedAt);
  const noteUse: SessionUse['noteUse'] = (id, storedAt, store) => {
    const now = clock.now();
    if (now < lastUse(id, storedAt) + WRITE_EVERY_MS) return;
    unwritten.set(id, { at: now, store });
    if (!writing.has(id)) writing.set(id, write(id));
  };
  return {
    lastUse,
    note({ session_id, last_seen_at, face, client_version }, client) {
      const program =
        client === null ? { face, client_version } : { face: client.face, client_version: client.version };
      noteUse(session_id, last_seen_at, (tx, usedAt) =>
        touchSession(tx, session_id, { last_seen_at: usedAt, ...program }),
      );
    },
    noteUse,
    async flush() {
      await Promise.all(writing.values());
    },
  };
}
