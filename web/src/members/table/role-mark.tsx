import styles from './role-mark.module.css';
import type { Role } from '@passwordbroker/core/domain/policy';
import { GROUP_TEXTS } from '../../texts/groups/groups.ts';
import roleLabelStyles from './role-label.module.css';

const DIAMOND = 'M4.5 0.8 8.2 4.5 4.5 8.2 0.8 4.5Z';
const LEFT_HALF = 'M4.5 0.8 0.8 4.5 4.5 8.2Z';

/** Fills with privilege: admin full, moderator half, member outline, guest a dash. Never colour alone. */
export function RoleMark({ role }: { readonly role: 'admin' | 'moderator' | 'member' | 'guest' }) {
  return (
    <svg className={styles['mark']} viewBox="0 0 9 9" aria-hidden="true">
      {role === 'guest' ? (
        <path d="M1.5 4.5h6" />
      ) : (
        <path d={DIAMOND} className={role === 'admin' ? styles['filled'] : undefined} />
      )}
      {role === 'moderator' && <path d={LEFT_HALF} className={styles['filled']} />}
    </svg>
  );
}

export function RoleLabel({ role }: { readonly role: Role }) {
  return (
    <span className={roleLabelStyles['role']} data-role={role}>
      <RoleMark role={role} />
      {GROUP_TEXTS.roles[role]}
    </span>
  );
}
