/** What the colours and marks mean, at the foot of the side panel. */
import { ENTRY_GROUP_TEXTS as TEXTS } from '../texts/entry-groups.ts';
import { RoleMark } from '../ui/role-mark.tsx';
import styles from './side-panel.module.css';

const SHOWN = ['admin', 'moderator', 'member', 'guest'] as const;

export function Legend() {
  return (
    <ul className={styles['legend']} aria-label={TEXTS.legend}>
      {SHOWN.map((role) => (
        <li key={role}>
          <span data-role={role}>
            <RoleMark role={role} />
          </span>
          {TEXTS.roles[role]}
        </li>
      ))}
    </ul>
  );
}
