import { Suspense, useCallback, useState } from 'react';
import { UserPlus, X } from 'lucide-react';
import { forget } from '@passwordbroker/core/contract/users/joined';
import { reasonOf } from '@passwordbroker/client/transport/reason';
import { useQueryClient } from '@tanstack/react-query';
import { Button, IconButton } from '@passwordbroker/ui/actions/button';
import { toast } from '@passwordbroker/ui/feedback/toast';
import { lazyPart } from '../lib/chunk.ts';
import { http } from '../page/page.ts';
import { JOINED_TEXTS as TEXTS } from '../texts/groups/joined.ts';
import { useVault } from '../vault/use-vault.ts';
import styles from './joined-list.module.css';
import { type JoinedPerson, reloadJoined, useJoined } from './use-joined.ts';

const ShareGroupsDialog = lazyPart('ShareGroupsDialog', () => import('../members/sharing/share-groups-dialog.tsx'));

/** People who accepted an invitation of the viewer, until its groups are shared. Nothing without any. */
export function JoinedList() {
  const people = useJoined();
  const client = useQueryClient();
  const { write } = useVault();
  const [sharing, setSharing] = useState<JoinedPerson | null>(null);
  const close = useCallback(() => {
    setSharing(null);
    void reloadJoined(client);
  }, [client]);

  const dismiss = async ({ inviteId, person: { name } }: JoinedPerson) => {
    try {
      await http.call(forget, { params: { inviteId } });
      toast(TEXTS.dismissed(name));
    } catch (failure) {
      toast(TEXTS.failed(reasonOf(failure)), { tone: 'danger' });
    }
    await reloadJoined(client);
  };
  if (people.length === 0 && sharing === null) return null;
  return (
    <section className={styles['section']}>
      <h2>{TEXTS.title}</h2>
      <ul className={styles['list']} aria-label={TEXTS.title}>
        {people.map((joined) => (
          <JoinedRow
            key={joined.inviteId}
            joined={joined}
            onShare={write === null || joined.groups.length === 0 ? null : () => setSharing(joined)}
            onDismiss={() => dismiss(joined)}
          />
        ))}
      </ul>
      {sharing !== null && write !== null && (
        <Suspense fallback={null}>
          <ShareGroupsDialog person={sharing.person} groups={sharing.groups} write={write} onClose={close} />
        </Suspense>
      )}
    </section>
  );
}

interface RowProps {
  readonly joined: JoinedPerson;
  /** Null if nothing can be shared. */
  readonly onShare: (() => void) | null;
  readonly onDismiss: () => Promise<void>;
}

function JoinedRow({ joined: { person, groups, leftOut }, onShare, onDismiss }: RowProps) {
  const { name } = person;
  const [isBusy, setBusy] = useState(false);
  const dismiss = async () => {
    setBusy(true);
    await onDismiss();
    setBusy(false);
  };
  const shares = groups.map(({ title, role }) => TEXTS.inRole(title, TEXTS.roles[role]));
  return (
    <li className={styles['row']}>
      <UserPlus size={16} aria-hidden="true" />
      <span className={styles['text']}>
        {TEXTS.row(name, shares)}
        {leftOut > 0 && <span className={styles['under']}>{TEXTS.leftOut(leftOut)}</span>}
      </span>
      {onShare !== null && (
        <Button size="sm" label={TEXTS.shareWith(name)} onPress={onShare}>
          {TEXTS.share}
        </Button>
      )}
      <IconButton
        label={TEXTS.dismiss(name)}
        icon={<X size={16} />}
        align="end"
        busy={isBusy}
        onPress={() => void dismiss()}
      />
    </li>
  );
}
