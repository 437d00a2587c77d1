import type { User } from '@passwordbroker/core/contract/users/user';
import { ADMIN_USERS_TEXTS } from '../../texts/admin/users.ts';
import { Badge } from '@passwordbroker/ui/display/badge';
import styles from '../admin.module.css';

const TEXTS = ADMIN_USERS_TEXTS.marks;

export function UserMarks({ user }: { readonly user: User }) {
  return (
    <span className={styles['marks']}>
      {user.is_admin && <Badge text={TEXTS.admin} />}
      {user.is_auditor === true && <Badge text={TEXTS.auditor} />}
      {user.disabled === true && <Badge tone="danger" text={TEXTS.disabled} />}
      {!user.has_keys && <Badge tone="warning" text={TEXTS.noKeys} />}
      {user.must_rekey && <Badge tone="warning" text={TEXTS.mustRekey} />}
      {user.mp_exposed_at !== null && <Badge tone="info" text={TEXTS.exposed} />}
    </span>
  );
}
