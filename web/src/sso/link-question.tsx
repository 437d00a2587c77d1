/** Asks before an account is linked: another person may be signed in at the provider in this browser. */
import { useState } from 'react';
import { link } from '@passwordbroker/core/contract/account/sso';
import type { LinkOffer } from '@passwordbroker/client/session/link-offer';
import { reasonOf } from '@passwordbroker/client/transport/reason';
import { Button } from '@passwordbroker/ui/actions/button';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { tellDone } from '../activity-log/activity-log.ts';
import styles from '../identity/identity-frame.module.css';
import { http, session } from '../page/page.ts';
import { freshSignIn } from '../page/vault.ts';
import { ConfirmPasswordDialog } from '../session/confirm-password-dialog.tsx';
import { useSession } from '../session/use-session.ts';
import { SSO_TEXTS as TEXTS } from '../texts/identity/sso.ts';

interface Props {
  readonly offer: LinkOffer;
  /** Linked, or not now. */
  readonly onDone: () => void;
}

export function LinkQuestion({ offer, onDone }: Props) {
  const { user } = useSession();
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const { ticket, email, name } = offer;

  const store = async () => {
    setProblem(null);
    setBusy(true);
    try {
      if ((await freshSignIn.tryRun(() => http.call(link, { body: { ticket } }))) === null) return setBusy(false);
      tellDone(TEXTS.linked(name));
      // The session may have been restricted to this.
      await session.refresh().catch(() => undefined);
      onDone();
    } catch (failure) {
      setProblem(reasonOf(failure));
      setBusy(false);
    }
  };
  if (user === null) return null;
  return (
    <div className={styles['stack']}>
      <div className={styles['heading']}>
        <h1>{TEXTS.question}</h1>
        <p>{TEXTS.questionText(email, name, user.name)}</p>
      </div>
      <p className={styles['alternative']}>{TEXTS.questionHint(name)}</p>
      {problem !== null && <MessageBox tone="danger" lines={[problem]} />}
      <Button
        variant="primary"
        size="lg"
        autoFocus
        busy={isBusy}
        busyLabel={TEXTS.linking}
        onPress={() => void store()}
      >
        {TEXTS.link}
      </Button>
      <Button variant="ghost" size="lg" isDisabled={isBusy} onPress={onDone}>
        {TEXTS.notNow}
      </Button>
      <ConfirmPasswordDialog />
    </div>
  );
}
