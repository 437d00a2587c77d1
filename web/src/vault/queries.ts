/** Query cache of reads without secrets. Cleared when the person changes. */
import { QueryClient } from '@tanstack/react-query';
import { activityLog } from '../activity-log/activity-log.ts';
import type { Keyring } from '@passwordbroker/client/keyring/keyring';
import type { Offline } from '@passwordbroker/client/offline/offline';
import type { Session } from '@passwordbroker/client/session/session';
import { closeToasts, openToasts } from '@passwordbroker/ui/feedback/toast';

interface Parts {
  readonly session: Pick<Session, 'view' | 'subscribe'>;
  readonly offline: Pick<Offline, 'vault' | 'subscribe'>;
  readonly keyring: Pick<Keyring, 'onOpened'>;
}

export function createQueries({ session, offline, keyring }: Parts): QueryClient {
  const queries = new QueryClient({
    // No automatic retry after a refusal. `always`: a browser that calls itself offline may have a local
    // copy.
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

  /**
   * Refetches everything after a switch between server and local copy, once the page uses the other vault.
   */
  const readAnew = () => setTimeout(() => void queries.invalidateQueries());
  let isFromCopy = offline.vault() !== null;
  offline.subscribe(() => {
    if (isFromCopy === (offline.vault() !== null)) return;
    isFromCopy = !isFromCopy;
    readAnew();
  });
  // Requests to the worker fail while the vault is locked, so failed queries run again.
  keyring.onOpened(() => {
    if (isFromCopy) readAnew();
  });
  return queries;
}
