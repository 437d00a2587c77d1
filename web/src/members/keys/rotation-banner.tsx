import type { NamedGroup } from '../../groups/tree/group-tree.ts';
import { type ReactNode, useState, useCallback, useEffect, useRef, useSyncExternalStore } from 'react';
import type { EntryGroup } from '@passwordbroker/core/contract/entities';
import { reasonOf } from '@passwordbroker/client/transport/reason';
import { ROTATION_TEXTS as TEXTS, TRUST_TEXTS } from '../../texts/groups/trust.ts';
import { useGroupTrust } from '../../trust/use-trust-state.ts';
import { Button } from '@passwordbroker/ui/actions/button';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { ProgressBar } from '@passwordbroker/ui/feedback/progress-bar';
import styles from '../table/members.module.css';
import { MasterPasswordCancelled } from '@passwordbroker/client/master-password/master-password';
import { GROUP_TEXTS } from '../../texts/groups/groups.ts';
import type { ConfirmedMember, Rotation, RotateOptions } from '@passwordbroker/client/vault/groups/people';
import { useVault } from '../../vault/use-vault.ts';
import { useMembers, useMembersReload } from '../table/use-members.ts';
import { useTrust } from './use-trust.tsx';
import { tellDone } from '../../activity-log/activity-log.ts';
import { useMasterPassword } from '../../master-password/use-master-password.ts';

interface Props {
  readonly group: EntryGroup;
  readonly selfId: string;
  readonly canRotate: boolean;
}

/** State of the group's key rotation: due, running, or interrupted (docs/spec/crypto.md §12). */
export function RotationBanner({ group, selfId, canRotate }: Props) {
  const content = useBanner({ group, selfId, canRotate });
  return content === null ? null : <div className={styles['banner']}>{content}</div>;
}

function useBanner({ group, selfId, canRotate }: Props): ReactNode {
  const id = group.entry_group_id;
  const inBackground = useRotationOf({ id, title: group.title });
  const trust = useGroupTrust(id)?.trust;
  const { running, problem, start } = useRotate({ id, title: group.title });
  const verb = (title: string) => <Verb title={title} onPress={() => void start()} />;
  const fraction = running?.fraction ?? inBackground?.fraction ?? 0;

  if (running !== null || inBackground?.state === 'running' || inBackground?.state === 'waiting') {
    return (
      <MessageBox tone="info" title={TEXTS.runningTitle} lines={[TEXTS.keepOpen, TEXTS.honest]}>
        <ProgressBar label={TEXTS.running} value={fraction > 0 ? fraction * 100 : null} />
        {running !== null && <Verb title={TEXTS.stop} onPress={running.stop} />}
      </MessageBox>
    );
  }
  if (problem !== null || inBackground?.state === 'failed') {
    const reason = problem === null ? TEXTS.failedHere : TEXTS.failed(reasonOf(problem));
    return (
      <MessageBox tone="danger" title={TEXTS.failedTitle} lines={[reason]}>
        {verb(TEXTS.retry)}
      </MessageBox>
    );
  }
  if (!canRotate) {
    if (!group.rotation_due) return null;
    return <MessageBox tone="info" title={TEXTS.dueTitle} lines={[TEXTS.due, TEXTS.waitForAdmin]} />;
  }
  if (inBackground?.state === 'unsure') {
    return (
      <MessageBox tone="warning" title={TEXTS.dueTitle} lines={[TEXTS.unsure]}>
        <ConfirmMembers group={group} selfId={selfId} onlyIds={inBackground.userIds} onConfirmed={() => start()} />
      </MessageBox>
    );
  }
  if (group.origin === 'server' && (trust === undefined || trust.state === 'unsigned')) {
    return (
      <MessageBox tone="warning" title={TRUST_TEXTS.unsignedTitle} lines={[TRUST_TEXTS.unsigned]}>
        <ConfirmMembers group={group} selfId={selfId} onConfirmed={(confirmed) => start({ confirmed })} />
      </MessageBox>
    );
  }
  if (!group.rotation_due) return null;
  return (
    <MessageBox tone="warning" title={TEXTS.dueTitle} lines={[TEXTS.due, TEXTS.honest]}>
      {verb(TEXTS.start)}
    </MessageBox>
  );
}

const Verb = ({ title, onPress }: { readonly title: string; readonly onPress: () => void }) => (
  <span className={styles['verbs']}>
    <Button size="sm" onPress={onPress}>
      {title}
    </Button>
  </span>
);

interface ConfirmMembersProps {
  readonly group: EntryGroup;
  readonly selfId: string;
  /** Members whose keys differ from the signed ones and must be compared. Absent: all, for the first list. */
  readonly onlyIds?: readonly string[];
  readonly onConfirmed: (members: readonly ConfirmedMember[]) => Promise<void>;
}

/**
 * Confirms the keys of members one after another, for the list that an admin signs (docs/spec/crypto.md §8).
 */
function ConfirmMembers({ group, selfId, onlyIds, onConfirmed }: ConfirmMembersProps) {
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
      if (!(failure instanceof MasterPasswordCancelled)) setProblem(reasonOf(failure));
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

/**
 * The rotation of this group's key on this page, or null (docs/spec/crypto.md §12). Reloads the group at its
 * end.
 */
function useRotationOf({ id: groupId, title }: NamedGroup): Rotation | null {
  const { rotations } = useVault();
  const reload = useMembersReload();
  const subscribe = useCallback((listener: () => void) => rotations.subscribe(listener), [rotations]);
  const all = useSyncExternalStore(subscribe, () => rotations.list());
  const rotation = all.find((one) => one.groupId === groupId) ?? null;
  const { state, skipped = 0 } = rotation ?? {};
  const before = useRef(state);
  useEffect(() => {
    const hasEnded = state === 'done' && before.current !== 'done';
    before.current = state;
    if (!hasEnded) return;
    void reload([groupId]);
    // Not logged here: the vault logs it.
    tellDone(TEXTS.done(title, skipped), null, null);
  }, [state, skipped, reload, groupId, title]);
  return rotation;
}

interface Rotate {
  /** A rotation that was started here by hand; else null. */
  readonly running: { readonly fraction: number; readonly stop: () => void } | null;
  readonly problem: unknown;
  readonly start: (options?: Pick<RotateOptions, 'confirmed' | 'force'>) => Promise<void>;
}

function useRotate({ id, title }: NamedGroup): Rotate {
  const { write } = useVault();
  const masterPassword = useMasterPassword();
  const reload = useMembersReload();
  const stopping = useRef<AbortController | null>(null);
  const [fraction, setFraction] = useState<number | null>(null);
  const [problem, setProblem] = useState<unknown>(null);

  const start = useCallback(
    async (options: Pick<RotateOptions, 'confirmed' | 'force'> = {}) => {
      if (write === null || stopping.current !== null) return;
      const stop = new AbortController();
      stopping.current = stop;
      setProblem(null);
      setFraction(0);
      const watched = { ...options, signal: stop.signal, onProgress: setFraction };
      try {
        const operation = () => write.members.rotate(id, watched);
        const { skipped } = await masterPassword.use(operation, { label: TEXTS.action(title), signal: stop.signal });
        tellDone(TEXTS.done(title, skipped));
      } catch (failure) {
        if (!(failure instanceof MasterPasswordCancelled) && !stop.signal.aborted) setProblem(failure);
      } finally {
        stopping.current = null;
        setFraction(null);
        void reload([id]);
      }
    },
    [write, masterPassword, reload, id, title],
  );
  const running = fraction === null ? null : { fraction, stop: () => stopping.current?.abort() };
  return { running, problem, start };
}
