import { useEffect, useRef } from 'react';
import type { Act } from '@passwordbroker/core/contract/groups/access';
import type { VaultWrite } from '@passwordbroker/client/vault/vault';
import { PreviewLine } from '../../access/preview-line.tsx';
import { GROUP_TEXTS } from '../../texts/groups/groups.ts';
import { JOINED_TEXTS as TEXTS } from '../../texts/groups/joined.ts';
import type { AskedPerson } from '../keys/use-trust.tsx';
import { RoleMark } from '../table/role-mark.tsx';
import { ShareFrame } from './share-frame.tsx';
import styles from './sharing.module.css';
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
  const isChosen = useRef(false);
  useEffect(() => {
    if (isChosen.current) return;
    isChosen.current = true;
    void sharing.choose(person).then((isOpen) => isOpen || onClose());
  }, [sharing, person, onClose]);
  return (
    <ShareFrame
      title={TEXTS.shareWith(person.name)}
      doneText={TEXTS.shared(person.name, groups.length)}
      sharing={sharing}
      before={null}
      after={
        <>
          <ul className={styles['people']} aria-label={TEXTS.toShare}>
            {groups.map(({ id, title, role }) => (
              <li key={id} className={styles['sharee']}>
                <div className={styles['line']}>
                  <span className={styles['name']}>{title}</span>
                  <span className={styles['state']}>
                    <span className={styles['mark']} data-role={role}>
                      <RoleMark role={role} />
                    </span>
                    {GROUP_TEXTS.roles[role]}
                  </span>
                </div>
              </li>
            ))}
          </ul>
          <PreviewLine act={act} />
        </>
      }
      onDrop={null}
      onClose={onClose}
    />
  );
}
