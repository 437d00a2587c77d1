/** The URL map of the client (specification §2). What every visitor sees first comes with the page, each other part when it is first opened. */
import { type ComponentType, lazy } from 'react';
import { type RouteObject, useRoutes } from 'react-router';
import { NoSuchPage } from './frame/error-screen.tsx';
import { LoadingPage } from './identity/loading.tsx';
import { LoginPage } from './identity/login.tsx';
import { fetchFrame } from './identity/vault-ahead.ts';
import { loadChunk } from './lib/chunk.ts';
import { SignedInGuard } from './session/guard.tsx';

/** A page of a chunk of its own. */
const page = <Name extends string>(load: () => Promise<Record<Name, ComponentType>>, name: Name) =>
  lazy(async () => ({ default: (await loadChunk(name, load))[name] }));

const SignUpPage = page(() => import('./identity/sign-up.tsx'), 'SignUpPage');
const InvitationPage = page(() => import('./identity/invitation.tsx'), 'InvitationPage');
const RecoveryPage = page(() => import('./recovery/recovery-page.tsx'), 'RecoveryPage');
const LogoutPage = page(() => import('./identity/logout.tsx'), 'LogoutPage');
const AppFrame = page(fetchFrame, 'AppFrame');
const PromptPage = page(() => import('./entry-groups/prompt-page.tsx'), 'PromptPage');
const GroupPage = page(() => import('./entry-groups/group-page.tsx'), 'GroupPage');
const TrashPage = page(() => import('./trash/trash-page.tsx'), 'TrashPage');
const LeaversPage = page(() => import('./leavers/leavers-page.tsx'), 'LeaversPage');
const SearchPage = page(() => import('./search/search-page.tsx'), 'SearchPage');
const AccountPage = page(() => import('./account/account-page.tsx'), 'AccountPage');
const AdminPage = page(() => import('./admin/admin-page.tsx'), 'AdminPage');

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
