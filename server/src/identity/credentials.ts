import type {
  Session,
  Token,
  createToken,
  SiteToken,
  siteTokens,
} from '@passwordbroker/core/contract/account/credentials';
import type { BodyOf, QueryOf } from '@passwordbroker/core/contract/endpoint';
import { AppError, refuse } from '@passwordbroker/core/contract/problem';
import { demandOwnSession } from '../accounts/change-account.ts';
import { recordEvent } from '../audit/audit-log.ts';
import type { Actor, Context, Deps, Origin, Operator } from '../http/context.ts';
import {
  deleteOtherSessions,
  deleteOwnSession,
  listSessions,
  type NewSession as SessionRow,
  deleteToken,
  listTokens,
} from '../http/auth/session-repository.ts';
import { scopesOf, tokenEnd, DAY } from '../http/auth/session.ts';
import { giveNotice } from '../mail/outbox-repository.ts';
import { readSiteLimits } from '../platform/site-settings-repository.ts';
import { SERVER_TEXTS } from '../platform/texts.ts';
import { asUser } from '../users/user-repository.ts';
import { grantToken } from './grant-session.ts';
import { proofOfActor } from './sign-in-proof.ts';
import { foldText } from '@passwordbroker/core/domain/search-text';
import { findAccountInTransaction } from '../accounts/account-repository.ts';
import { pageOf, spanOf } from '../operations/page.ts';

const MINUTE = 60_000;
const time = (ms: number) => new Date(ms).toISOString();

export async function listOwnSessions(deps: Deps, actor: Actor): Promise<Session[]> {
  const now = deps.clock.now();
  const [rows, { session_idle_minutes, session_hours }] = await Promise.all([
    listSessions(deps.db, actor.userId, 'cookie', now),
    readSiteLimits(deps),
  ]);
  return rows
    .map((row) => ({
      ...row,
      // Use is stored with a delay (`http/auth/session.ts`).
      last_seen_at: row.session_id === actor.sessionId ? now : row.last_seen_at,
      expires_at: Math.min(row.expires_at, row.created_at + session_hours * 60 * MINUTE),
    }))
    .filter((row) => now < row.expires_at && now < row.last_seen_at + session_idle_minutes * MINUTE)
    .sort((a, b) => b.last_seen_at - a.last_seen_at)
    .map((row) => ({
      session_id: row.session_id,
      current: row.session_id === actor.sessionId,
      address: row.address,
      user_agent: row.user_agent,
      created_at: time(row.created_at),
      last_seen_at: time(row.last_seen_at),
      expires_at: time(row.expires_at),
      method: row.method,
      factor: row.factor === '' ? null : row.factor,
      ...providerName(deps, row.provider_id),
      ...programOf(row),
    }));
}

const providerName = ({ providers }: Deps, id: string | null) =>
  id === null ? {} : { provider_name: providers.get(id)?.name ?? id };

export async function listOwnTokens(deps: Deps, actor: Actor): Promise<Token[]> {
  const now = deps.clock.now();
  const [rows, { token_days }] = await Promise.all([
    listSessions(deps.db, actor.userId, 'token', now),
    readSiteLimits(deps),
  ]);
  return rows
    .map((row) => ({ ...row, expires_at: tokenEnd(row, token_days) }))
    .filter(({ expires_at }) => now < expires_at)
    .map((row) => ({
      ...asToken(row),
      factor: row.factor === '' ? null : row.factor,
      current: row.session_id === actor.sessionId,
    }));
}

type Program = Pick<SessionRow, 'face' | 'client_version'>;

const programOf = ({ face, client_version }: Program): Pick<Session, 'face' | 'client_version'> =>
  face === null || client_version === null ? {} : { face, client_version };

type TokenRow = Program &
  Pick<SessionRow, 'session_id' | 'name' | 'scopes' | 'created_at' | 'last_seen_at' | 'expires_at'>;

const asToken = (row: TokenRow): Omit<Token, 'current' | 'factor'> => ({
  token_id: row.session_id,
  name: row.name ?? '',
  scopes: scopesOf(row.scopes ?? ''),
  created_at: time(row.created_at),
  last_used_at: time(row.last_seen_at),
  expires_at: time(row.expires_at),
  ...programOf(row),
});

