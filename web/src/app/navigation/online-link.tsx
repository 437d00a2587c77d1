/** A link to a page that needs the server. Offline it is disabled and says why. */
import { type ReactNode, useId } from 'react';
import { Link, matchPath } from 'react-router';
import { Tooltip } from '@passwordbroker/ui/overlays/tooltip';
import { useWhyNot } from '../../vault/use-vault.ts';
import styles from './online-link.module.css';
import { usePendingPath } from './use-pending-path.ts';

interface OnlineLinkProps {
  readonly to: string;
  readonly className: string;
  readonly label?: string;
  readonly onFollow?: () => void;
  readonly children: ReactNode;
}

export function OnlineLink({ to, className, label, onFollow, children }: OnlineLinkProps) {
  const whyNot = useWhyNot();
  const reason = useId();
  const isHere = matchPath({ path: to, end: false }, usePendingPath()) !== null;
  if (whyNot === null) {
    return (
      <Link
        to={to}
        className={className}
        aria-label={label}
        aria-current={isHere ? 'page' : undefined}
        onClick={onFollow}
      >
        {children}
      </Link>
    );
  }
  return (
    <Tooltip text={whyNot} id={reason}>
      <span
        role="link"
        tabIndex={0}
        className={`${className} ${styles['off'] ?? ''}`}
        aria-disabled="true"
        aria-label={label}
        aria-describedby={reason}
      >
        {children}
      </span>
    </Tooltip>
  );
}
