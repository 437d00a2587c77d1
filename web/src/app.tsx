import { Suspense } from 'react';
import { ErrorBoundary } from './frame/error-screen.tsx';
import { PlaceRouter } from './frame/place-router.tsx';
import { WaitingNotice } from './frame/waiting-notice.tsx';
import { AppRoutes } from './routes.tsx';

export function App() {
  return (
    <ErrorBoundary>
      <PlaceRouter>
        <Suspense fallback={null}>
          <AppRoutes />
        </Suspense>
        <WaitingNotice />
      </PlaceRouter>
    </ErrorBoundary>
  );
}
