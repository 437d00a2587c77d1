/** The URL map of the client (docs/spec/product.md §2). What every visitor sees first comes with the page, each other part when it is first opened. */
import type { ComponentType } from 'react';
import { type RouteObject, useRoutes } from 'react-router';
import { NoSuchPage } from './frame/error-screen.tsx';
import * as code from './frame/page-code.ts';
import { LoadingPage } from './identity/loading.tsx';
import { LoginPage } from './identity/login.tsx';
import { FRAME } from './identity/vault-ahead.ts';
import { lazyPart } from './lib/lazy-part.ts';
import { part } from './lib/part.ts';
import { SignedInGuard } from './session/guard.tsx';

/** Needed where nobody is signed in, and fetched when it is opened. */
const page = <Name extends string>(load: () => Promise<Record<Name, ComponentType>>, name: Name) =>
  lazyPart(part(load), name);

const SignUpPage = page(() => import('./identity/sign-up.tsx'), 'SignUpPage');
const InvitationPage = page(() => import('./identity/invitation.tsx'), 'InvitationPage');
const RecoveryPage = page(() => import('./recovery/recovery-page.tsx'), 'RecoveryPage');
const LogoutPage = page(() => import('./identity/logout.tsx'), 'LogoutPage');

const AppFrame = lazyPart(FRAME, 'AppFrame');
const PromptPage = lazyPart(code.PROMPT_PAGE, 'PromptPage');
const GroupPage = lazyPart(code.GROUP_PAGE, 'GroupPage');
const TrashPage = lazyPart(code.TRASH_PAGE, 'TrashPage');
const LeaversPage = lazyPart(code.LEAVERS_PAGE, 'LeaversPage');
const SearchPage = lazyPart(code.SEARCH_PAGE, 'SearchPage');
const AccountPage = lazyPart(code.ACCOUNT_PAGE, 'AccountPage');
const AdminPage = lazyPart(code.ADMIN_PAGE, 'AdminPage');

const VAULT_PAGES: RouteObject[] = [
  { index: true, element: <PromptPage /> },
  { path: 'entryGroup/:id', element: <GroupPage /> },
  { path: 'entrySearch/:query', element: <SearchPage /> },
  { path: 'account', element: <AccountPage /> },
  { path: 'trash', element: <TrashPage /> },
  { path: 'leavers', element: <LeaversPage /> },
  { path: 'admin/*', element: <AdminPage /> },
];

const PAGES: RouteObject[] = [
  { path: 'identity/loading', element: <LoadingPage /> },
  { path: 'identity/login', element: <LoginPage /> },
  { path: 'identity/signup', element: <SignUpPage /> },
  { path: 'identity/invite/:inviteCode', element: <InvitationPage /> },
  { path: 'identity/initialRecovery', element: <RecoveryPage /> },
  { path: 'identity/logout', element: <LogoutPage /> },
  { element: <SignedInGuard />, children: [{ element: <AppFrame />, children: VAULT_PAGES }] },
  { path: '*', element: <NoSuchPage /> },
];

export const AppRoutes = () => useRoutes(PAGES);
