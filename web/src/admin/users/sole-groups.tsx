import type { SoleGroup } from '@passwordbroker/core/contract/users/people';
import { ADMIN_USERS_TEXTS as TEXTS } from '../../texts/admin/users.ts';
import styles from './users.module.css';

/** Groups whose only admin is this person, each with its number of members. */
export function SoleGroups({ groups }: { readonly groups: readonly SoleGroup[] }) {
  return (
    <ul className={styles['groups']} aria-label={TEXTS.soleGroups}>
      {groups.map(({ entry_group_id, name, members }) => (
        <li key={entry_group_id}>{TEXTS.soleGroup(name, members)}</li>
      ))}
    </ul>
  );
}
