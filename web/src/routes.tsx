/** docs/spec/product.md §2. Sign-in pages are in the first script; others load when opened. */
import { type ComponentType, Suspense, useSyncExternalStore } from 'react';
import { createBrowserRouter, matchRoutes, Outlet, type RouteObject, useRouteError } from 'react-router';
import { WaitingPage } from './identity/identity-frame.tsx';
import { LoadingPage } from './identity/loading.tsx';
import { LoginPage } from './identity/login.tsx';
import { loadChunk, ChunkLoadError, lateChunks } from './lib/chunk.ts';
import { SignedInGuard, pendingNavigation } from './session/guard.tsx';
import { IDENTITY_TEXTS as TEXTS } from './texts/identity/identity.ts';
import { session } from './page/page.ts';
import { Button } from '@passwordbroker/ui/actions/button';
import styles from './app/navigation/error-screen.module.css';
import { Spinner } from '@passwordbroker/ui/feedback/spinner';
import waitingNoticeStyles from './app/navigation/waiting-notice.module.css';

const lazy =
  <Name extends string>(name: Name, load: () => Promise<Record<Name, ComponentType>>) =>
  async () => ({ Component: (await loadChunk(name, load))[name] });

const VAULT: RouteObject = {
  Component: SignedInGuard,
  children: [
    {
      lazy: lazy('AppFrame', () => import('./app/layout/app-frame.tsx')),
      children: [
        { index: true, lazy: lazy('HomePage', () => import('./home/home-page.tsx')) },
        { path: 'entryGroup/:id', lazy: lazy('GroupPage', () => import('./groups/page/group-page.tsx')) },
        { path: 'entrySearch/:query', lazy: lazy('SearchPage', () => import('./search/search-page.tsx')) },
        { path: 'account', lazy: lazy('AccountPage', () => import('./account/account-page.tsx')) },
        { path: 'notices', lazy: lazy('NoticesPage', () => import('./notices/notices-page.tsx')) },
        { path: 'trash', lazy: lazy('TrashPage', () => import('./trash/trash-page.tsx')) },
        {
          path: 'leavers',
          lazy: lazy('FormerMembersPage', () => import('./former-members/former-members-page.tsx')),
        },
        { path: 'admin/*', lazy: lazy('AdminPage', () => import('./admin/admin-page.tsx')) },
        { path: '*', lazy: lazy('NoSuchPage', () => import('./groups/page/prompt-page.tsx')) },
      ],
    },
  ],
};

const ROUTES: RouteObject[] = [
  {
    Component: Root,
    ErrorBoundary: ErrorPage,
    HydrateFallback: () => <WaitingPage text={TEXTS.loading} />,
    children: [
      { path: 'identity/loading', Component: LoadingPage },
      { path: 'identity/login', Component: LoginPage },
      { path: 'identity/factor', Component: LoginPage },
      { path: 'identity/enrol', lazy: lazy('EnrolPage', () => import('./identity/enrol/enrol-page.tsx')) },
      { path: 'identity/sso/callback', lazy: lazy('CallbackPage', () => import('./sso/callback-page.tsx')) },
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
      VAULT,
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
  if (session.view().user === null && isGuarded(pathname)) {
    pendingNavigation.keep(`${pathname}${search}${hash}`);
    history.replaceState(null, '', '/identity/loading');
  }
  return createBrowserRouter(ROUTES);
}

const isGuarded = (pathname: string) =>
  matchRoutes(ROUTES, { pathname })?.some(({ route }) => route === VAULT) ?? false;

/** A page threw while rendering, or its code did not load. */
function ErrorPage() {
  const error = useRouteError();
  if (!(error instanceof ChunkLoadError)) {
    return <ErrorScreen text={wordsOf(error)} action={TEXTS.backToGroups} onAction={goHome} />;
  }
  const hint = TEXTS.chunkHints[error.type];
  return <ErrorScreen text={error.message} hint={hint} action={TEXTS.reload} onAction={() => location.reload()} />;
}

const goHome = () => location.assign('/');

const wordsOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

interface ErrorScreenProps {
  readonly text: string;
  readonly hint?: string | null;
  readonly action: string;
  readonly onAction: () => void;
}

/** docs/spec/product.md §8 */
function ErrorScreen({ text, hint = null, action, onAction }: ErrorScreenProps) {
  return (
    <main className={styles['screen']}>
      <h1>{TEXTS.unexpected}</h1>
      <p>{text}</p>
      {hint !== null && <p>{hint}</p>}
      <Button variant="primary" onPress={onAction}>
        {action}
      </Button>
    </main>
  );
}

/** Without it, a click on a slow network seems lost. */
function WaitingNotice() {
  const isWaiting = useSyncExternalStore(lateChunks.subscribe, lateChunks.any);
  return (
    <div className={waitingNoticeStyles['notice']} role="status">
      {isWaiting && (
        <span className={waitingNoticeStyles['pill']}>
          <Spinner /> {TEXTS.waiting}
        </span>
      )}
    </div>
  );
}
