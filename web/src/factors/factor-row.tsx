import type { ReactNode, Ref } from 'react';
import type { Factors } from '@passwordbroker/core/contract/account/factors';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import account from '../account/account.module.css';
import styles from './factors.module.css';

interface Props {
  readonly title: string;
  readonly facts: readonly string[];
  readonly problem?: string | null;
  readonly ref?: Ref<HTMLLIElement>;
  readonly children: ReactNode;
}

export function Row({ title, facts, problem = null, ref, children }: Props) {
  return (
    <li ref={ref} className={`${account['row']} ${styles['row']}`}>
      <div className={account['what']}>
        <p className={account['name']}>{title}</p>
        <p className={account['facts']}>
          {facts.map((fact) => (
            <span key={fact}>{fact}</span>
          ))}
        </p>
        {problem !== null && <MessageBox tone="danger" lines={[problem]} />}
      </div>
      <div className={styles['verbs']}>{children}</div>
    </li>
  );
}

/** Whether the password alone signs in after this one is removed. @param removed 'totp', or the id of a security key */
export const isLastFactor = ({ totp, passkeys }: Factors, removed: string): boolean =>
  (removed === 'totp' || totp === null) &&
  passkeys.every(({ passkey_id, is_here }) => !is_here || passkey_id === removed);
