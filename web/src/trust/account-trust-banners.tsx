import { ShieldAlert } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { activityLog, tellDone, tellFailure } from '../activity-log/activity-log.ts';
import { formatTime } from '../lib/format.ts';
import { reasonOf } from '@passwordbroker/client/transport/reason';
import { TRUST_RECORD_TEXTS as TEXTS } from '../texts/groups/trust-record.ts';
import { Banner } from '@passwordbroker/ui/feedback/banner';
import { Button } from '@passwordbroker/ui/actions/button';
import type { AccountTrust } from '@passwordbroker/client/vault/trust/trust';
import { useVault } from '../vault/use-vault.ts';
import { faultTitle, isAtFault } from './record/record-state.tsx';
import styles from './trust.module.css';
import { useAccountTrust } from './use-trust-state.ts';

export function AccountTrustBanners() {
  const account = useAccountTrust();
  const navigate = useNavigate();
  useTrustNotices(account);
  if (account === undefined) return null;
  const { state, writeProblem } = account;
  return (
    <>
      {isAtFault(account) && (
        <Warning
          action={
            <Button size="sm" onPress={() => void navigate('/account#trust')}>
              {TEXTS.whatToDo}
            </Button>
          }
        >
          <b>{faultTitle(account)}.</b>
        </Warning>
      )}
      {!isAtFault(account) && writeProblem !== null && (
        <Warning>{state === 'behind' ? TEXTS.notPutBack(writeProblem) : TEXTS.notStored(writeProblem)}</Warning>
      )}
      {account.asksStrict && <StrictQuestion />}
    </>
  );
}

/** Each is shown once: a new browser, a record put back, deleted storage. */
function useTrustNotices(account: AccountTrust | undefined): void {
  const { hasMemory = true, wasPutBack = false, wasStorageDeleted = false, lastUse = null } = account ?? {};
  const newBrowser =
    hasMemory || lastUse === null ? null : TEXTS.newBrowser(formatTime(lastUse.at * 1000), lastUse.browser);
  useEffect(() => {
    if (newBrowser !== null) activityLog.add(newBrowser);
  }, [newBrowser]);
  useEffect(() => {
    if (wasPutBack) activityLog.add(TEXTS.putBack);
  }, [wasPutBack]);
  useEffect(() => {
    if (wasStorageDeleted) tellFailure(TEXTS.storageDeleted);
  }, [wasStorageDeleted]);
}

function StrictQuestion() {
  const { write } = useVault();
  const [busy, setBusy] = useState<'keep' | 'stop' | null>(null);
  const decide = async (isStrict: boolean) => {
    setBusy(isStrict ? 'keep' : 'stop');
    try {
      await write?.trust?.setStrict(isStrict);
      tellDone(isStrict ? TEXTS.strictKept : TEXTS.strictStopped);
    } catch (failure) {
      tellFailure(TEXTS.failed(reasonOf(failure)));
    }
    setBusy(null);
  };
  return (
    <Warning
      action={
        <span className={styles['pair']}>
          <Button
            size="sm"
            busy={busy === 'keep'}
            busyLabel={TEXTS.answering}
            isDisabled={busy !== null}
            onPress={() => void decide(true)}
          >
            {TEXTS.keep}
          </Button>
          <Button
            size="sm"
            busy={busy === 'stop'}
            busyLabel={TEXTS.answering}
            isDisabled={busy !== null}
            onPress={() => void decide(false)}
          >
            {TEXTS.stopAsking}
          </Button>
        </span>
      }
    >
      <b>{TEXTS.strictTitle}</b> {TEXTS.strictText}
    </Warning>
  );
}

const Warning = ({ action, children }: { readonly action?: ReactNode; readonly children: ReactNode }) => (
  <Banner tone="warning" icon={<ShieldAlert size={16} />} action={action}>
    {children}
  </Banner>
);
