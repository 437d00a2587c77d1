import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider, createBrowserRouter } from 'react-router';
import { routes } from './routes.tsx';
import { ToastRegion } from './ui/toast-region.tsx';

/** Caches reads without secrets; what the server refuses is not asked again by itself. */
const queries = new QueryClient({
  defaultOptions: { queries: { retry: false, refetchOnWindowFocus: false, staleTime: 30_000 } },
});
const router = createBrowserRouter(routes);

export function App() {
  return (
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
      <ToastRegion />
    </QueryClientProvider>
  );
}
