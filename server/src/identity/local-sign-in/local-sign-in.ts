/** Whether account passwords and passkeys sign in beside identity providers: the site setting `local_sign_in`. */
import { AppError } from '@passwordbroker/core/contract/problem';
import type { SignInSettings } from '@passwordbroker/core/contract/site/site';
import type { Database, Transact } from '../../db/database.ts';
import { isBreakGlass } from '../../http/auth/session.ts';
import type { Deps, Operator, RequestContext } from '../../http/context.ts';
import { noticeToSiteAdmins } from '../../mail/outbox-repository.ts';
import { readSiteSignIn } from '../../platform/site-settings-repository.ts';
import { SERVER_TEXTS } from '../../platform/texts.ts';
import type { UserRow } from '../../users/user-repository.ts';
import { enabledProviders } from '../sso/providers.ts';
import { breakGlassIds, countBreakGlass, recordBreakGlass } from './break-glass.ts';

type Mode = SignInSettings['local_sign_in'];

/** In a transaction pass `{ read: tx }` as `db`. */
type Known = Pick<Deps, 'config' | 'providers'> & { readonly db: Pick<Database, 'read'> };

/** The setting, unless the environment overrules it. */
async function localSignIn({ db, config }: Known): Promise<Mode> {
  if (config.allowsLocalSignIn) return 'allowed';
  return (await readSiteSignIn({ db })).local_sign_in;
}

/** Whether the account password and the passkeys of this account sign in, and the password confirms. */
export const acceptsLocalProof = async (known: Known, user: UserRow): Promise<boolean> =>
  isBreakGlass(user) || (await localSignIn(known)) !== 'off';

/** Call it after a right proof only, so that others learn nothing. @throws AppError `local_sign_in_off` */
export async function demandLocalSignIn(known: Known, user: UserRow): Promise<void> {
  if (await acceptsLocalProof(known, user)) return;
  const names = (await enabledProviders(known)).map(({ name }) => name).join(', ');
  throw new AppError('local_sign_in_off', { message: SERVER_TEXTS.signInWith(names) });
}

/**
 * `demandLocalSignIn` again in the transaction that grants the session or token, because the setting may have changed
 * since. Records the use of a break-glass account. @throws AppError `local_sign_in_off`
 */
export async function settleLocalSignIn(
  tx: Transact,
  deps: Deps,
  context: RequestContext,
  user: UserRow,
): Promise<void> {
  const known = { ...deps, db: { read: tx } };
  await demandLocalSignIn(known, user);
  if (isBreakGlass(user) && (await localSignIn(known)) === 'off') await recordBreakGlass(tx, deps, context, user);
}

/** Whether people may sign up with an account password. */
export const acceptsNewPasswords = async (known: Known): Promise<boolean> => (await localSignIn(known)) !== 'off';

/** Whether the account password signs in at least one person. */
export const hasLocalSignIn = async (known: Known): Promise<boolean> =>
  (await acceptsNewPasswords(known)) || (await countBreakGlass(known.db.read)) > 0;

/** Ids of the enabled accounts without a link to an enabled provider, break-glass accounts left out, as a query. */
export async function unlinkedIds(known: Known) {
  const { read } = known.db;
  const issuers = (await enabledProviders(known)).map(({ issuer }) => issuer);
  const linked = read.selectFrom('user_sso_links').select('user_sso_links.user_id');
  return (
    read
      .selectFrom('users')
      .select('users.user_id')
      .where('kind', '=', 'person')
      .where('disabled_at', 'is', null)
      .where('user_id', 'not in', breakGlassIds(read))
      // The empty text is no issuer: a list must not be empty.
      .where('user_id', 'not in', linked.where('issuer', 'in', ['', ...issuers]))
  );
}

export async function countUnlinked(known: Known): Promise<number> {
  const counting = (await unlinkedIds(known)).clearSelect();
  const { count } = await counting.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow();
  return Number(count);
}

/** The number of tokens that go on while local sign-in is off: those of all accounts but break-glass ones. */
export async function countTokensBeside({ read }: Pick<Database, 'read'>, now: number): Promise<number> {
  const { count } = await read
    .selectFrom('sessions')
    .innerJoin('users', (join) =>
      join.onRef('users.user_id', '=', 'sessions.user_id').onRef('users.epoch', '=', 'sessions.epoch'),
    )
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('sessions.kind', '=', 'token')
    .where('expires_at', '>', now)
    .where('users.disabled_at', 'is', null)
    .where('users.user_id', 'not in', breakGlassIds(read))
    .executeTakeFirstOrThrow();
  return Number(count);
}

interface Switching {
  readonly to: Mode;
  /** The number that the admin has seen of accounts that cannot sign in then. */
  readonly unlinked: number | undefined;
}

/** In the transaction that writes the setting. @throws AppError `conflict` if `off` would lock the admins out */
export async function applyLocalSignIn(
  tx: Transact,
  deps: Deps,
  { actor, origin }: Operator,
  { to, unlinked }: Switching,
): Promise<void> {
  const known = { ...deps, db: { read: tx } };
  if (to === 'off') await demandWayBack(known, actor, unlinked);
  await tx.updateTable('users').set({ must_link: 0 }).where('must_link', '=', 1).execute();
  if (to === 'to_link') {
    const linked = tx.selectFrom('user_sso_links').select('user_sso_links.user_id');
    await tx.updateTable('users').set({ must_link: 1 }).where('user_id', 'not in', linked).execute();
  }
  if (to === 'off') {
    await tx
      .deleteFrom('sessions')
      .where('kind', '=', 'cookie')
      .where('provider_id', 'is', null)
      .where('user_id', 'not in', breakGlassIds(tx))
      .execute();
    await tx.deleteFrom('sign_in_tickets').where('method', '=', 'password').execute();
  }
  await noticeToSiteAdmins(tx, deps, 'local sign-in changed', { about: to, origin, by: actor });
}

async function demandWayBack(known: Known, actor: Operator['actor'], unlinked: number | undefined): Promise<void> {
  const enabled = await enabledProviders(known);
  if (actor === null || !enabled.some(({ id }) => id === actor.provider?.id)) {
    throw new AppError('conflict', { message: SERVER_TEXTS.offNeedsProvider });
  }
  if ((await countBreakGlass(known.db.read)) === 0) {
    throw new AppError('conflict', { message: SERVER_TEXTS.offNeedsBreakGlass });
  }
  const present = await countUnlinked(known);
  if (unlinked !== present) {
    throw new AppError('conflict', { message: SERVER_TEXTS.offNeedsNumber(present), details: { unlinked: present } });
  }
}

/**
 * `must_link` of an account that is made, or loses its last link. Follows the stored setting, because `LOCAL_SIGN_IN` may
 * go again; `findActor` judges both.
 */
export const mustLink = async (tx: Transact): Promise<0 | 1> =>
  (await readSiteSignIn({ db: { read: tx } })).local_sign_in === 'to_link' ? 1 : 0;
