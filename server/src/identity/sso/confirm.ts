/** A fresh sign-in at an identity provider, for people whose account password does not confirm. */
import { AppError } from '@passwordbroker/core/contract/problem';
import { demandOwnSession } from '../../accounts/change-account.ts';
import type { Transact } from '../../db/database.ts';
import { freshUntil } from '../../http/auth/authorise.ts';
import { confirmSession } from '../../http/auth/session-repository.ts';
import type { Actor, Deps } from '../../http/context.ts';
import type { UserRow } from '../../users/user-repository.ts';
import { acceptsLocalProof } from '../local-sign-in/local-sign-in.ts';
import { listLinks } from './link-repository.ts';
import { enabledProviders, type EnabledProvider } from './providers.ts';
import type { SignInState } from './sign-in-state.ts';

/** How much the clock of the provider may differ. */
const TOLERANCE_MS = 60_000;

/** The enabled providers that this account is linked to; none while its account password confirms. */
export async function providersThatConfirm(deps: Deps, user: UserRow): Promise<EnabledProvider[]> {
  const enabled = await enabledProviders(deps);
  if (enabled.length === 0) return [];
  if (user.has_password === 1 && (await acceptsLocalProof(deps, user))) return [];
  const issuers = (await listLinks(deps.db.read, user.user_id)).map(({ issuer }) => issuer);
  return enabled.filter(({ issuer }) => issuers.includes(issuer));
}

/** Whether the provider asked the person after this way to it began. @param authTime Unix ms; null: it did not say */
export const askedAgain = (authTime: number | null, { at }: Pick<SignInState, 'at'>, now: number): boolean =>
  authTime !== null && authTime >= at * 1000 - TOLERANCE_MS && authTime <= now + TOLERANCE_MS;

/** @param settle checks in the transaction that link and provider still hold */
export async function confirmOwnSession(
  deps: Deps,
  actor: Actor,
  settle: (tx: Transact) => Promise<void>,
): Promise<{ fresh_until: string }> {
  const now = deps.clock.now();
  await deps.db.transact(async (tx) => {
    await demandOwnSession(tx, actor);
    await settle(tx);
    await confirmSession(tx, actor.sessionId, now);
  });
  return { fresh_until: new Date(freshUntil({ confirmedAt: now })).toISOString() };
}

/** @throws AppError `unauthenticated`; `forbidden` for a token */
export function demandBrowserSession(actor: Actor | null): Actor {
  if (actor === null) throw new AppError('unauthenticated');
  if (actor.scopes !== null) throw new AppError('forbidden');
  return actor;
}
