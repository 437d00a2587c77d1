/** Menu of the lock (docs/spec/product.md §4, docs/spec/decisions.md K5). */
import { ChevronDown, Fingerprint, KeyRound, Lock, MonitorSmartphone } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { activityLog } from '../activity-log/activity-log.ts';
import { loadChunk } from '../lib/chunk.ts';
import { MASTER_PASSWORD_TEXTS as TEXTS } from '@passwordbroker/client/texts/master-password';
import { Menu } from '@passwordbroker/ui/overlays/menu';
import { useWhyNot } from '../vault/use-vault.ts';
import styles from './master-password.module.css';
import { useLockAfter } from './use-lock-after.ts';
import { useMasterPassword, useMasterPasswordView } from './use-master-password.ts';

const ChangeDialog = lazy(async () => ({
  default: (await loadChunk('ChangeDialog', () => import('./change-dialog.tsx'))).ChangeDialog,
}));

export interface LockMenuProps {
  /** Shows the person's own key for comparison. */
  readonly onOwnKey: () => void;
  /** Shows the words of the trust record, to compare with another browser of the account. */
  readonly onCompare: () => void;
}

export function LockMenu({ onOwnKey, onCompare }: LockMenuProps) {
  const masterPassword = useMasterPassword();
  const { state } = useMasterPasswordView();
  const whyNot = useWhyNot();
  const { minutes } = useLockAfter();
  const [isChanging, setChanging] = useState(false);
  const lockNow = () => {
    masterPassword.lock();
    activityLog.add(TEXTS.locked);
  };
  return (
    <>
      <Menu
        label={TEXTS.menu}
        icon={<ChevronDown size={12} />}
        className={styles['caret'] ?? ''}
        note={TEXTS.habits(minutes)}
        items={[
          { label: TEXTS.lockNow, icon: <Lock size={16} />, isDisabled: state !== 'validated', onPress: lockNow },
          { label: TEXTS.ownKey, icon: <Fingerprint size={16} />, onPress: onOwnKey },
          { label: TEXTS.compareBrowsers, icon: <MonitorSmartphone size={16} />, whyNot, onPress: onCompare },
          { label: TEXTS.changeMaster, icon: <KeyRound size={16} />, whyNot, onPress: () => setChanging(true) },
        ]}
      />
      {isChanging && (
        <Suspense fallback={null}>
          <ChangeDialog onClose={() => setChanging(false)} />
        </Suspense>
      )}
    </>
  );
}
