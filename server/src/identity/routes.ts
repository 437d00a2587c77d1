import * as credentials from '@passwordbroker/core/contract/account/credentials';
import { AppError, refuse } from '@passwordbroker/core/contract/problem';
import * as programs from '@passwordbroker/core/contract/account/programs';
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
import { confirmWaysOf, confirmWithPasskey, passkeyConfirmOptions } from './passkey-sign-in.ts';
import { counted } from './count-sign-ins.ts';
import { eventsBeforeSignIn } from './own-events.ts';
import { changeOwnPassword, judgeOwn, presentPasswordTexts, removeOwnPassword } from './own-password.ts';
import { admitProgram, signInProgram } from './program-sign-in.ts';
import { signIn } from './sign-in.ts';
import { judgeCode } from './factors/judge-code.ts';
import { routes as factorRoutes } from './factors/routes.ts';
import { hasLocalSignIn } from './local-sign-in/local-sign-in.ts';
import { logoutUrlOf } from './sso/logout-at-provider.ts';
import { enabledProviders } from './sso/providers.ts';
import { routes as ssoRoutes } from './sso/routes.ts';
import { recordEvent } from '../audit/audit-log.ts';
import type { Transact } from '../db/database.ts';
import type { RequestContext, Actor, Deps, Context } from '../http/context.ts';
import { deleteSession, confirmSession } from '../http/auth/session-repository.ts';
import type { Restriction, SessionFactor, SignInMethod } from '@passwordbroker/core/contract/account/sign-in-methods';
import type { User } from '@passwordbroker/core/contract/entities';
import { readSiteSettings } from '../platform/site-settings-repository.ts';
import type { ProvenFactor } from './factors/proven-factor.ts';
import { asUser, findUser, hasUsers, type UserRow } from '../users/user-repository.ts';
import type { AnswerOf, BodyOf } from '@passwordbroker/core/contract/endpoint';
import { freshUntil } from '../http/auth/authorise.ts';
import { judgeSecurityKey } from '../passkeys/judge-security-key.ts';
import { SERVER_TEXTS } from '../platform/texts.ts';

export const routes: readonly Route[] = [
  on(session.csrfCookie, (context) => {
    if (isForeignNavigation(context) && !presentsSession(context.deps, context)) return undefined;
    setCsrfCookie(context.head, csrfSecret(context.deps, context));
    return undefined;
  }),
  on(session.me, ({ deps, actor }) => whoAmI(deps, actor)),
  on(session.login, (context) => counted(context.deps, 'password', () => signIn(context.deps, context, context.body)), {
    needsNoCsrf: asksForToken,
  }),
  // A program has no cookie, and the secret and the code are the proof.
  on(
    programs.loginProgram,
    (context) => counted(context.deps, 'program', () => signInProgram(context.deps, context, context.body)),
    { needsNoCsrf: () => true },
  ),
  on(programs.admitProgram, (context) => admitProgram(context)),
  ...factorRoutes,
  ...ssoRoutes,
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
  on(credentials.changePassword, (context) => changeOwnPassword(context), {
    moreBodyErrors: async ({ deps, actor }, { members }) =>
      actor === null ? {} : presentPasswordTexts(await findUser(deps.db, actor.userId), members['current_password']),
  }),
  on(credentials.ownEvents, ({ deps, actor }) => eventsBeforeSignIn(deps, actor)),
  on(credentials.removePassword, (context) => removeOwnPassword(context)),
  on(credentials.confirmPassword, (context) => confirmOwnPassword(context)),
  on(credentials.confirmOptions, (context) => passkeyConfirmOptions(context, context.body.with_password === true)),
  on(credentials.confirmWays, async (context) => {
    const { deps, actor } = context;
    const user = await findUser(deps.db, actor.userId);
    if (user === undefined) throw new AppError('unauthenticated');
    return { ways: await confirmWaysOf(context, user) };
  }),
];

/** Token sign-ins read and set no cookies. */
function asksForToken(members: Readonly<Record<string, unknown>>): boolean {
  const read = session.login.body.schema.shape.token_is_required.safeParse(members['token_is_required']);
  return read.success && read.data === true;
}

