import type { Scope } from '@passwordbroker/core/contract/endpoint';
import { AppError } from '@passwordbroker/core/contract/problem';
import { findAccountInTransaction } from '../accounts/account-repository.ts';
import { recordEvent } from '../audit/audit-log.ts';
import type { Database, Transact } from '../db/database.ts';
import type { Deps, RequestContext } from '../http/context.ts';
import { setCsrfCookie } from '../http/auth/cross-site.ts';
import {
  DAY,
  HOUR,
  hashOfSecret,
  isAdmitted,
  newSessionSecret,
  newTokenSecret,
  setSessionCookie,
} from '../http/auth/session.ts';
import { deleteSession, deleteTokenOfName, insertSession } from '../http/auth/session-repository.ts';
import { SERVER_TEXTS } from '../platform/texts.ts';
import { readSiteLimits, readSiteNetworks } from '../platform/site-settings-repository.ts';
import { rememberDevice } from './account-password.ts';
import type { Grantee, SignInProof } from './sign-in-proof.ts';

/**
 * Ends the request's session (against session fixation). Call the returned function after the commit; it sets
 * the cookies.
 */
export async function grantSession(
  tx: Transact,
  deps: Deps,
  context: RequestContext,
  proof: SignInProof,
): Promise<() => void> {
  const { user } = proof;
  const secret = newSessionSecret();
  const now = deps.clock.now();
  const { session_hours } = await readSiteLimits({ db: { read: tx } });
  await requireAdmitted(tx, context, user);
  if (context.actor !== null) await deleteSession(tx, context.actor.sessionId);
  await insertSession(tx, {
    ...commonRow(context, proof, now),
    session_id: deps.newId(),
    secret_hash: hashOfSecret(secret),
    kind: 'cookie',
    name: null,
    scopes: null,
    expires_at: now + Math.round(Math.min(session_hours, proof.provider?.hours ?? session_hours) * HOUR),
    provider_id: proof.provider?.id ?? null,
    provider_sid: proof.provider?.sid ?? null,
  });
  return () => {
    setSessionCookie(deps, context.head, secret);
    setCsrfCookie(context.head, secret);
    rememberDevice(deps, context, user.email, user.password_hash);
  };
}

export interface WantedToken {
  readonly name: string;
  readonly days?: number | undefined;
  readonly scopes?: readonly Scope[] | undefined;
}

export interface GrantedToken {
  readonly token: string;
  readonly token_id: string;
  readonly expires_at: string;
  readonly isRenewal: boolean;
}

const DEFAULT_DAYS = 90;
const DEFAULT_SCOPES: readonly Scope[] = ['read', 'write', 'offline'];

/**
 * Replaces a token of the same name.
 * @throws AppError `ticket_invalid` if the account got or lost its second factor after the proof was judged
 */
export async function grantToken(
  tx: Transact,
  deps: Deps,
  context: RequestContext,
  proof: SignInProof,
  { name, days, scopes = DEFAULT_SCOPES }: WantedToken,
): Promise<GrantedToken> {
  const { user } = proof;
  const now = deps.clock.now();
  const tokenId = deps.newId();
  const token = newTokenSecret(tokenId);
  const { token_days } = await readSiteLimits({ db: { read: tx } });
  const expiresAt = now + Math.min(days ?? DEFAULT_DAYS, token_days) * DAY;
  await requireAdmitted(tx, context, user);
  await demandSameFactorState(tx, user);
  const isRenewal = await deleteTokenOfName(tx, user.user_id, name);
  await insertSession(tx, {
    ...commonRow(context, proof, now),
    session_id: tokenId,
    secret_hash: hashOfSecret(token),
    kind: 'token',
    name,
    scopes: [...new Set(scopes)].join(' '),
    expires_at: expiresAt,
    provider_id: null,
    provider_sid: null,
  });
  await recordEvent(tx, deps, {
    event_type: 'token_created',
    actor: { userId: user.user_id, email: user.email },
    target_type: 'token',
    target_id: tokenId,
    origin: context.origin,
  });
  return { token, token_id: tokenId, expires_at: new Date(expiresAt).toISOString(), isRenewal };
}

/** A session without the new factor is refused at each request (`findActor`), a token is not. */
async function demandSameFactorState(tx: Transact, { user_id, factor_state }: Grantee): Promise<void> {
  const row = await findAccountInTransaction(tx, user_id);
  if (row?.factor_state !== factor_state) throw new AppError('ticket_invalid');
}

/** @throws AppError `forbidden` for addresses that may not sign in */
export async function requireAdmitted(
  read: Pick<Database, 'read'>['read'],
  { origin }: Pick<RequestContext, 'origin'>,
  user: Pick<Grantee, 'is_admin'>,
): Promise<void> {
  const networks = await readSiteNetworks({ db: { read } });
  if (isAdmitted({ ...networks, is_admin: user.is_admin }, origin.address)) return;
  throw new AppError('forbidden', { message: SERVER_TEXTS.addressNotAdmitted(origin.address) });
}

const commonRow = (
  { origin }: RequestContext,
  { user, method, factor, confirmedAt, hasWeakPassword }: SignInProof,
  now: number,
) => ({
  user_id: user.user_id,
  epoch: user.epoch,
  method,
  factor,
  confirmed_at: confirmedAt,
  weak_password: hasWeakPassword ? (1 as const) : (0 as const),
  address: origin.address,
  user_agent: origin.userAgent,
  face: origin.client?.face ?? null,
  client_version: origin.client?.version ?? null,
  created_at: now,
  last_seen_at: now,
});
