/** Signing in and out (`api.md` §3.1). */
import { AppError, refuse } from '@passwordbroker/core/contract/problem';
import * as session from '@passwordbroker/core/contract/session';
import { isForeignNavigation, setCsrfCookie } from '../http/csrf.ts';
import { on } from '../http/route.ts';
import type { Route } from '../http/route.ts';
import { csrfSecret, presentsSession } from '../http/session.ts';
import { signIn } from './sign-in.ts';
import { SIGNED_OUT, signOut } from './sign-out.ts';
import { whoAmI } from './who-am-i.ts';

export const routes: readonly Route[] = [
  on(session.csrfCookie, (context) => {
    if (isForeignNavigation(context) && !presentsSession(context.deps, context)) return undefined;
    setCsrfCookie(context.head, csrfSecret(context.deps, context));
    return undefined;
  }),
  on(session.me, ({ deps, actor }) => whoAmI(deps, actor)),
  on(session.login, async (context) => {
    const { body, deps } = context;
    if (body.token_is_required === true) throw refuse('token_is_required', 'Bearer tokens are not available yet.');
    return { message: 'Login successful', user: await signIn(deps, context, body) };
  }),
  on(session.logout, (context) => {
    if (!isForeignNavigation(context)) return signOut(context);
    if (presentsSession(context.deps, context)) throw new AppError('cross_site');
    return SIGNED_OUT;
  }),
  on(session.logoutPost, (context) => signOut(context)),
];