const SIGNED_OUT = { message: 'Logged Out' } as const;

async function signOut(context: RequestContext): Promise<AnswerOf<typeof session.logout>> {
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
  const logout_url = await logoutUrlOf(deps, actor);
  return logout_url === null ? SIGNED_OUT : { ...SIGNED_OUT, logout_url };
}

type Whoami =
  | {
      message: 'loggedIn';
      user: User;
      session_id: string;
      weak_password?: true;
      restriction?: Restriction;
      sign_in?: { method: SignInMethod; factor: SessionFactor | null; provider_id?: string };
    }
  | { message: 'guest' | 'firstUser'; user: null; session_id: null };

interface Ways {
  password: boolean;
  providers: { provider_id: string; name: string }[];
}

async function whoAmI(deps: Deps, actor: Actor | null): Promise<Whoami & { ways?: Ways }> {
  const named = (await enabledProviders(deps)).map(({ id, name }) => ({ provider_id: id, name }));
  const ways = named.length === 0 ? {} : { ways: { password: await hasLocalSignIn(deps), providers: named } };
  const row = actor === null ? undefined : await findUser(deps.db, actor.userId);
  if (actor !== null && row !== undefined) {
    const { sessionId: session_id, method, factor, restriction, provider } = actor;
    const by = provider === null ? {} : { provider_id: provider.id };
    const sign_in = { method, factor: factor === '' ? null : factor, ...by };
    const who = {
      message: 'loggedIn' as const,
      user: asUser(row),
      session_id,
      ...(actor.service === null ? { sign_in } : {}),
      ...(restriction === null ? {} : { restriction }),
      ...ways,
    };
    if (!actor.hasWeakPassword || (await readSiteSettings(deps)).password_policy !== 'strict') return who;
    return { ...who, weak_password: true };
  }
  return { message: (await hasUsers(deps.db)) ? 'guest' : 'firstUser', user: null, session_id: null, ...ways };
}

type Confirming = Context<typeof credentials.confirmPassword, BodyOf<typeof credentials.confirmPassword>>;

/** Asks for as much as a sign-in. @throws AppError `validation`, `too_many_requests`, `local_sign_in_off` */
async function confirmOwnPassword(context: Confirming): Promise<{ fresh_until: string }> {
  const { deps, actor } = context;
  const { assertion, options_token = '', password = '' } = context.body;
  const settle =
    assertion === undefined || password !== ''
      ? await confirmWithPassword(context)
      : await confirmWithPasskey(context, { assertion, options_token });
  const now = deps.clock.now();
  await deps.db.transact(async (tx) => {
    await settle(tx);
    await confirmSession(tx, actor.sessionId, now);
  });
  return { fresh_until: new Date(freshUntil({ confirmedAt: now })).toISOString() };
}

/** Returns what settles it in the transaction. */
async function confirmWithPassword(context: Confirming): Promise<(tx: Transact) => Promise<void>> {
  const { password = '' } = context.body;
  const account = password === '' ? null : await judgeOwn(context.deps, context, context.actor, password);
  if (account === null) throw refuse('password', SERVER_TEXTS.passwordIncorrect);
  const factor = await ownFactor(context, account.user);
  return async (tx) => {
    await factor?.spend(tx);
    await account.settle(tx);
  };
}

async function ownFactor(context: Confirming, user: UserRow): Promise<ProvenFactor | null> {
  const { code, assertion, options_token = '' } = context.body;
  if (user.factor_state === 'none') return null;
  if (assertion !== undefined) {
    const sent = { assertion, options_token };
    const touched = await judgeSecurityKey(context.deps, context, user, sent, 'confirm_factor');
    if (touched === null) throw refuse('assertion', SERVER_TEXTS.passkeyNotAccepted);
    return touched;
  }
  if (code === undefined) throw refuse('code', SERVER_TEXTS.codeMissing);
  const factor = await judgeCode(context.deps, context, user, { code });
  if (factor === null) throw refuse('code', SERVER_TEXTS.codeWrong);
  return factor;
}
