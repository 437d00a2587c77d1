/** `/admin/user_control/update/{userId}`: name, e-mail and account password (docs/spec/product.md §2). */
import { useQueryClient } from '@tanstack/react-query';
import { Link, useParams } from 'react-router';
import { usePageTitle } from '../../app/navigation/use-page-title.ts';
import { useSession } from '../../session/use-session.ts';
import { ADMIN_USERS_TEXTS } from '../../texts/admin/users.ts';
import { ADMIN_PATHS } from '../admin-paths.ts';
import styles from '../admin.module.css';
import { EditUserForm } from './edit-user-form.tsx';
import { Failed, Waiting } from '../list-state.tsx';
import { NewPasswordForm } from './new-password-form.tsx';
import { USERS_KEY, useUser } from '../users/use-users.ts';
import { UserMarks } from '../users/user-marks.tsx';

const TEXTS = ADMIN_USERS_TEXTS.update;

export function EditUserPage() {
  usePageTitle(TEXTS.page);
  const { userId = '' } = useParams();
  const client = useQueryClient();
  const { user: self } = useSession();
  const { data: user, error, isFetching, refetch } = useUser(userId);
  const refresh = () => client.invalidateQueries({ queryKey: USERS_KEY });
  return (
    <div className={styles['page']}>
      <header className={styles['head']}>
        <h1 className={styles['heading']}>{TEXTS.page}</h1>
        <Link to={ADMIN_PATHS.users} className={styles['back']}>
          {TEXTS.back}
        </Link>
      </header>
      {user === undefined && error === null && <Waiting text={TEXTS.loading} />}
      {error !== null && !isFetching && (
        <Failed text={TEXTS.loadFailed} failure={error} onRetry={() => void refetch()} />
      )}
      {user !== undefined && (
        <div key={user.user_id}>
          <UserMarks user={user} />
          <EditUserForm user={user} onSaved={refresh} />
          {user.user_id !== self?.user_id && <NewPasswordForm user={user} onSaved={refresh} />}
        </div>
      )}
    </div>
  );
}
