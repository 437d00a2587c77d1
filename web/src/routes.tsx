/** The URL map of the client (specification §2). Each part of it is loaded when it is first opened. */
import type { RouteObject } from 'react-router';
import { ErrorScreen } from './frame/error-screen.tsx';
import { SignedInGuard } from './session/guard.tsx';

export const routes: RouteObject[] = [
  {
    ErrorBoundary: ErrorScreen,
    HydrateFallback: () => null,
    children: [
      {
        path: 'identity',
        children: [
          { path: 'loading', lazy: async () => ({ Component: (await import('./identity/loading.tsx')).LoadingPage }) },
          { path: 'login', lazy: async () => ({ Component: (await import('./identity/login.tsx')).LoginPage }) },
          { path: 'signup', lazy: async () => ({ Component: (await import('./identity/sign-up.tsx')).SignUpPage }) },
          { path: 'logout', lazy: async () => ({ Component: (await import('./identity/logout.tsx')).LogoutPage }) },
        ],
      },
      {
        Component: SignedInGuard,
        children: [
          {
            lazy: async () => ({ Component: (await import('./frame/app-frame.tsx')).AppFrame }),
            children: [
              {
                index: true,
                lazy: async () => ({ Component: (await import('./entry-groups/prompt-page.tsx')).PromptPage }),
              },
              {
                path: 'entryGroup/:id',
                lazy: async () => ({ Component: (await import('./entry-groups/group-page.tsx')).GroupPage }),
              },
              {
                path: 'entrySearch/:query',
                lazy: async () => ({ Component: (await import('./search/search-page.tsx')).SearchPage }),
              },
              {
                path: 'admin/*',
                lazy: async () => ({ Component: (await import('./frame/admin-page.tsx')).AdminPage }),
              },
            ],
          },
        ],
      },
    ],
  },
];
