/** What changed in the account before this sign-in and was not read in this browser, where the site sends no mail. */
import { useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { ownEvents } from '@passwordbroker/core/contract/account/credentials';
import { lazyPart } from '../lib/chunk.ts';
import { http } from '../page/page.ts';
import { useVault } from '../vault/use-vault.ts';

const OwnEventsBanner = lazyPart('OwnEventsBanner', () => import('./own-events-banner.tsx'));

/** '': nothing. */
function readIn(key: string): string {
  try {
    return localStorage.getItem(key) ?? '';
  } catch {
    return '';
  }
}

interface Props {
  readonly userId: string;
}

export function OwnEventsBeforeSignIn({ userId }: Props) {
  const { mode } = useVault();
  /** For this browser: until when the person has read it. */
  const key = `passwordbroker.own-events ${userId}`;
  const [read, setRead] = useState(() => readIn(key));
  const { data } = useQuery({
    queryKey: ['account', 'own events'],
    queryFn: ({ signal }) => http.call(ownEvents, { signal }),
    enabled: mode === 'online',
    networkMode: 'always',
    retry: false,
    staleTime: Infinity,
  });
  const events = (data?.events ?? []).filter(({ created_at }) => created_at > read);
  const [newest] = events;
  if (newest === undefined) return null;
  const dismiss = () => {
    setRead(newest.created_at);
    try {
      localStorage.setItem(key, newest.created_at);
    } catch {
      // It is told again after a reload.
    }
  };
  return (
    <Suspense fallback={null}>
      <OwnEventsBanner events={events} onDismiss={dismiss} />
    </Suspense>
  );
}
