/** docs/spec/product.md §4 `network_error` */
import { Suspense, useEffect, useState } from 'react';
import { usePageTitle } from '../app/navigation/use-page-title.ts';
import { lazyPart } from '../lib/chunk.ts';
import type { LocalCopy } from '@passwordbroker/client/offline/offline';
import { useSession } from '../session/use-session.ts';
import { IDENTITY_TEXTS } from '../texts/identity/identity.ts';
import { Button } from '@passwordbroker/ui/actions/button';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { SERVER_TEXTS as TEXTS } from '../texts/identity/signed-out.ts';
import { IdentityFrame, WaitingPage } from './identity-frame.tsx';
import { ExpiredNote } from './login.tsx';
import styles from './identity-frame.module.css';
import { offline } from '../page/vault.ts';
import { session } from '../page/page.ts';

const OfflineLogin = lazyPart('OfflineLogin', () => import('../offline/offline-login.tsx'));

export function UnreachablePage() {
  const { server } = useSession();
  const copies = useCopiesOf(server);
  const host = server === null ? location.host : new URL(server).host;
  const waiting = <WaitingPage text={IDENTITY_TEXTS.loading} />;
  if (copies === null) return waiting;
  if (copies.length === 0) return <TryAgain host={host} />;
  return (
    <Suspense fallback={waiting}>
      <OfflineLogin copies={copies} host={host} />
    </Suspense>
  );
}

/** null while loading. */
function useCopiesOf(server: string | null): readonly LocalCopy[] | null {
  const [copies, setCopies] = useState<readonly LocalCopy[] | null>(null);
  useEffect(() => {
    let isGone = false;
    const show = (found: readonly LocalCopy[]) => {
      if (!isGone) setCopies(found.filter((copy) => copy.server === server));
    };
    offline.localCopies().then(show, () => show([]));
    return () => {
      isGone = true;
    };
  }, [server]);
  return copies;
}

function TryAgain({ host }: { readonly host: string }) {
  const [busy, setBusy] = useState<'again' | 'elsewhere' | null>(null);
  usePageTitle(TEXTS.unreachable);
  return (
    <IdentityFrame
      side={
        <>
          <h2>{TEXTS.sideTitle}</h2>
          <p>{TEXTS.sideText}</p>
        </>
      }
    >
      <div className={styles['heading']}>
        <h1>{TEXTS.unreachable}</h1>
      </div>
      <MessageBox tone="danger" lines={[TEXTS.noConnection(host), TEXTS.whatNow]} />
      <ExpiredNote />
      <div className={styles['actions']}>
        <Button
          variant="primary"
          size="lg"
          autoFocus
          busy={busy === 'again'}
          busyLabel={TEXTS.trying}
          onPress={() => {
            setBusy('again');
            void session.check().finally(() => setBusy(null));
          }}
        >
          {TEXTS.tryAgain}
        </Button>
        <Button
          size="lg"
          busy={busy === 'elsewhere'}
          busyLabel={TEXTS.trying}
          onPress={() => {
            setBusy('elsewhere');
            void session.changeServer(null).finally(() => setBusy(null));
          }}
        >
          {TEXTS.otherServer}
        </Button>
      </div>
    </IdentityFrame>
  );
}
