import {
  Activity,
  Ellipsis,
  LogOut,
  Menu,
  CircleQuestionMark,
  Database,
  Moon,
  SlidersHorizontal,
  Sun,
  UserRound,
} from 'lucide-react';
import { Suspense, useCallback, useState, type ReactNode } from 'react';
import { Link, useNavigate } from 'react-router';
import { Help, useQuestionMark } from '../../help/help.tsx';
import { lazyPart } from '../../lib/chunk.ts';
import { MasterPasswordIcon } from '../../master-password/master-password-icon.tsx';
import { NoticeBell } from '../../notices/notice-bell.tsx';
import { OfflineButton } from '../../offline/offline-button.tsx';
import { useSession } from '../../session/use-session.ts';
import { ACCOUNT_TEXTS } from '../../texts/identity/account.ts';
import { FRAME_TEXTS as TEXTS } from '../../texts/frame.ts';
import { Brand } from './brand.tsx';
import { IconButton } from '@passwordbroker/ui/actions/button';
import { Tooltip } from '@passwordbroker/ui/overlays/tooltip';
import styles from './header.module.css';
import { PersonInitials } from './person-initials.tsx';
import { OnlineLink } from '../navigation/navigation.tsx';
import { SearchBox } from '../search-box/search-box.tsx';
import { ThemeButton, toggleTheme, useTheme } from '../theme/theme.tsx';
import { HELP_TEXTS } from '../../texts/help.ts';
import { Dialog } from '@passwordbroker/ui/overlays/dialog';
import { useWhyNot } from '../../vault/use-vault.ts';
import moreSheetStyles from './more-sheet.module.css';

const OfflineDialog = lazyPart('OfflineDialog', () => import('../../offline/offline-panel.tsx'));

const OwnKeyDialog = lazyPart('OwnKeyDialog', () => import('../../members/keys/own-key-dialog.tsx'));

const CompareBrowsersDialog = lazyPart(
  'CompareBrowsersDialog',
  () => import('../../trust/compare-browsers-dialog.tsx'),
);

interface HeaderProps {
  readonly isAdminArea: boolean;
  readonly isDrawerOpen: boolean;
  readonly onDrawer: () => void;
  readonly isLogOpen: boolean;
  readonly onLog: () => void;
}

export function Header({ isAdminArea, isDrawerOpen, onDrawer, isLogOpen, onLog }: HeaderProps) {
  const { user } = useSession();
  const [isMoreOpen, setMoreOpen] = useState(false);
  const [isHelpOpen, setHelpOpen] = useState(false);
  const openHelp = useCallback(() => setHelpOpen(true), []);
  const [isOwnKeyOpen, setOwnKeyOpen] = useState(false);
  const [isComparing, setComparing] = useState(false);
  const [isOfflineOpen, setOfflineOpen] = useState(false);
  const closeOwnKey = useCallback(() => setOwnKeyOpen(false), []);
  const endComparing = useCallback(() => setComparing(false), []);
  useQuestionMark(openHelp);
  const name = user?.name ?? '';
  return (
    <header className={styles['header']} inert={isDrawerOpen}>
      <div className={styles['left']}>
        <span className={styles['menu']}>
          <IconButton
            label={isAdminArea ? TEXTS.openMenu : TEXTS.openGroups}
            icon={<Menu size={18} />}
            isExpanded={isDrawerOpen}
            align="start"
            onPress={onDrawer}
          />
        </span>
        <Link to="/" className={styles['home']} aria-label={TEXTS.home}>
          <Brand />
        </Link>
      </div>
      <SearchBox onLog={onLog} onHelp={openHelp} />
      <div className={styles['right']}>
        <span className={styles['wide']}>
          <OnlineLink to="/admin" className={styles['link'] ?? ''}>
            {TEXTS.adminPanel}
          </OnlineLink>
          <span className={styles['rule']} />
          <OfflineButton />
          <IconButton
            label={TEXTS.activityLog}
            icon={<Activity size={16} />}
            size="lg"
            pressed={isLogOpen}
            onPress={onLog}
          />
          <IconButton label={HELP_TEXTS.title} icon={<CircleQuestionMark size={16} />} size="lg" onPress={openHelp} />
        </span>
        <NoticeBell />
        <MasterPasswordIcon onOwnKey={() => setOwnKeyOpen(true)} onCompare={() => setComparing(true)} />
        <span className={styles['wide']}>
          <span className={styles['rule']} />
          <OnlineLink to="/account" className={styles['person'] ?? ''} label={ACCOUNT_TEXTS.link(name)}>
            <PersonInitials name={name} />
            <span className={styles['name']}>{name}</span>
          </OnlineLink>
          <ThemeButton />
          <Tooltip text={TEXTS.logout} align="end">
            <Link to="/identity/logout" className={styles['logout']} aria-label={TEXTS.logout}>
              <LogOut size={16} />
            </Link>
          </Tooltip>
        </span>
        <span className={styles['more']}>
          <IconButton label={TEXTS.more} icon={<Ellipsis size={18} />} align="end" onPress={() => setMoreOpen(true)} />
        </span>
      </div>
      {isMoreOpen && (
        <MoreSheet
          name={name}
          email={user?.email ?? ''}
          onLog={onLog}
          onHelp={openHelp}
          onOffline={() => setOfflineOpen(true)}
          onClose={() => setMoreOpen(false)}
        />
      )}
      {isOfflineOpen && (
        <Suspense fallback={null}>
          <OfflineDialog onClose={() => setOfflineOpen(false)} />
        </Suspense>
      )}
      {isOwnKeyOpen && (
        <Suspense fallback={null}>
          <OwnKeyDialog onClose={closeOwnKey} />
        </Suspense>
      )}
      {isComparing && (
        <Suspense fallback={null}>
          <CompareBrowsersDialog onClose={endComparing} />
        </Suspense>
      )}
      {isHelpOpen && <Help onClose={() => setHelpOpen(false)} />}
    </header>
  );
}

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
  readonly onHelp: () => void;
  readonly onOffline: () => void;
  readonly onClose: () => void;
}

function MoreSheet({ name, email, onLog, onHelp, onOffline, onClose }: MoreSheetProps) {
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
      title: HELP_TEXTS.title,
      icon: <CircleQuestionMark size={16} />,
      onPress: () => {
        onClose();
        onHelp();
      },
    },
    { title: TEXTS.logout, icon: <LogOut size={16} />, onPress: () => go('/identity/logout') },
  ];
  return (
    <Dialog title={name} subtitle={email} mark={<PersonInitials name={name} size="lg" />} onClose={onClose}>
      <div className={moreSheetStyles['list']}>
        {items.map(({ title, icon, whyNot: reason = null, onPress }, at) => (
          <button
            // Keyed by position: the theme button keeps the focus when its title changes.
            key={at}
            type="button"
            className={moreSheetStyles['item']}
            aria-disabled={reason !== null || undefined}
            onClick={() => {
              if (reason === null) onPress();
            }}
          >
            {icon}
            {title}
            {reason !== null && <span className={moreSheetStyles['why']}>{reason}</span>}
          </button>
        ))}
      </div>
    </Dialog>
  );
}
