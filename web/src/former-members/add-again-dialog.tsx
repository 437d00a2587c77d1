import { useMemo, useState } from 'react';
import type { VaultWrite } from '@passwordbroker/client/vault/vault';
import { Checkbox } from '@passwordbroker/ui/inputs/checkbox';
import type { AskedPerson } from '../members/keys/use-trust.tsx';
import { GroupsInRoles, ShareFrame, useFixedPerson } from '../members/sharing/share-frame.tsx';
import { type GroupInRole, useSharing } from '../members/sharing/use-sharing.ts';
import { FORMER_MEMBER_TEXTS as TEXTS } from '../texts/groups/members.ts';
import { useDepartures } from './former-member-list.tsx';
import { resetMembersOf } from './reset-people.ts';

interface Props {
  readonly person: AskedPerson;
  /** The group on the page, in the role before the reset. */
  readonly first: GroupInRole;
  readonly write: VaultWrite;
  readonly onClose: () => void;
}

/** Adds a person again after a reset of keys: the words of the new key are compared before anything is sent. */
export function AddAgainDialog({ person, first, write, onClose }: Props) {
  const { userId } = person;
  const { data } = useDepartures({ userId });
  const [isEverywhere, setEverywhere] = useState(false);
  const others = useMemo(
    () =>
      resetMembersOf(data?.departures ?? [])
        .filter(({ group }) => group.id !== first.id)
        .map(({ group, role }) => ({ ...group, role })),
    [data, first.id],
  );
  const into = useMemo(() => (isEverywhere ? [first, ...others] : [first]), [isEverywhere, first, others]);
  const sharing = useSharing(first.id, into, write, true);
  useFixedPerson(sharing, person, onClose);
  return (
    <ShareFrame
      title={TEXTS.addAgainTitle(person.name)}
      doneText={TEXTS.addedAgain(person.name)}
      sharing={sharing}
      before={null}
      after={
        <>
          {others.length > 0 && (
            <Checkbox isSelected={isEverywhere} onChange={setEverywhere}>
              {TEXTS.addAgainOthers(others.length)}
            </Checkbox>
          )}
          <GroupsInRoles label={TEXTS.addAgainIn} groups={into} />
        </>
      }
      onDrop={null}
      onClose={onClose}
    />
  );
}
