/** The server where a token signs in does not answer (specification §4 `network_error`): try again, or go elsewhere. */
import { useState } from 'react';
import { usePageTitle } from '../frame/use-page-title.ts';
import { session } from '../session/session.ts';
import { useSession } from '../session/use-session.ts';
import { SERVER_TEXTS as TEXTS } from '../texts/servers.ts';
import { Button } from '../ui/button.tsx';
import { MessageBox } from '../ui/message-box.tsx';
import { IdentityFrame } from './identity-frame.tsx';
import styles from './identity-frame.module.css';

export function UnreachablePage() {
  const { server } = useSession();
  const [busy, setBusy] = useState<'again' | 'elsewhere' | null>(null);
  usePageTitle(TEXTS.unreachable);
  const host = server === null ? location.host : new URL(server).host;
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
