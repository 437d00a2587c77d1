/** `/leavers`: who left any group where the caller is admin, and what they had opened; `?user=` narrows it to one person. */
import { useEffect } from 'react';
import { Link, useSearchParams } from 'react-router';
import { LEAVER_TEXTS as TEXTS } from '../texts/leavers.ts';
import { ROTATION_TEXTS } from '../texts/rotation.ts';
import { DepartedList } from './departed-list.tsx';
import styles from './leavers.module.css';

export function LeaversPage() {
  const [parameters] = useSearchParams();
  const userId = parameters.get('user');
  useEffect(() => {
    document.title = `${TEXTS.page} | PasswordBroker`;
  }, []);
  return (
    <div className={styles['page']}>
      <header className={styles['pageHead']}>
        <h1 className={styles['heading']} tabIndex={-1}>
          {TEXTS.page}
        </h1>
        <p className={styles['hint']}>{TEXTS.pageHint}</p>
        <p className={styles['hint']}>{ROTATION_TEXTS.honest}</p>
        {userId !== null && (
          <p className={styles['hint']}>
            {TEXTS.onePerson} <Link to="/leavers">{TEXTS.everybody}</Link>
          </p>
        )}
      </header>
      <DepartedList key={userId} of={{ userId }} />
    </div>
  );
}
