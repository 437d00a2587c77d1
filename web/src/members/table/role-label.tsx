import type { Role } from '@passwordbroker/core/domain/policy';
import { GROUP_TEXTS } from '../../texts/groups/groups.ts';
import { RoleMark } from './role-mark.tsx';
import styles from './role-label.module.css';

export function RoleLabel({ role }: { readonly role: Role }) {
  return (
    <span className={styles['role']} data-role={role}>
      <RoleMark role={role} />
      {GROUP_TEXTS.roles[role]}
    </span>
  );
}
