import { Suspense } from 'react';
import { BrowserRouter } from 'react-router';
import { ErrorBoundary } from './frame/error-screen.tsx';
import { WaitingNotice } from './frame/waiting-notice.tsx';
import { AppRoutes } from './routes.tsx';

export function App() {
  return (
    <ErrorBoundary>
      <BrowserRouter>
        <Suspense fallback={null}>
          <AppRoutes />
        </Suspense>
        <WaitingNotice />
      </BrowserRouter>
    </ErrorBoundary>
  );
}
