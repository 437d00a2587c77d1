/** Links of one's own account, and those of others that a site admin ends. */
import type { SsoLink } from '@passwordbroker/core/contract/account/sso';
import { AppError } from '@passwordbroker/core/contract/problem';
import { findAccountInTransaction } from '../../accounts/account-repository.ts';
import { demandOwnSession, demandSiteAdmin } from '../../accounts/change-account.ts';
import { recordEvent } from '../../audit/audit-log.ts';
import type { Transact } from '../../db/database.ts';
import type { Caller, Deps } from '../../http/context.ts';
import { giveNotice } from '../../mail/outbox-repository.ts';
import { SERVER_TEXTS } from '../../platform/texts.ts';
import { findUser } from '../../users/user-repository.ts';
import { acceptsLocalProof, mustLink } from '../local-sign-in/local-sign-in.ts';
import { signsInWithoutPassword } from '../local-sign-in/ways-in.ts';
import { asLink, deleteLink, deleteSessionsOfLink, findLink, insertLink, listLinks } from './link-repository.ts';
import { enabledProviders } from './providers.ts';
import { takeOffer } from './sso-tickets.ts';

type Call = Caller & { readonly deps: Deps };

export async function linksOf({ db, providers }: Deps, userId: string): Promise<SsoLink[]> {
  return (await listLinks(db.read, userId)).map((row) => asLink(row, providers));
}

/** @throws AppError `not_found` */
export async function linksOfUser(deps: Deps, userId: string): Promise<SsoLink[]> {
  if ((await findUser(deps.db, userId)) === undefined) throw new AppError('not_found');
  return linksOf(deps, userId);
}

/** @throws AppError `ticket_invalid`; `conflict` if it is another person's; `already_linked` */
export async function linkOwn({ deps, actor, origin }: Call, ticket: string): Promise<SsoLink> {
  const now = deps.clock.now();
  return deps.db.transact(async (tx) => {
    const user = await demandOwnSession(tx, actor);
    const { providerId, issuer, subject, email } = await takeOffer(tx, deps, actor, ticket);
    const enabled = await enabledProviders({ ...deps, db: { read: tx } });
    // Switched off since the ticket was made.
    if (!enabled.some(({ id }) => id === providerId)) throw new AppError('ticket_invalid');
    const present = await findLink(tx, { issuer, subject });
    if (present?.user_id === actor.userId) return asLink(present, deps.providers);
    if (present !== undefined) throw new AppError('conflict', { message: SERVER_TEXTS.ssoTaken });
    const name = deps.providers.get(providerId)?.name ?? providerId;
    if ((await listLinks(tx, actor.userId)).some((one) => one.provider_id === providerId)) {
      throw new AppError('already_linked', { message: SERVER_TEXTS.ssoLinkedAlready(name) });
    }
    const whose = { link_id: deps.newId(), user_id: actor.userId, provider_id: providerId };
    const row = { ...whose, issuer, subject, email_then: email ?? '', created_at: now, last_used_at: null };
    await insertLink(tx, row);
    await tx.updateTable('users').set({ must_link: 0 }).where('user_id', '=', actor.userId).execute();
    await recordEvent(tx, deps, { event_type: 'sso_linked', actor, origin, details: { provider: providerId } });
    await giveNotice(tx, deps, 'account linked', { to: user, origin, about: name });
    return asLink(row, deps.providers);
  });
}

/** @throws AppError `not_found`; `conflict` for the only way to sign in */
export async function unlinkOwn({ deps, actor, origin }: Call, linkId: string): Promise<undefined> {
  await deps.db.transact(async (tx) => {
    const user = await demandOwnSession(tx, actor);
    await removeLink(tx, deps, user.user_id, linkId);
    const known = { ...deps, db: { read: tx } };
    const hasPassword = user.has_password === 1 && (await acceptsLocalProof(known, user));
    if (!hasPassword && !(await signsInWithoutPassword(known, user))) {
      throw new AppError('conflict', { message: SERVER_TEXTS.onlyWayIn });
    }
    await recordEvent(tx, deps, { event_type: 'sso_unlinked', actor, origin });
    await giveNotice(tx, deps, 'account unlinked', { to: user, origin });
  });
  return undefined;
}

/**
 * Also removes the only way to sign in, for a person who has a new account at the provider. The person then needs an
 * account password from an admin to sign in and link again.
 */
export async function unlinkUser({ deps, actor, origin }: Call, userId: string, linkId: string): Promise<undefined> {
  await deps.db.transact(async (tx) => {
    await demandSiteAdmin(tx, actor);
    const user = await findAccountInTransaction(tx, userId);
    if (user === undefined) throw new AppError('not_found');
    await removeLink(tx, deps, userId, linkId);
    const target = { target_type: 'user', target_id: userId };
    await recordEvent(tx, deps, { event_type: 'sso_unlinked', actor, origin, ...target });
    await giveNotice(tx, deps, 'account unlinked', { to: user, origin, by: actor });
  });
  return undefined;
}

async function removeLink(tx: Transact, { providers }: Deps, userId: string, linkId: string): Promise<void> {
  const row = await deleteLink(tx, { linkId, userId });
  if (row === undefined) throw new AppError('not_found');
  // The issuer signs in under each of its names: the operator may have given it another since.
  const names = [...providers.values()].filter(({ issuer }) => issuer === row.issuer).map(({ id }) => id);
  await deleteSessionsOfLink(tx, userId, [row.provider_id, ...names]);
  if ((await listLinks(tx, userId)).length > 0) return;
  const must_link = await mustLink(tx);
  await tx.updateTable('users').set({ must_link }).where('user_id', '=', userId).execute();
}
