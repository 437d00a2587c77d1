import { Bell } from 'lucide-react';
import { Tooltip } from '@passwordbroker/ui/overlays/tooltip';
import { OnlineLink } from '../app/navigation/navigation.tsx';
import { FRAME_TEXTS as TEXTS } from '../texts/frame.ts';
import { useWhyNot } from '../vault/use-vault.ts';
import styles from './notice-bell.module.css';
import { useUnread } from './use-notices.ts';

const MOST_SHOWN = 99;

/** Link to the notices, with the number of unread ones. */
export function NoticeBell() {
  const unread = useUnread();
  const isOffline = useWhyNot() !== null;
  const name = TEXTS.notices(unread);
  const link = (
    <OnlineLink to="/notices" className={styles['bell'] ?? ''} label={name}>
      <Bell size={16} />
      {unread > 0 && !isOffline && (
        <span className={styles['count']} aria-hidden="true">
          {unread > MOST_SHOWN ? `${MOST_SHOWN}+` : unread}
        </span>
      )}
    </OnlineLink>
  );
  // Offline the link has its own tooltip, which says why it is off.
  return isOffline ? link : <Tooltip text={name}>{link}</Tooltip>;
}
