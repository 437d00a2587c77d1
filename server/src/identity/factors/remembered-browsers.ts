/** Browsers that a person is not asked for a second factor in, beside the account password. */
import type { RememberedBrowser } from '@passwordbroker/core/contract/account/factors';
import { AppError } from '@passwordbroker/core/contract/problem';
import { sameBytes } from '@passwordbroker/core/crypto/bytes';
import { recordEvent } from '../../audit/audit-log.ts';
import type { Transact } from '../../db/database.ts';
import type { Caller, Deps, RequestContext } from '../../http/context.ts';
import { DAY, hashOfSecret, type Secure } from '../../http/auth/session.ts';
import { randomText } from '../../platform/ids-and-digests.ts';
import { readSiteSignIn } from '../../platform/site-settings-repository.ts';
import type { UserRow } from '../../users/user-repository.ts';
import { provenFactor, type ProvenFactor } from './proven-factor.ts';

const PER_ACCOUNT = 10;

const cookieName = ({ config }: Secure) =>
  config.publicUrl.startsWith('https:') ? '__Host-pb_remember' : 'pb_remember';

const presentedHash = (deps: Secure, context: Pick<RequestContext, 'cookie'>): Buffer | null => {
  const secret = context.cookie(cookieName(deps));
  return secret === null ? null : hashOfSecret(secret);
};

function setCookie(deps: Deps, { head }: RequestContext, secret: string, expiresAt: number): void {
  const maxAge = Math.floor((expiresAt - deps.clock.now()) / 1000);
  head.setCookie(cookieName(deps), secret, { httpOnly: true, maxAge });
}

/** For how many days the account may be remembered in a browser; 0: not at all. */
export async function rememberDays(deps: Pick<Deps, 'db'>, { is_admin }: Pick<UserRow, 'is_admin'>): Promise<number> {
  return is_admin === 1 ? 0 : (await readSiteSignIn(deps)).remember_days;
}

/** Null if this browser has to be asked. Each use gives it a new secret and keeps the end. */
export async function rememberedFactor(
  deps: Deps,
  context: RequestContext,
  user: UserRow,
): Promise<ProvenFactor | null> {
  const hash = presentedHash(deps, context);
  if (hash === null || user.factor_state !== 'set' || (await rememberDays(deps, user)) === 0) return null;
  const now = deps.clock.now();
  const row = await deps.db.read
    .selectFrom('remembered_browsers')
    .select(['browser_id', 'expires_at'])
    .where('secret_hash', '=', hash)
    .where('user_id', '=', user.user_id)
    .where('epoch', '=', user.epoch)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  if (row === undefined) return null;
  const secret = randomText(32);
  return provenFactor({
    userId: user.user_id,
    kind: 'remembered',
    async spend(tx) {
      const { numUpdatedRows } = await tx
        .updateTable('remembered_browsers')
        .set({ secret_hash: hashOfSecret(secret), last_used_at: now })
        .where('browser_id', '=', row.browser_id)
        .where('secret_hash', '=', hash)
        .executeTakeFirst();
      if (numUpdatedRows !== 1n) throw new AppError('ticket_invalid');
    },
    handOut: () => setCookie(deps, context, secret, row.expires_at),
  });
}

/** Call the returned function after the commit; it sets the cookie. Ends the oldest of more than ten. */
export async function rememberBrowser(
  tx: Transact,
  deps: Deps,
  context: RequestContext,
  { user_id, email, epoch }: UserRow,
  days: number,
): Promise<() => void> {
  const { origin } = context;
  const secret = randomText(32);
  const now = deps.clock.now();
  const expires_at = now + days * DAY;
  const browser_id = deps.newId();
  await deleteOldest(tx, user_id);
  await tx
    .insertInto('remembered_browsers')
    .values({
      browser_id,
      secret_hash: hashOfSecret(secret),
      user_id,
      epoch,
      address: origin.address,
      user_agent: origin.userAgent,
      created_at: now,
      last_used_at: now,
      expires_at,
    })
    .execute();
  const target = { target_type: 'browser', target_id: browser_id };
  await recordEvent(tx, deps, {
    event_type: 'browser_remembered',
    actor: { userId: user_id, email },
    origin,
    ...target,
  });
  return () => setCookie(deps, context, secret, expires_at);
}

async function deleteOldest(tx: Transact, userId: string): Promise<void> {
  const rows = await tx
    .selectFrom('remembered_browsers')
    .select('browser_id')
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .orderBy('browser_id', 'desc')
    .execute();
  const ended = rows.slice(PER_ACCOUNT - 1).map(({ browser_id }) => browser_id);
  if (ended.length > 0) await tx.deleteFrom('remembered_browsers').where('browser_id', 'in', ended).execute();
}

export async function listRemembered(
  deps: Deps,
  context: RequestContext,
  { user_id, epoch }: Pick<UserRow, 'user_id' | 'epoch'>,
): Promise<RememberedBrowser[]> {
  const hash = presentedHash(deps, context);
  const rows = await deps.db.read
    .selectFrom('remembered_browsers')
    .selectAll()
    .where('user_id', '=', user_id)
    .where('epoch', '=', epoch)
    .where('expires_at', '>', deps.clock.now())
    .orderBy('last_used_at', 'desc')
    .orderBy('browser_id', 'desc')
    .execute();
  return rows.map((row) => ({
    browser_id: row.browser_id,
    current: hash !== null && sameBytes(row.secret_hash, hash),
    address: row.address,
    user_agent: row.user_agent,
    created_at: new Date(row.created_at).toISOString(),
    last_used_at: new Date(row.last_used_at).toISOString(),
    expires_at: new Date(row.expires_at).toISOString(),
  }));
}

/** @param browserId absent: all of the caller @throws AppError `not_found` for an unknown one */
export async function forgetBrowsers(deps: Deps, { actor, origin }: Caller, browserId?: string): Promise<number> {
  return deps.db.transact(async (tx) => {
    const own = tx.deleteFrom('remembered_browsers').where('user_id', '=', actor.userId);
    const { numDeletedRows } = await (
      browserId === undefined ? own : own.where('browser_id', '=', browserId)
    ).executeTakeFirst();
    const ended = Number(numDeletedRows);
    if (browserId !== undefined && ended === 0) throw new AppError('not_found');
    const details = { count: ended };
    if (ended > 0) await recordEvent(tx, deps, { event_type: 'browser_forgotten', actor, origin, details });
    return ended;
  });
}

/** @param userId null: of everybody */
export async function endRemembered(tx: Transact, userId: string | null): Promise<void> {
  const all = tx.deleteFrom('remembered_browsers');
  await (userId === null ? all : all.where('user_id', '=', userId)).execute();
}

export async function deleteExpiredBrowsers(tx: Transact, now: number): Promise<void> {
  await tx.deleteFrom('remembered_browsers').where('expires_at', '<=', now).execute();
}
