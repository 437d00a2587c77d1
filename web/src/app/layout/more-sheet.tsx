/** Menu of the header's items that do not fit on a small screen. */
import { Activity, Database, Keyboard, LogOut, Moon, SlidersHorizontal, Sun, UserRound } from 'lucide-react';
import type { ReactNode } from 'react';
import { useNavigate } from 'react-router';
import { ACCOUNT_TEXTS } from '../../texts/identity/account.ts';
import { FRAME_TEXTS as TEXTS } from '../../texts/frame.ts';
import { KEYBOARD_TEXTS } from '../../texts/keyboard.ts';
import { Dialog } from '@passwordbroker/ui/overlays/dialog';
import { useWhyNot } from '../../vault/use-vault.ts';
import { PersonInitials } from './person-initials.tsx';
import styles from './more-sheet.module.css';
import { toggleTheme, useTheme } from '../theme/theme.ts';

interface Item {
  readonly title: string;
  readonly icon: ReactNode;
  readonly whyNot?: string | null;
  readonly onPress: () => void;
}

interface MoreSheetProps {
  readonly name: string;
  readonly email: string;
  readonly onLog: () => void;
  readonly onKeys: () => void;
  readonly onOffline: () => void;
  readonly onClose: () => void;
}

export function MoreSheet({ name, email, onLog, onKeys, onOffline, onClose }: MoreSheetProps) {
  const navigate = useNavigate();
  const theme = useTheme();
  const whyNot = useWhyNot();
  const go = (path: string) => {
    onClose();
    void navigate(path);
  };
  const items: readonly Item[] = [
    { title: ACCOUNT_TEXTS.page, icon: <UserRound size={16} />, whyNot, onPress: () => go('/account') },
    { title: TEXTS.adminPanel, icon: <SlidersHorizontal size={16} />, whyNot, onPress: () => go('/admin') },
    {
      title: TEXTS.activityLog,
      icon: <Activity size={16} />,
      onPress: () => {
        onClose();
        onLog();
      },
    },
    {
      title: TEXTS.offline,
      icon: <Database size={16} />,
      onPress: () => {
        onClose();
        onOffline();
      },
    },
    theme === 'dark'
      ? { title: TEXTS.lightTheme, icon: <Sun size={16} />, onPress: toggleTheme }
      : { title: TEXTS.darkTheme, icon: <Moon size={16} />, onPress: toggleTheme },
    {
      title: KEYBOARD_TEXTS.title,
      icon: <Keyboard size={16} />,
      onPress: () => {
        onClose();
        onKeys();
      },
    },
    { title: TEXTS.logout, icon: <LogOut size={16} />, onPress: () => go('/identity/logout') },
  ];
  return (
    <Dialog title={name} subtitle={email} mark={<PersonInitials name={name} size="lg" />} onClose={onClose}>
      <div className={styles['list']}>
        {items.map(({ title, icon, whyNot: reason = null, onPress }, at) => (
          <button
            // Keyed by position: the theme button keeps the focus when its title changes.
            key={at}
            type="button"
            className={styles['item']}
            aria-disabled={reason !== null || undefined}
            onClick={() => {
              if (reason === null) onPress();
            }}
          >
            {icon}
            {title}
            {reason !== null && <span className={styles['why']}>{reason}</span>}
          </button>
        ))}
      </div>
    </Dialog>
  );
}
