import { useEffect, useState } from 'react';
import { DatabaseX, Database } from 'lucide-react';
import { formatTime } from '../lib/format.ts';
import { OFFLINE_TEXTS as TEXTS } from '../texts/offline.ts';
import { Banner } from '@passwordbroker/ui/feedback/banner';
import { ageText, OLD_COPY_SECONDS } from '@passwordbroker/client/offline/parts/copy-age';
import { useOffline } from './use-offline.ts';
import { useMasterPassword, useMasterPasswordView } from '../master-password/use-master-password.ts';
import { Button } from '@passwordbroker/ui/actions/button';
import { EmptyState } from '@passwordbroker/ui/feedback/empty-state';
import styles from './offline.module.css';
import { tellFailure } from '../activity-log/activity-log.ts';
import { isAway } from '@passwordbroker/client/transport/answers';
import { reasonOf } from '@passwordbroker/client/transport/reason';
import { session } from '../page/page.ts';
import { offline } from '../page/vault.ts';
import { OFFLINE_COPY_TEXTS } from '@passwordbroker/client/texts/offline-copy';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { useVault } from '../vault/use-vault.ts';

const REDRAW_MS = 60_000;

export function OfflineBanner() {
  const { databaseMode, copyOf } = useOffline();
  return databaseMode === 'offline' ? <CopyInUse copyOf={copyOf} /> : null;
}

/** @param props.copyOf Unix seconds; null if unknown */
function CopyInUse({ copyOf }: { readonly copyOf: number | null }) {
  const now = useNow();
  const age = copyOf === null ? null : now / 1000 - copyOf;
  return (
    <Banner tone="warning" icon={<DatabaseX size={16} />} action={<ToOnline />}>
      <b>{TEXTS.banner}</b>{' '}
      {copyOf === null || age === null
        ? TEXTS.bannerUnknown
        : TEXTS.bannerText(formatTime(copyOf * 1000), ageText(age))}
      {age !== null && age > OLD_COPY_SECONDS && ` ${TEXTS.oldCopy}`}
    </Banner>
  );
}

function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), REDRAW_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}

/** Even titles of a locked copy are encrypted. */
export function useLockedCopy(): boolean {
  const { databaseMode } = useOffline();
  return useMasterPasswordView().state !== 'validated' && databaseMode === 'offline';
}

export function LockedCopy() {
  const masterPassword = useMasterPassword();
  return (
    <div className={styles['locked']}>
      <EmptyState
        title={TEXTS.locked}
        text={TEXTS.lockedHint}
        isPageHeading
        action={
          <Button variant="primary" size="sm" onPress={() => masterPassword.open()}>
            {TEXTS.unlock}
          </Button>
        }
      />
    </div>
  );
}

export function ToOnline({ isBlock = false }: { readonly isBlock?: boolean }) {
  const [isBusy, setBusy] = useState(false);
  const back = async () => {
    setBusy(true);
    try {
      await offline.switchToOnline();
    } catch (failure) {
      const server = session.view().server;
      const host = server === null ? location.host : new URL(server).host;
      tellFailure(isAway(failure) ? TEXTS.serverAway(host) : reasonOf(failure));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button
      size="sm"
      isBlock={isBlock}
      icon={<Database size={16} />}
      busy={isBusy}
      busyLabel={TEXTS.switchingOnline}
      onPress={() => void back()}
    >
      {TEXTS.switchToOnline}
    </Button>
  );
}

export function PartOfHistory() {
  return useVault().mode === 'offline' ? <MessageBox tone="info" lines={[OFFLINE_COPY_TEXTS.noHistory]} /> : null;
}
