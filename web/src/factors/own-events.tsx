/** What changed in the account since the last sign-in, where the site sends no mail. */
import { useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { ownEvents } from '@passwordbroker/core/contract/account/credentials';
import { lazyPart } from '../lib/chunk.ts';
import { http } from '../page/page.ts';
import { useVault } from '../vault/use-vault.ts';

const OwnEventsBanner = lazyPart('OwnEventsBanner', () => import('./own-events-banner.tsx'));

/** In this tab: until when the person has read it. */
const SEEN = 'passwordbroker.own-events';

function seen(): string | null {
  try {
    return sessionStorage.getItem(SEEN);
  } catch {
    return null;
  }
}

export function OwnEventsOfLastSession() {
  const { mode } = useVault();
  const [read, setRead] = useState(seen);
  const { data } = useQuery({
    queryKey: ['account', 'own events'],
    queryFn: ({ signal }) => http.call(ownEvents, { signal }),
    enabled: mode === 'online',
    networkMode: 'always',
    retry: false,
    staleTime: Infinity,
  });
  const { since = null, events = [] } = data ?? {};
  if (since === null || events.length === 0 || read === since) return null;
  const dismiss = () => {
    setRead(since);
    try {
      sessionStorage.setItem(SEEN, since);
    } catch {
      // It is told again after a reload.
    }
  };
  return (
    <Suspense fallback={null}>
      <OwnEventsBanner since={since} events={events} onDismiss={dismiss} />
    </Suspense>
  );
}
