import { type Role, ROLES } from '@passwordbroker/core/domain/policy';
import { SegmentedRadio } from '@passwordbroker/ui/inputs/segmented-radio';
import { GROUP_TEXTS } from '../../texts/groups/groups.ts';
import { SHARING_TEXTS as TEXTS } from '../../texts/groups/sharing.ts';
import { RoleMark } from '../table/role-mark.tsx';
import styles from './sharing.module.css';

interface Props {
  readonly role: Role;
  /** Default: all. */
  readonly roles?: readonly Role[];
  readonly onChange: (role: Role) => void;
}

export function RoleChoice({ role, roles = ROLES, onChange }: Props) {
  return (
    <SegmentedRadio
      label={TEXTS.role}
      value={role}
      onChange={onChange}
      options={roles.map((one) => ({
        value: one,
        label: GROUP_TEXTS.roles[one],
        icon: (
          <span className={styles['mark']} data-role={one}>
            <RoleMark role={one} />
          </span>
        ),
      }))}
    />
  );
}
