/**
 * Routes of the client (docs/spec/product.md §2). Sign-in pages are in the first script; others load when
 * opened.
 */
import { type ComponentType, Suspense } from 'react';
import { createBrowserRouter, matchRoutes, Outlet, type RouteObject } from 'react-router';
import { ErrorPage, NoSuchPage } from './app/navigation/error-screen.tsx';
import { WaitingNotice } from './app/navigation/waiting-notice.tsx';
import { WaitingPage } from './identity/identity-frame.tsx';
import { LoadingPage } from './identity/loading.tsx';
import { LoginPage } from './identity/login.tsx';
import { loadChunk } from './lib/chunk.ts';
import { SignedInGuard } from './session/guard.tsx';
import { pendingNavigation } from './session/pending-navigation.ts';
import { IDENTITY_TEXTS } from './texts/identity/identity.ts';
import { session } from './page/page.ts';

const lazy =
  <Name extends string>(name: Name, load: () => Promise<Record<Name, ComponentType>>) =>
  async () => ({ Component: (await loadChunk(name, load))[name] });

const VAULT: RouteObject[] = [
  {
    Component: SignedInGuard,
    children: [
      {
        lazy: lazy('AppFrame', () => import('./app/layout/app-frame.tsx')),
        children: [
          { index: true, lazy: lazy('PromptPage', () => import('./groups/page/prompt-page.tsx')) },
          { path: 'entryGroup/:id', lazy: lazy('GroupPage', () => import('./groups/page/group-page.tsx')) },
          { path: 'entrySearch/:query', lazy: lazy('SearchPage', () => import('./search/search-page.tsx')) },
          { path: 'account', lazy: lazy('AccountPage', () => import('./account/account-page.tsx')) },
          { path: 'trash', lazy: lazy('TrashPage', () => import('./trash/trash-page.tsx')) },
          {
            path: 'leavers',
            lazy: lazy('FormerMembersPage', () => import('./former-members/former-members-page.tsx')),
          },
          { path: 'admin/*', lazy: lazy('AdminPage', () => import('./admin/admin-page.tsx')) },
        ],
      },
    ],
  },
];

const ROUTES: RouteObject[] = [
  {
    Component: Root,
    ErrorBoundary: ErrorPage,
    HydrateFallback: () => <WaitingPage text={IDENTITY_TEXTS.loading} />,
    children: [
      { path: 'identity/loading', Component: LoadingPage },
      { path: 'identity/login', Component: LoginPage },
      { path: 'identity/signup', lazy: lazy('SignUpPage', () => import('./identity/sign-up/sign-up.tsx')) },
      {
        path: 'identity/invite/:inviteCode',
        lazy: lazy('InvitationPage', () => import('./identity/sign-up/invitation.tsx')),
      },
      {
        path: 'identity/initialRecovery',
        lazy: lazy('RecoveryPage', () => import('./recovery/recovery-page.tsx')),
      },
      { path: 'identity/logout', lazy: lazy('LogoutPage', () => import('./identity/logout.tsx')) },
      ...VAULT,
      { path: '*', Component: NoSuchPage },
    ],
  },
];

function Root() {
  return (
    <>
      <Suspense fallback={null}>
        <Outlet />
      </Suspense>
      <WaitingNotice />
    </>
  );
}

/** Redirects guests first: the router loads the code of a page before it renders the guard. */
export function createRouter() {
  const { pathname, search, hash } = location;
  if (session.view().user === null && matchRoutes(VAULT, { pathname }) !== null) {
    pendingNavigation.keep(`${pathname}${search}${hash}`);
    history.replaceState(null, '', '/identity/loading');
  }
  return createBrowserRouter(ROUTES);
}
