import type { SiteToken, siteTokens } from '@passwordbroker/core/contract/account/credentials';
import type { QueryOf } from '@passwordbroker/core/contract/endpoint';
import { AppError } from '@passwordbroker/core/contract/problem';
import { foldText } from '@passwordbroker/core/domain/search-query';
import { findAccountInAct } from '../accounts/account-repository.ts';
import { recordEvent } from '../audit/audit-log.ts';
import type { Deps } from '../http/context.ts';
import { deleteToken, listTokens } from '../http/auth/session-repository.ts';
import { DAY, tokenEnd } from '../http/auth/session.ts';
import { giveNotice } from '../mail/notices.ts';
import type { Operator } from '../operations/caller.ts';
import { pageOf, spanOf } from '../operations/page.ts';
import { readSiteLimits } from '../platform/site-settings-repository.ts';
import { asToken } from './own-credentials.ts';

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
    const owner = await findAccountInAct(tx, userId);
    if (owner !== undefined)
      await giveNotice(tx, deps, 'token revoked', { to: owner, origin: by.origin, by: by.actor });
  });
}
