import type { NamedGroup } from '../../groups/tree/group-tree.ts';
import { useState, type ReactNode, useSyncExternalStore } from 'react';
import { useLate } from '../../groups/tree/use-late.ts';
import { MEMBER_TEXTS as TEXTS, FORMER_MEMBER_TEXTS } from '../../texts/groups/members.ts';
import { Button } from '@passwordbroker/ui/actions/button';
import { Checkbox } from '@passwordbroker/ui/inputs/checkbox';
import { Dialog, firstFocus } from '@passwordbroker/ui/overlays/dialog';
import type { Outcome } from './over-groups.ts';
import type { MemberActions } from './use-member-actions.ts';
import { RunProgress, SHOW_PROGRESS_MS } from './outcome-box.tsx';
import { useQuery } from '@tanstack/react-query';
import type { Act } from '@passwordbroker/core/contract/groups/access';
import { PreviewLine } from '../../access/preview-line.tsx';
import type { GroupUser } from '@passwordbroker/core/contract/entities';
import { OpenedRows } from '../../former-members/opened-rows.tsx';
import { useMasterPassword } from '../../master-password/use-master-password.ts';
import { TRUST_TEXTS } from '../../texts/groups/trust.ts';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { useVault } from '../../vault/use-vault.ts';
import styles from '../table/members.module.css';

interface Props {
  readonly title: string;
  readonly confirm: string;
  readonly confirming: string;
  readonly isDangerous?: boolean;
  readonly group: NamedGroup;
  /** Groups below this one where the caller is an admin. */
  readonly below: readonly NamedGroup[];
  readonly actions: Pick<MemberActions, 'running' | 'stop'>;
  readonly change: (groups: readonly NamedGroup[]) => Promise<Outcome>;
  /** For the preview. */
  readonly actIn: (entry_group_ids: string[]) => Act;
  readonly onDone: (outcome: Outcome) => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** Confirms a change of a person's access, in this group or also in those below it. */
export function MemberChangeDialog(props: Props) {
  const {
    title,
    confirm,
    confirming,
    isDangerous = false,
    group,
    below,
    actions,
    change,
    actIn,
    onDone,
    onClose,
    children,
  } = props;
  const [isAlsoBelow, setAlsoBelow] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const isLong = useLate(isBusy, SHOW_PROGRESS_MS);

  const groups = isAlsoBelow ? [group, ...below] : [group];
  const run = async () => {
    setBusy(true);
    const outcome = await change(groups);
    setBusy(false);
    // With no result, the person closed the master password prompt: nothing was done, the question stays.
    if (outcome.done.length + outcome.failed.length + outcome.skipped.length > 0) onDone(outcome);
  };
  return (
    <Dialog
      title={title}
      role="alertdialog"
      size="md"
      onClose={onClose}
      isBusy={isBusy}
      footer={
        <>
          <Button variant="ghost" ref={firstFocus} onPress={isBusy ? actions.stop : onClose}>
            {isBusy ? TEXTS.stop : TEXTS.cancel}
          </Button>
          <Button
            variant={isDangerous ? 'danger' : 'primary'}
            busy={isBusy}
            busyLabel={confirming}
            onPress={() => void run()}
          >
            {confirm}
          </Button>
        </>
      }
    >
      {children}
      {below.length > 0 && (
        <Checkbox isSelected={isAlsoBelow} onChange={setAlsoBelow} isDisabled={isBusy}>
          {TEXTS.alsoBelow(below.length)}
        </Checkbox>
      )}
      {!isBusy && <PreviewLine act={actIn(groups.map(({ id }) => id))} />}
      {isLong && actions.running !== null && <RunProgress running={actions.running} />}
    </Dialog>
  );
}

interface RemoveMemberDialogProps {
  readonly user: GroupUser;
  readonly group: NamedGroup;
  readonly below: readonly NamedGroup[];
  readonly actions: MemberActions;
  readonly onRemove: (groups: readonly NamedGroup[]) => Promise<Outcome>;
  readonly onDone: (outcome: Outcome) => void;
  readonly onClose: () => void;
}

/**
 * Explains a removal and lists what this person has opened (docs/spec/decisions.md G6, docs/spec/crypto.md
 * §12).
 */
export function RemoveMemberDialog({
  user,
  group,
  below,
  actions,
  onRemove,
  onDone,
  onClose,
}: RemoveMemberDialogProps) {
  const { name } = user.user;
  const masterPassword = useMasterPassword();
  const isUnlocked = useSyncExternalStore(masterPassword.subscribe, masterPassword.isRemembered);
  return (
    <MemberChangeDialog
      title={TEXTS.removeTitle(name, group.title)}
      confirm={TEXTS.removeShort}
      confirming={TEXTS.removing}
      isDangerous
      group={group}
      below={below}
      actions={actions}
      change={onRemove}
      actIn={(entry_group_ids) => ({ kind: 'remove-user', entry_group_ids, user_ids: [user.user_id] })}
      onDone={onDone}
      onClose={onClose}
    >
      <ul className={styles['means']}>
        {TEXTS.removeMeans(name).map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      {!isUnlocked && <MessageBox tone="info" lines={[TRUST_TEXTS.unlockFirst(name)]} />}
      <Opened groupId={group.id} userId={user.user_id} name={name} />
    </MemberChangeDialog>
  );
}

/** Rendered only when expanded: there may be thousands of rows. */
function Opened({
  groupId,
  userId,
  name,
}: {
  readonly groupId: string;
  readonly userId: string;
  readonly name: string;
}) {
  const vault = useVault();
  const [isShown, setShown] = useState(false);
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: [vault.mode, 'opened', groupId, userId],
    queryFn: ({ signal }) => vault.read.opened(groupId, userId, signal),
    networkMode: 'always',
    retry: false,
    staleTime: 0,
    gcTime: 0,
  });
  if (data?.length === 0) return <p>{FORMER_MEMBER_TEXTS.openedBy(name, 0)}</p>;
  return (
    <details className={styles['opened']} onToggle={(event) => setShown(event.currentTarget.open)}>
      <summary>
        {data === undefined ? FORMER_MEMBER_TEXTS.more(name) : FORMER_MEMBER_TEXTS.openedBy(name, data.length)}
      </summary>
      {isShown && (
        <OpenedRows
          label={FORMER_MEMBER_TEXTS.rows(name)}
          rows={data}
          error={isFetching ? null : error}
          onRetry={() => void refetch()}
        />
      )}
    </details>
  );
}
