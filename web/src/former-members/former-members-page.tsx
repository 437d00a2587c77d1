import { Link, useSearchParams } from 'react-router';
import { usePageTitle } from '../app/navigation/use-page-title.ts';
import { FORMER_MEMBER_TEXTS as TEXTS } from '../texts/groups/members.ts';
import { ROTATION_TEXTS } from '../texts/groups/trust.ts';
import { FormerMemberList } from './former-member-list.tsx';
import styles from './former-members.module.css';

/** Former members, each with what to change, of the groups where the caller is an admin. `?user=` shows one person. */
export function FormerMembersPage() {
  const [parameters] = useSearchParams();
  const userId = parameters.get('user');
  usePageTitle(TEXTS.page);
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
      <FormerMemberList key={userId} of={{ userId }} />
    </div>
  );
}
