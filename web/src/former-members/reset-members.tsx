/** Members whose keys were reset, for the admins who can add them again. Nothing is added automatically. */
import { Suspense, useState } from 'react';
import type { VaultWrite } from '@passwordbroker/client/vault/vault';
import { Button } from '@passwordbroker/ui/actions/button';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { lazyPart } from '../lib/chunk.ts';
import { useMembers } from '../members/table/use-members.ts';
import { FORMER_MEMBER_TEXTS as TEXTS } from '../texts/groups/members.ts';
import styles from './former-members.module.css';
import { useDepartures } from './former-member-list.tsx';
import { type ResetMember, resetMembersOf } from './reset-people.ts';

const AddAgainDialog = lazyPart('AddAgainDialog', () => import('./add-again-dialog.tsx'));

interface Props {
  readonly groupId: string;
  readonly write: VaultWrite;
  readonly whyNot: string | null;
}

export function ResetMembers({ groupId, write, whyNot }: Props) {
  const { users } = useMembers(groupId);
  const { data } = useDepartures({ groupId });
  const [adding, setAdding] = useState<ResetMember | null>(null);
  const present = new Set(users.map(({ user_id }) => user_id));
  const away = resetMembersOf(data?.departures ?? []).filter(({ userId }) => !present.has(userId));
  if (users.length === 0) return null;
  return (
    <>
      {away.map((person) => (
        <MessageBox key={person.userId} tone="info" lines={[TEXTS.wasRole(person.name, person.role)]}>
          <p className={styles['verb']}>
            <Button
              size="sm"
              label={TEXTS.addAgainNamed(person.name)}
              whyNot={whyNot}
              onPress={() => setAdding(person)}
            >
              {TEXTS.addAgain}
            </Button>
          </p>
        </MessageBox>
      ))}
      {adding !== null && (
        <Suspense fallback={null}>
          <AddAgainDialog
            person={adding}
            first={{ ...adding.group, role: adding.role }}
            write={write}
            onClose={() => setAdding(null)}
          />
        </Suspense>
      )}
    </>
  );
}
