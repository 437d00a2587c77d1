import { useState } from 'react';
import type { EntryGroup } from '@passwordbroker/core/contract/entities';
import { EntryCancelled } from '@passwordbroker/client/master-password/master-password';
import { reasonOf } from '@passwordbroker/client/transport/reason';
import { GROUP_TEXTS } from '../../texts/groups/groups.ts';
import { ROTATION_TEXTS as TEXTS } from '../../texts/groups/trust.ts';
import { Button } from '@passwordbroker/ui/actions/button';
import type { ConfirmedMember } from '@passwordbroker/client/vault/groups/people';
import { useVault } from '../../vault/use-vault.ts';
import styles from '../table/members.module.css';
import { useMembers } from '../table/use-members.ts';
import { useTrust } from './use-trust.tsx';

interface Props {
  readonly group: EntryGroup;
  readonly selfId: string;
  /** Members whose keys differ from the signed ones and must be compared. Absent: all, for the first list. */
  readonly onlyIds?: readonly string[];
  readonly onConfirmed: (members: readonly ConfirmedMember[]) => Promise<void>;
}

/**
 * Confirms the keys of members one after another, for the list that an admin signs (docs/spec/crypto.md §8).
 */
export function ConfirmMembers({ group, selfId, onlyIds, onConfirmed }: Props) {
  const vault = useVault();
  const { users } = useMembers(group.entry_group_id);
  const trust = useTrust();
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const asked = onlyIds === undefined ? users : users.filter(({ user_id }) => onlyIds.includes(user_id));

  const confirmAll = async () => {
    const confirmed: ConfirmedMember[] = [];
    for (const { user_id: userId, role, user } of asked) {
      const person = { userId, name: user.name };
      const ask = onlyIds === undefined ? trust.confirmed : trust.compared;
      const fingerprint = userId === selfId ? (await vault.read.ownKey()).fingerprint : await ask(person);
      if (fingerprint === null) return;
      confirmed.push({ userId, fingerprint, role });
    }
    await onConfirmed(confirmed);
  };
  const run = async () => {
    setProblem(null);
    setBusy(true);
    try {
      await confirmAll();
    } catch (failure) {
      if (!(failure instanceof EntryCancelled)) setProblem(reasonOf(failure));
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <ul className={styles['named']}>
        {asked.map(({ user_id, user, role }) => (
          <li key={user_id}>{TEXTS.member(user.name, GROUP_TEXTS.roles[role])}</li>
        ))}
      </ul>
      {problem !== null && <p role="alert">{problem}</p>}
      <span className={styles['verbs']}>
        <Button
          size="sm"
          busy={isBusy}
          busyLabel={TEXTS.confirming}
          isDisabled={asked.length === 0}
          onPress={() => void run()}
        >
          {onlyIds === undefined ? TEXTS.convert : TEXTS.compare}
        </Button>
      </span>
      {trust.dialog}
    </>
  );
}
