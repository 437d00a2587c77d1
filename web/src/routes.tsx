/** The URL map of the client (specification §2). Each part of it is loaded when it is first opened. */
import { type ComponentType, lazy } from 'react';
import { Route, Routes } from 'react-router';
import { NoSuchPage } from './frame/error-screen.tsx';
import { loadChunk } from './lib/chunk.ts';
import { SignedInGuard } from './session/guard.tsx';

/** A page of a chunk of its own. */
const page = <Name extends string>(load: () => Promise<Record<Name, ComponentType>>, name: Name) =>
  lazy(async () => ({ default: (await loadChunk(name, load))[name] }));

const LoadingPage = page(() => import('./identity/loading.tsx'), 'LoadingPage');
const LoginPage = page(() => import('./identity/login.tsx'), 'LoginPage');
const SignUpPage = page(() => import('./identity/sign-up.tsx'), 'SignUpPage');
const InvitationPage = page(() => import('./identity/invitation.tsx'), 'InvitationPage');
const RecoveryPage = page(() => import('./recovery/recovery-page.tsx'), 'RecoveryPage');
const LogoutPage = page(() => import('./identity/logout.tsx'), 'LogoutPage');
const AppFrame = page(() => import('./frame/app-frame.tsx'), 'AppFrame');
const PromptPage = page(() => import('./entry-groups/prompt-page.tsx'), 'PromptPage');
const GroupPage = page(() => import('./entry-groups/group-page.tsx'), 'GroupPage');
const TrashPage = page(() => import('./trash/trash-page.tsx'), 'TrashPage');
const LeaversPage = page(() => import('./leavers/leavers-page.tsx'), 'LeaversPage');
const SearchPage = page(() => import('./search/search-page.tsx'), 'SearchPage');
const AccountPage = page(() => import('./account/account-page.tsx'), 'AccountPage');
const AdminPage = page(() => import('./admin/admin-page.tsx'), 'AdminPage');

export function AppRoutes() {
  return (
    <Routes>
      <Route path="identity/loading" element={<LoadingPage />} />
      <Route path="identity/login" element={<LoginPage />} />
      <Route path="identity/signup" element={<SignUpPage />} />
      <Route path="identity/invite/:inviteCode" element={<InvitationPage />} />
      <Route path="identity/initialRecovery" element={<RecoveryPage />} />
      <Route path="identity/logout" element={<LogoutPage />} />
      <Route element={<SignedInGuard />}>
        <Route element={<AppFrame />}>
          <Route index element={<PromptPage />} />
          <Route path="entryGroup/:id" element={<GroupPage />} />
          <Route path="entrySearch/:query" element={<SearchPage />} />
          <Route path="account" element={<AccountPage />} />
          <Route path="trash" element={<TrashPage />} />
          <Route path="leavers" element={<LeaversPage />} />
          <Route path="admin/*" element={<AdminPage />} />
        </Route>
      </Route>
      <Route path="*" element={<NoSuchPage />} />
    </Routes>
  );
}
