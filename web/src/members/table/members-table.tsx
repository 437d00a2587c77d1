import type { GroupUser } from '@passwordbroker/core/contract/entities';
import { MEMBER_TEXTS as TEXTS } from '../../texts/groups/members.ts';
import type { KeyState } from '@passwordbroker/client/vault/groups/people';
import styles from './members.module.css';
import { MemberRow, type MemberVerbs } from './member-row.tsx';

interface Props {
  readonly users: readonly GroupUser[];
  readonly selfId: string;
  /** By user id; without an entry until known. */
  readonly keyStates: ReadonlyMap<string, KeyState>;
  /** What the signed list says instead, by user id. */
  readonly differences: ReadonlyMap<string, string>;
  readonly onLook: (user: GroupUser) => void;
  /** null without the column, which only admins have. */
  readonly verbs: MemberVerbs | null;
}

export function MembersTable({ users, selfId, keyStates, differences, onLook, verbs }: Props) {
  const { user, role, since, remove } = TEXTS.columns;
  const columns = verbs === null ? [user, role, since] : [user, role, since, remove];
  return (
    <div className={styles['table']} role="table" aria-label={TEXTS.table} data-verbs={verbs !== null || undefined}>
      <div role="rowgroup">
        <div className={`${styles['row']} ${styles['head']}`} role="row">
          {columns.map((name) => (
            <div key={name} role="columnheader">
              {name}
            </div>
          ))}
        </div>
      </div>
      <div role="rowgroup">
        {users.map((one) => (
          <MemberRow
            key={one.user_id}
            user={one}
            isSelf={one.user_id === selfId}
            keyState={keyStates.get(one.user_id) ?? null}
            difference={differences.get(one.user_id) ?? null}
            onLook={onLook}
            verbs={verbs}
          />
        ))}
      </div>
    </div>
  );
}
