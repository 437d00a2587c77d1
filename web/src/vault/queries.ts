/** Caches reads without secrets for whoever is signed in; nothing of one person is left for the next. */
import { QueryClient } from '@tanstack/react-query';
import { activityLog } from '../activity-log/activity-log.ts';
import { session } from '../session/session.ts';
import { closeToasts, openToasts } from '../ui/toast.ts';

export const queries = new QueryClient({
  // What the server refuses is not asked again by itself.
  // A browser that calls itself offline may have a local copy to read from.
  defaultOptions: {
    queries: { retry: false, refetchOnWindowFocus: false, staleTime: 30_000, networkMode: 'always' },
    mutations: { networkMode: 'always' },
  },
});

session.subscribe(() => {
  if (session.view().user === null) {
    queries.clear();
    activityLog.close();
    closeToasts();
  } else {
    activityLog.open();
    openToasts();
  }
});
