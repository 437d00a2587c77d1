import * as credentials from '@passwordbroker/core/contract/account/credentials';
import { AppError, refuse } from '@passwordbroker/core/contract/problem';
import * as session from '@passwordbroker/core/contract/account/session';
import { isForeignNavigation, setCsrfCookie } from '../http/auth/cross-site.ts';
import { on, type Route } from '../http/route.ts';
import { csrfSecret, presentsSession, startGuestSession } from '../http/auth/session.ts';
import {
  createOwnToken,
  endOthers,
  endOwn,
  listOwnSessions,
  listOwnTokens,
  revokeTokenOf,
  siteTokensPage,
} from './credentials.ts';
import { signIn, signInByToken } from './sign-in.ts';
import { recordEvent } from '../audit/audit-log.ts';
import type { RequestContext, Actor, Deps, Context } from '../http/context.ts';
import { deleteSession, confirmSession, endCredentials } from '../http/auth/session-repository.ts';
import type { User } from '@passwordbroker/core/contract/entities';
import { readSiteSettings } from '../platform/site-settings-repository.ts';
import { asUser, findUser, hasUsers, replacePassword } from '../users/user-repository.ts';
import type { changePassword } from '@passwordbroker/core/contract/account/credentials';
import type { BodyOf } from '@passwordbroker/core/contract/endpoint';
import { freshUntil } from '../http/auth/authorise.ts';
import { giveNotice } from '../mail/outbox-repository.ts';
import { ownerOf } from '../platform/passwords/derivation-queue.ts';
import { newPasswordTexts } from '../users/password-rules.ts';
import { judgePassword, type JudgedAccount } from './account-password.ts';
import { grantSession } from './grant-session.ts';
import { SERVER_TEXTS } from '../platform/texts.ts';

export const routes: readonly Route[] = [
  on(session.csrfCookie, (context) => {
    if (isForeignNavigation(context) && !presentsSession(context.deps, context)) return undefined;
    setCsrfCookie(context.head, csrfSecret(context.deps, context));
    return undefined;
  }),
  on(session.me, ({ deps, actor }) => whoAmI(deps, actor)),
  on(
    session.login,
    async (context) => {
      const { body, deps } = context;
      if (body.token_is_required === true) return { message: SIGNED_IN, ...(await signInByToken(deps, context, body)) };
      return { message: SIGNED_IN, user: await signIn(deps, context, body) };
    },
    { needsNoCsrf: asksForToken },
  ),
  on(session.logout, (context) => {
    // Another origin can only sign out its own token.
    if (!isForeignNavigation(context) || context.header('authorization') !== null) return signOut(context);
    if (presentsSession(context.deps, context)) throw new AppError('cross_site');
    return SIGNED_OUT;
  }),
  on(session.logoutPost, (context) => signOut(context)),
  on(credentials.createToken, (context) => createOwnToken(context)),
  on(credentials.tokens, ({ deps, actor }) => listOwnTokens(deps, actor)),
  on(credentials.revokeToken, (context) => endOwn(context, 'token', context.params.tokenId)),
  on(credentials.siteTokens, ({ deps, query }) => siteTokensPage(deps, query)),
  on(credentials.revokeSiteToken, async ({ deps, actor, origin, params }) => {
    await revokeTokenOf(deps, { actor, origin }, params.tokenId);
    return undefined;
  }),
  on(credentials.sessions, ({ deps, actor }) => listOwnSessions(deps, actor)),
  on(credentials.endSession, (context) => endOwn(context, 'cookie', context.params.sessionId)),
  on(credentials.endOtherSessions, (context) => endOthers(context)),
  on(credentials.changePassword, (context) => changeOwnPassword(context)),
  on(credentials.confirmPassword, (context) => confirmOwnPassword(context, context.body.password)),
];

const SIGNED_IN = 'Login successful';

/** Token sign-ins read and set no cookies. */
function asksForToken(members: Readonly<Record<string, unknown>>): boolean {
  const read = session.login.body.schema.shape.token_is_required.safeParse(members['token_is_required']);
  return read.success && read.data === true;
}

