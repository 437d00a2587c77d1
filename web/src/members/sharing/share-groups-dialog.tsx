import type { Act } from '@passwordbroker/core/contract/groups/access';
import type { VaultWrite } from '@passwordbroker/client/vault/vault';
import { PreviewLine } from '../../access/preview-line.tsx';
import { JOINED_TEXTS as TEXTS } from '../../texts/groups/joined.ts';
import type { AskedPerson } from '../keys/use-trust.tsx';
import { GroupsInRoles, ShareFrame, useFixedPerson } from './share-frame.tsx';
import { type GroupInRole, useSharing } from './use-sharing.ts';

interface Props {
  readonly person: AskedPerson;
  readonly groups: readonly GroupInRole[];
  readonly write: VaultWrite;
  readonly onClose: () => void;
}

/** Shares several groups, each in its role, with one person. */
export function ShareGroupsDialog({ person, groups, write, onClose }: Props) {
  const sharing = useSharing('', groups, write);
  // The roles are in the list above; what the person gains is the same in each.
  const [first] = groups;
  const act: Act | null =
    first === undefined
      ? null
      : {
          kind: 'add-user',
          entry_group_ids: groups.map(({ id }) => id),
          user_ids: [person.userId],
          role: first.role,
        };
  useFixedPerson(sharing, person, onClose);
  return (
    <ShareFrame
      title={TEXTS.shareWith(person.name)}
      doneText={TEXTS.shared(person.name, groups.length)}
      sharing={sharing}
      before={null}
      after={
        <>
          <GroupsInRoles label={TEXTS.toShare} groups={groups} />
          <PreviewLine act={act} />
        </>
      }
      onDrop={null}
      onClose={onClose}
    />
  );
}
