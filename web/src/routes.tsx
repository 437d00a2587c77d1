/** The URL map of the client (specification §2). What every visitor sees first comes with the page, each other part when it is first opened. */
import { type ComponentType, lazy } from 'react';
import { type RouteObject, useRoutes } from 'react-router';
import { NoSuchPage } from './frame/error-screen.tsx';
import * as code from './frame/page-code.ts';
import { LoadingPage } from './identity/loading.tsx';
import { LoginPage } from './identity/login.tsx';
import { FRAME } from './identity/vault-ahead.ts';
import { loadChunk } from './lib/chunk.ts';
import { type Part, part } from './lib/part.ts';
import { SignedInGuard } from './session/guard.tsx';

/** A page of a chunk of its own. What is here already is drawn at once: React waits 300 ms once it has shown nothing in place of a page. */
const page = <Name extends string>(from: Part<Record<Name, ComponentType>>, name: Name) =>
  lazy(() => {
    const here = from.here();
    return here === undefined
      ? loadChunk(name, from.load).then((module) => ({ default: module[name] }))
      : atOnce({ default: here[name] });
  });

/** React takes any thenable, and the answer of one that has it without asking again. */
// oxlint-disable-next-line unicorn/no-thenable -- being one is all it is for
const atOnce = <T,>(value: T) => ({ then: (resolve: (value: T) => void) => resolve(value) }) as Promise<T>;

const SignUpPage = page(
  part(() => import('./identity/sign-up.tsx')),
  'SignUpPage',
);
const InvitationPage = page(
  part(() => import('./identity/invitation.tsx')),
  'InvitationPage',
);
const RecoveryPage = page(
  part(() => import('./recovery/recovery-page.tsx')),
  'RecoveryPage',
);
const LogoutPage = page(
  part(() => import('./identity/logout.tsx')),
  'LogoutPage',
);
const AppFrame = page(FRAME, 'AppFrame');
const PromptPage = page(code.PROMPT_PAGE, 'PromptPage');
const GroupPage = page(code.GROUP_PAGE, 'GroupPage');
const TrashPage = page(code.TRASH_PAGE, 'TrashPage');
const LeaversPage = page(code.LEAVERS_PAGE, 'LeaversPage');
const SearchPage = page(code.SEARCH_PAGE, 'SearchPage');
const AccountPage = page(code.ACCOUNT_PAGE, 'AccountPage');
const AdminPage = page(code.ADMIN_PAGE, 'AdminPage');

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
