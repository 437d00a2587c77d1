/** Signing in and out (docs/spec/api.md §3.1). */
import * as credentials from '@passwordbroker/core/contract/account/credentials';
import { AppError } from '@passwordbroker/core/contract/problem';
import * as session from '@passwordbroker/core/contract/account/session';
import { isForeignNavigation, setCsrfCookie } from '../http/auth/csrf.ts';
import { on } from '../http/route.ts';
import type { Route } from '../http/route.ts';
import { csrfSecret, presentsSession } from '../http/auth/session.ts';
import { createOwnToken, endOthers, endOwn, listOwnSessions, listOwnTokens } from './own-credentials.ts';
import { changeOwnPassword, confirmOwnPassword } from './own-password.ts';
import { signIn, signInByToken } from './sign-in.ts';
import { revokeTokenOf, siteTokensPage } from './site-tokens.ts';
import { SIGNED_OUT, signOut } from './sign-out.ts';
import { whoAmI } from './who-am-i.ts';

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
    // A call from another origin can only sign its own token out.
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

/** True for a token sign-in, which reads and sets no cookies. */
function asksForToken(members: Readonly<Record<string, unknown>>): boolean {
  const read = session.login.body.schema.shape.token_is_required.safeParse(members['token_is_required']);
  return read.success && read.data === true;
}
