import { useMasterPassword, useMasterPasswordView } from '../master-password/use-master-password.ts';
import { OFFLINE_TEXTS as TEXTS } from '../texts/offline.ts';
import { Button } from '@passwordbroker/ui/actions/button';
import { EmptyState } from '@passwordbroker/ui/feedback/empty-state';
import styles from './offline.module.css';
import { useOffline } from './use-offline.ts';

/** Whether the page works from a local copy that is still locked. Even its titles are encrypted. */
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
