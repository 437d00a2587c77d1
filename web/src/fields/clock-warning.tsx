/** Below a TOTP code: that the clock which it is made by is wrong. Looked at again and again, so that it goes once the clock is right. */
import { useSyncExternalStore } from 'react';
import { serverClock } from '../lib/server-clock.ts';
import { useOffline } from '../offline/use-offline.ts';
import { MessageBox } from '../ui/message-box.tsx';
import { clockHint } from './clock-hint.ts';
import styles from './field-table.module.css';

const LOOK_MS = 2_000;

function everyLook(look: () => void) {
  const timer = setInterval(look, LOOK_MS);
  return () => clearInterval(timer);
}

export function ClockWarning() {
  const { databaseMode, copyOf } = useOffline();
  const inUse = databaseMode === 'offline' ? copyOf : null;
  const hint = useSyncExternalStore(everyLook, () =>
    clockHint({ difference: serverClock.difference(), now: Date.now(), copyOf: inUse }),
  );
  if (hint === null) return null;
  return (
    <div className={styles['clock']}>
      <MessageBox tone="warning" lines={[hint]} />
    </div>
  );
}
