/**
 * Whether programs may send the master password to the server, and whether one did (docs/spec/crypto.md §17).
 */
import { optOutOfServerCrypto } from '@passwordbroker/core/contract/account/own-keys';
import { me } from '@passwordbroker/core/contract/account/session';
import { lazy, Suspense, useEffect, useState } from 'react';
import { tellDone, tellFailure } from '../activity-log/tell.ts';
import { useSiteRules } from '../identity/passwords/use-site-rules.ts';
import { loadChunk } from '../lib/chunk.ts';
import { formatTime } from '../lib/format.ts';
import { reasonOf } from '@passwordbroker/client/transport/reason';
import { useSession } from '../session/use-session.ts';
import { ACCOUNT_TEXTS } from '../texts/identity/account.ts';
import { Button } from '@passwordbroker/ui/actions/button';
import { Checkbox } from '@passwordbroker/ui/inputs/checkbox';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import styles from './account.module.css';
import { Section } from './section.tsx';
import { http, session } from '../page/page.ts';

const TEXTS = ACCOUNT_TEXTS.serverCrypto;

const ChangeDialog = lazy(async () => ({
  default: (await loadChunk('ChangeDialog', () => import('../master-password/change-dialog.tsx'))).ChangeDialog,
}));

/** Refetches the account: a program may have used the master password since. */
function useFreshAccount() {
  useEffect(() => {
    http.call(me).then(
      ({ user }) => user !== null && session.know(user),
      () => undefined,
    );
  }, []);
}

export function ServerCryptoSection() {
  useFreshAccount();
  const { user } = useSession();
  const { rules } = useSiteRules();
  const [isBusy, setBusy] = useState(false);
  const [isChanging, setChanging] = useState(false);
  if (user === null) return null;

  const choose = async (isOptedOut: boolean) => {
    if (isBusy) return;
    setBusy(true);
    try {
      const { status } = await http.call(optOutOfServerCrypto, { body: { status: isOptedOut } });
      session.know({ ...user, server_crypto_opt_out: status });
      tellDone(status ? TEXTS.optedOut : TEXTS.optedIn);
    } catch (failure) {
      tellFailure(reasonOf(failure));
    }
    setBusy(false);
  };
  return (
    <Section title={TEXTS.title} hint={TEXTS.hint}>
      <div className={styles['choices']}>
        {user.mp_exposed_at !== null && (
          <MessageBox
            tone="warning"
            title={TEXTS.exposed(formatTime(user.mp_exposed_at))}
            lines={[TEXTS.exposedWhat, TEXTS.exposedAdvice]}
          >
            <p className={styles['verb']}>
              <Button size="sm" onPress={() => setChanging(true)}>
                {TEXTS.change}
              </Button>
            </p>
          </MessageBox>
        )}
        {rules?.server_crypto === 'off' && <MessageBox tone="info" lines={[TEXTS.siteOff]} />}
        <Checkbox
          isSelected={user.server_crypto_opt_out}
          onChange={(isOptedOut) => void choose(isOptedOut)}
          hint={TEXTS.optOutHint}
        >
          {TEXTS.optOut}
        </Checkbox>
      </div>
      {isChanging && (
        <Suspense fallback={null}>
          <ChangeDialog onClose={() => setChanging(false)} />
        </Suspense>
      )}
    </Section>
  );
}
