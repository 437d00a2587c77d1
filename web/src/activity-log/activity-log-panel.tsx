import { X } from 'lucide-react';
import { ACTIVITY_LOG_TEXTS as TEXTS } from '../texts/entries/trash-and-activity.ts';
import { IconButton } from '@passwordbroker/ui/actions/button';
import { ACTIVITY_LOG_LENGTH, clockTime, useActivityLog, type ActivityLog } from './activity-log.ts';
import styles from './activity-log-panel.module.css';
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';

interface Props {
  readonly onClose: () => void;
  readonly log?: ActivityLog;
}

export function ActivityLogPanel({ onClose, log }: Props) {
  const entries = useActivityLog(log);
  return (
    <aside className={styles['panel']} aria-label={TEXTS.title}>
      <header className={styles['head']}>
        <h2 className={styles['title']}>{TEXTS.title}</h2>
        <span className={styles['count']}>{TEXTS.count(entries.length, ACTIVITY_LOG_LENGTH)}</span>
        <IconButton label={TEXTS.close} icon={<X size={16} />} onPress={onClose} />
      </header>
      {entries.length === 0 ? (
        <p className={styles['empty']}>{TEXTS.empty}</p>
      ) : (
        <ol className={styles['list']} aria-live="polite">
          {entries.map((entry) => (
            <li key={entry.id} className={styles['entry']} data-failure={entry.isFailure || undefined}>
              <time className={styles['time']} dateTime={new Date(entry.at).toISOString()}>
                {clockTime(entry.at)}
              </time>
              <span className={styles['body']}>{entry.body}</span>
            </li>
          ))}
        </ol>
      )}
    </aside>
  );
}

interface LogPanel {
  readonly isOpen: boolean;
  readonly toggle: () => void;
  readonly close: () => void;
}

/** Elements that Escape closes first. */
const OPEN = 'dialog[open], [role=dialog], [role=menu], [role=listbox], [data-drawer=open]';

type ElementRef = RefObject<HTMLElement | null>;

/**
 * Escape closes the panel and returns the focus if the panel had it.
 * @param rest takes the focus if the opener is gone
 */
export function useLogPanel(box: ElementRef, rest: ElementRef): LogPanel {
  const [isOpen, setOpen] = useState(false);
  const opener = useRef<Element | null>(null);

  const close = useCallback(() => {
    const hadFocus = box.current?.contains(document.activeElement) === true;
    setOpen(false);
    if (!hadFocus) return;
    const back = opener.current;
    (back instanceof HTMLElement && back.checkVisibility() ? back : rest.current)?.focus();
  }, [box, rest]);

  useEffect(() => {
    if (!isOpen) return undefined;
    let isForOthers = false;
    // In the capture phase, before other handlers close what is open.
    const look = () => {
      isForOthers = document.querySelector(OPEN) !== null;
    };
    const closeByKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !isForOthers && !event.defaultPrevented) close();
    };
    addEventListener('keydown', look, { capture: true });
    addEventListener('keydown', closeByKey);
    return () => {
      removeEventListener('keydown', look, { capture: true });
      removeEventListener('keydown', closeByKey);
    };
  }, [isOpen, close]);

  const toggle = () => {
    opener.current = document.activeElement;
    setOpen(!isOpen);
  };
  return { isOpen, toggle, close };
}
