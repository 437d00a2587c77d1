import { Suspense } from 'react';
import { BrowserRouter } from 'react-router';
import { ErrorBoundary } from './frame/error-screen.tsx';
import { AppRoutes } from './routes.tsx';

export function App() {
  return (
    <ErrorBoundary>
      <BrowserRouter>
        <Suspense fallback={null}>
          <AppRoutes />
        </Suspense>
      </BrowserRouter>
    </ErrorBoundary>
  );
}
