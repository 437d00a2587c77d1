/**
 * Lists what a person without a master password loses, and requires typing the name (docs/spec/decisions.md
 * K6).
 */
import { keyReset, resetKeys, type SoleGroup } from '@passwordbroker/core/contract/users/people';
import type { User } from '@passwordbroker/core/contract/users/user';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { tellDone } from '../../activity-log/activity-log.ts';
import { reasonOf } from '@passwordbroker/client/transport/reason';
import { ADMIN_TEXTS } from '../../texts/admin/admin.ts';
import { ADMIN_USERS_TEXTS } from '../../texts/admin/users.ts';
import { ConfirmDialog } from '@passwordbroker/ui/overlays/confirm-dialog';
import { TextField } from '@passwordbroker/ui/inputs/text-field';
import { Failed, Waiting } from '../list-parts.tsx';
import { USERS_KEY } from './use-users.ts';
import styles from './users.module.css';
import { http } from '../../page/page.ts';
import { freshSignIn } from '../../page/vault.ts';

const TEXTS = ADMIN_USERS_TEXTS.reset;

interface Props {
  readonly user: User;
  readonly onDone: () => Promise<unknown>;
  readonly onClose: () => void;
}

export function ResetKeysDialog({ user, onDone, onClose }: Props) {
  const [typed, setTyped] = useState('');
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: [...USERS_KEY, 'key reset', user.user_id],
    queryFn: ({ signal }) => http.call(keyReset, { params: { id: user.user_id }, signal }),
    networkMode: 'always',
    retry: false,
    staleTime: 0,
    gcTime: 0,
  });
  const confirm = async () => {
    if (data === undefined) return;
    const confirm_groups = data.groups.map(({ entry_group_id }) => entry_group_id);
    try {
      const done = await freshSignIn.tryRun(() =>
        http.call(resetKeys, { params: { id: user.user_id }, body: { confirm_groups } }),
      );
      if (done === null) return;
    } catch (failure) {
      // The groups may have changed.
      void refetch();
      throw failure;
    }
    tellDone(TEXTS.done(user.name));
    onClose();
    await onDone();
  };
  return (
    <ConfirmDialog
      title={TEXTS.title(user.name)}
      cancel={ADMIN_TEXTS.cancel}
      confirm={TEXTS.confirm}
      confirming={TEXTS.confirming}
      isIncomplete={data === undefined || typed.trim() !== user.name}
      onConfirm={confirm}
      onClose={onClose}
      problemOf={reasonOf}
    >
      <div className={styles['losses']}>
        <p>{TEXTS.text}</p>
        <div>
          <h3>{TEXTS.losses}</h3>
          <ul className={styles['groups']}>
            <li>{TEXTS.lossKeys}</li>
            <li>{TEXTS.lossGroups}</li>
            <li>{TEXTS.lossSessions}</li>
          </ul>
        </div>
        {data === undefined && error === null && <Waiting text={TEXTS.loading} />}
        {error !== null && !isFetching && (
          <Failed text={TEXTS.loadFailed} failure={error} onRetry={() => void refetch()} />
        )}
        {data !== undefined && <Sole groups={data.groups} />}
        {data !== undefined && data.only_member > 0 && <p>{TEXTS.onlyMember(data.only_member)}</p>}
        <p>{TEXTS.after}</p>
        <TextField label={TEXTS.typeName(user.name)} value={typed} onChange={setTyped} autoComplete="off" />
      </div>
    </ConfirmDialog>
  );
}

function Sole({ groups }: Pick<Parameters<typeof SoleGroups>[0], 'groups'>) {
  if (groups.length === 0) return <p>{TEXTS.noSoleGroups}</p>;
  return (
    <div>
      <h3>{ADMIN_USERS_TEXTS.soleGroups}</h3>
      <SoleGroups groups={groups} />
      <p>{ADMIN_USERS_TEXTS.onlyAdminText}</p>
    </div>
  );
}

export function SoleGroups({ groups }: { readonly groups: readonly SoleGroup[] }) {
  return (
    <ul className={styles['groups']} aria-label={ADMIN_USERS_TEXTS.soleGroups}>
      {groups.map(({ entry_group_id, name, members }) => (
        <li key={entry_group_id}>{ADMIN_USERS_TEXTS.soleGroup(name, members)}</li>
      ))}
    </ul>
  );
}
