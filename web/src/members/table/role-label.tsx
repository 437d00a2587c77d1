import type { Role } from '@passwordbroker/core/domain/policy';
import { ENTRY_GROUP_TEXTS } from '../../texts/groups/entry-groups.ts';
import { RoleMark } from './role-mark.tsx';
import styles from './role-label.module.css';

export function RoleLabel({ role }: { readonly role: Role }) {
  return (
    <span className={styles['role']} data-role={role}>
      <RoleMark role={role} />
      {ENTRY_GROUP_TEXTS.roles[role]}
    </span>
  );
}
