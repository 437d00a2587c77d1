import { Archive, List, ListChecks, LogIn, SlidersHorizontal, Users } from 'lucide-react';
import { useId, type ReactNode } from 'react';
import { Link } from 'react-router';
import { useCheckup } from '../checkup/use-checkup.ts';
import { usePendingPath } from '../app/navigation/navigation.tsx';
import { useMayChange } from '../session/use-session.ts';
import { ADMIN_TEXTS as TEXTS } from '../texts/admin/admin.ts';
import { CHECKUP_TEXTS } from '../texts/admin/checkup.ts';
import styles from './admin-menu.module.css';
import { ADMIN_PATHS } from './admin-paths.ts';

/** @param onChosen closes the drawer on a small screen */
export function AdminMenu({ onChosen }: { readonly onChosen?: () => void }) {
  const heading = useId();
  const mayChange = useMayChange();
  const open = useCheckup().data?.open ?? 0;
  const link = (to: string, title: ReactNode, icon?: ReactNode) => (
    <MenuLink to={to} onChosen={onChosen}>
      {icon}
      {title}
    </MenuLink>
  );
  return (
    <nav className={styles['menu']} aria-label={TEXTS.panel}>
      {link(
        ADMIN_PATHS.checkup,
        <>
          {CHECKUP_TEXTS.page}
          {open > 0 && (
            <span className={styles['count']}>
              <span aria-hidden="true">{open}</span>
              <span className="visually-hidden">{CHECKUP_TEXTS.menu(open)}</span>
            </span>
          )}
        </>,
        <ListChecks size={16} aria-hidden="true" />,
      )}
      <p className={styles['heading']} id={heading}>
        <Users size={16} aria-hidden="true" />
        {TEXTS.userControl}
      </p>
      <div className={styles['sub']} role="group" aria-labelledby={heading}>
        {link(ADMIN_PATHS.users, TEXTS.users)}
        {mayChange && link(ADMIN_PATHS.createUser, TEXTS.createUser)}
        {link(ADMIN_PATHS.invite, mayChange ? TEXTS.invite : TEXTS.invitations)}
        {link(ADMIN_PATHS.tokens, TEXTS.tokens)}
        {mayChange && link(ADMIN_PATHS.services, TEXTS.serviceAccounts)}
      </div>
      {link(ADMIN_PATHS.settings, TEXTS.settings, <SlidersHorizontal size={16} aria-hidden="true" />)}
      {link(ADMIN_PATHS.providers, TEXTS.singleSignOn, <LogIn size={16} aria-hidden="true" />)}
      {link(ADMIN_PATHS.logs, TEXTS.logs, <List size={16} aria-hidden="true" />)}
      {link(ADMIN_PATHS.backup, TEXTS.backup, <Archive size={16} aria-hidden="true" />)}
    </nav>
  );
}

interface MenuLinkProps {
  readonly to: string;
  readonly onChosen: (() => void) | undefined;
  readonly children: ReactNode;
}

const bare = (path: string) => path.replace(/\/$/, '');

function MenuLink({ to, onChosen, children }: MenuLinkProps) {
  const pathname = usePendingPath();
  return (
    <Link
      to={to}
      className={styles['link']}
      aria-current={bare(pathname) === bare(to) ? 'page' : undefined}
      onClick={onChosen}
    >
      {children}
    </Link>
  );
}
