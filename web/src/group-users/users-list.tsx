/** The list of users with each of its states: on its way, failed, there. */
import type { EntryGroup, GroupUser } from '@passwordbroker/core/contract/entities';
import { tellFailure } from '../activity-log/tell.ts';
import { reasonOf } from '../lib/reason.ts';
import { EntryCancelled } from '../master-password/master-password.ts';
import { GROUP_USER_TEXTS as TEXTS } from '../texts/group-users.ts';
import { TRUST_TEXTS } from '../texts/trust.ts';
import { Button } from '../ui/button.tsx';
import { MessageBox } from '../ui/message-box.tsx';
import { Spinner } from '../ui/spinner.tsx';
import styles from './group-users.module.css';
import { useDifferences } from './use-differences.ts';
import { useGroupUsers } from './use-group-users.ts';
import { useKeyStates } from './use-key-states.ts';
import { useTrust } from './use-trust.tsx';
import { UsersTable, type UserVerbs } from './users-table.tsx';

interface Props {
  readonly group: EntryGroup;
  readonly selfId: string;
  readonly verbs: UserVerbs | null;
}

export function UsersList({ group, selfId, verbs }: Props) {
  const id = group.entry_group_id;
  const { state, users, problem, retry } = useGroupUsers(id);
  const keyStates = useKeyStates(id, users);
  const differences = useDifferences(id, users);
  const trust = useTrust();

  const look = async ({ user_id: userId, user: { name } }: GroupUser) => {
    try {
      await trust.look({ userId, name });
    } catch (failure) {
      if (!(failure instanceof EntryCancelled)) tellFailure(reasonOf(failure));
    }
  };
  if (state === 'required loading' || state === 'loading') {
    return (
      <p className={styles['loading']} role="status">
        <Spinner /> {TEXTS.loading}
      </p>
    );
  }
  return (
    <>
      {problem !== null && (
        <div className={styles['problem']}>
          <MessageBox tone="danger" lines={[TEXTS.failed, problem.message]} />
          <Button variant="secondary" size="sm" onPress={retry}>
            {TEXTS.retry}
          </Button>
        </div>
      )}
      {users.length > 0 && (
        <UsersTable
          users={users}
          selfId={selfId}
          keyStates={keyStates}
          differences={differences.texts}
          onLook={(user) => void look(user)}
          verbs={verbs}
        />
      )}
      {differences.gone > 0 && <p className={styles['gone']}>{TRUST_TEXTS.gone(differences.gone)}</p>}
      {trust.dialog}
    </>
  );
}