const SIGNED_OUT = { message: 'Logged Out' } as const;

async function signOut(context: RequestContext): Promise<{ message: string }> {
  const { deps, actor, head, origin } = context;
  if (actor !== null) {
    await deps.db.transactBeside(async (tx) => {
      await deleteSession(tx, actor.sessionId);
      await recordEvent(tx, deps, { event_type: 'logout', actor, origin });
    });
  }
  // A token leaves nothing in the browser.
  if (context.header('authorization') !== null) return SIGNED_OUT;
  if (actor !== null) head.setHeader('clear-site-data', '"cache"');
  // The next form needs a new token.
  setCsrfCookie(head, startGuestSession(deps, head));
  return SIGNED_OUT;
}

type Whoami =
  | { message: 'loggedIn'; user: User; session_id: string; weak_password?: true }
  | { message: 'guest' | 'firstUser'; user: null; session_id: null };

async function whoAmI(deps: Deps, actor: Actor | null): Promise<Whoami> {
  const row = actor === null ? undefined : await findUser(deps.db, actor.userId);
  if (actor !== null && row !== undefined) {
    const who = { message: 'loggedIn', user: asUser(row), session_id: actor.sessionId } as const;
    if (!actor.hasWeakPassword || (await readSiteSettings(deps)).password_policy !== 'strict') return who;
    return { ...who, weak_password: true };
  }
  return { message: (await hasUsers(deps.db)) ? 'guest' : 'firstUser', user: null, session_id: null };
}

type Changing = Context<typeof changePassword, BodyOf<typeof changePassword>>;

/** @throws AppError `validation`, `too_many_requests` */
async function changeOwnPassword(context: Changing): Promise<User> {
  const { deps, actor, origin, body } = context;
  const errors = await newPasswordTexts(deps, body, { about: [actor.name, actor.email] });
  if (Object.keys(errors).length > 0) throw new AppError('validation', { errors });
  const account = await judgeOwn(deps, context, actor, body.current_password);
  if (account === null) throw refuse('current_password', SERVER_TEXTS.passwordIncorrect);
  const password_hash = await deps.derivations.run(ownerOf(context), () => deps.accountPasswords.hash(body.password));
  const now = deps.clock.now();
  const { user, handOut } = await deps.db.transact(async (tx) => {
    await account.settle(tx);
    // A concurrent password change has ended this session.
    const isFirst = await replacePassword(tx, actor.userId, {
      from: account.user.password_hash,
      to: password_hash,
      now,
    });
    if (!isFirst) throw new AppError('unauthenticated');
    const epoch = await endCredentials(tx, actor.userId, actor.scopes === null ? null : actor.sessionId);
    await recordEvent(tx, deps, { event_type: 'password_changed', actor, origin });
    await giveNotice(tx, deps, 'password changed', { to: actor, origin });
    const changed = { ...account.user, password_hash, epoch, updated_at: now };
    // A session gets a new id; a token stays.
    return {
      user: changed,
      handOut: actor.scopes === null ? await grantSession(tx, deps, context, changed) : () => {},
    };
  });
  handOut();
  return asUser(user);
}

/** @throws AppError `validation`, `too_many_requests` */
async function confirmOwnPassword(
  context: RequestContext & { readonly actor: Actor },
  password: string,
): Promise<{ fresh_until: string }> {
  const { deps, actor } = context;
  const account = await judgeOwn(deps, context, actor, password);
  if (account === null) throw refuse('password', SERVER_TEXTS.passwordIncorrect);
  const now = deps.clock.now();
  await deps.db.transact(async (tx) => {
    await account.settle(tx);
    await confirmSession(tx, actor.sessionId, now);
  });
  return { fresh_until: new Date(freshUntil({ confirmedAt: now })).toISOString() };
}

async function judgeOwn(
  deps: Deps,
  context: RequestContext,
  actor: Actor,
  password: string,
): Promise<JudgedAccount | null> {
  const found = await findUser(deps.db, actor.userId);
  if (found === undefined) throw new AppError('unauthenticated');
  return judgePassword(deps, context, found, { email: found.email, password });
}