type Creating = Context<typeof createToken, BodyOf<typeof createToken>>;

/** @throws AppError `forbidden` for a scope that the token lacks; `validation` */
export async function createOwnToken(context: Creating) {
  const { deps, actor, body } = context;
  const { token_name: name, expires_in_days: days, scopes = actor.scopes ?? undefined } = body;
  const held = actor.scopes;
  // A token cannot create one with more scopes.
  if (held !== null && (scopes ?? []).some((scope) => !held.includes(scope))) throw new AppError('forbidden');
  const { token_days } = await readSiteLimits(deps);
  if ((days ?? 0) > token_days) throw refuse('expires_in_days', SERVER_TEXTS.tokenTooLong(token_days));
  return deps.db.transact(async (tx) => {
    const user = await demandOwnSession(tx, actor);
    await giveNotice(tx, deps, 'token created', { to: user, origin: context.origin });
    const proof = proofOfActor(actor, user);
    const { isRenewal: _, ...granted } = await grantToken(tx, deps, context, proof, { name, days, scopes });
    return { ...granted, user: asUser(user) };
  });
}

interface Caller {
  readonly deps: Deps;
  readonly actor: Actor;
  readonly origin: Origin;
}

/** @throws AppError `not_found` */
export async function endOwn(
  { deps, actor, origin }: Caller,
  kind: 'cookie' | 'token',
  sessionId: string,
): Promise<undefined> {
  await deps.db.transact(async (tx) => {
    const wasThere = await deleteOwnSession(tx, { sessionId, userId: actor.userId, kind });
    if (!wasThere) throw new AppError('not_found');
    const event = kind === 'token' ? ('token_revoked' as const) : ('session_ended' as const);
    const target_type = kind === 'token' ? 'token' : 'session';
    await recordEvent(tx, deps, { event_type: event, actor, origin, target_type, target_id: sessionId });
  });
  return undefined;
}

/** Called with a token, ends all sessions. */
export async function endOthers({ deps, actor, origin }: Caller): Promise<{ ended: number }> {
  const ended = await deps.db.transact(async (tx) => {
    const count = await deleteOtherSessions(tx, actor.userId, actor.sessionId);
    if (count > 0) await recordEvent(tx, deps, { event_type: 'session_ended', actor, origin, details: { count } });
    return count;
  });
  return { ended };
}

/** Most recently used first. */
export async function listAllTokens(deps: Deps): Promise<SiteToken[]> {
  const now = deps.clock.now();
  const { token_days } = await readSiteLimits(deps);
  const rows = await listTokens(deps.db, { now, madeSince: now - token_days * DAY });
  return rows.map((row) => ({
    ...asToken({ ...row, expires_at: tokenEnd(row, token_days) }),
    user: { user_id: row.user_id, name: row.user_name, email: row.email },
  }));
}

/** Filters in JavaScript: databases fold text differently. */
export async function siteTokensPage(deps: Deps, query: QueryOf<typeof siteTokens>) {
  const q = foldText(query.q ?? '');
  const found = (await listAllTokens(deps)).filter(({ name, user }) =>
    [name, user.name, user.email].some((text) => foldText(text).includes(q)),
  );
  const { offset, limit } = spanOf(query);
  return pageOf(found.slice(offset, offset + limit), found.length, query);
}

/** Notifies the owner. @throws AppError `not_found` */
export async function revokeTokenOf(deps: Deps, by: Operator, tokenId: string): Promise<void> {
  await deps.db.transact(async (tx) => {
    const userId = await deleteToken(tx, tokenId);
    if (userId === undefined) throw new AppError('not_found');
    const target = { target_type: 'token', target_id: tokenId, details: { user_id: userId } };
    await recordEvent(tx, deps, { event_type: 'token_revoked', ...by, ...target });
    const owner = await findAccountInTransaction(tx, userId);
    if (owner !== undefined)
      await giveNotice(tx, deps, 'token revoked', { to: owner, origin: by.origin, by: by.actor });
  });
}
