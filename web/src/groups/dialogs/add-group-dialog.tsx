import { type FormEvent, useCallback, useId, useState } from 'react';
import type { GroupUserWithCertificate, EntryGroup } from '@passwordbroker/core/contract/entities';
import { AppError } from '@passwordbroker/core/contract/problem';
import { useNavigate } from 'react-router';
import { useTrust } from '../../members/keys/use-trust.tsx';
import { KeyringError } from '@passwordbroker/client/keyring/keyring-error';
import { MasterPasswordCancelled } from '@passwordbroker/client/master-password/master-password';
import { GROUP_TEXTS as TEXTS } from '../../texts/groups/groups.ts';
import { useGroupWhyNot } from '../../trust/use-trust-state.ts';
import { Button } from '@passwordbroker/ui/actions/button';
import { Checkbox } from '@passwordbroker/ui/inputs/checkbox';
import { Dialog, firstFocus, FormVerbs } from '@passwordbroker/ui/overlays/dialog';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { TextField } from '@passwordbroker/ui/inputs/text-field';
import { activityLog } from '../../activity-log/activity-log.ts';
import { useMasterPassword } from '../../master-password/use-master-password.ts';
import { useVault } from '../../vault/use-vault.ts';
import type { NewGroup } from '@passwordbroker/client/vault/vault';
import { expandedGroups } from '../tree/expanded-groups.ts';
import { useTreeReload } from '../tree/use-group-tree.ts';
import { useQuery } from '@tanstack/react-query';

interface ParentGroup {
  readonly id: string;
  readonly path: string;
  /** Members of the parent, including the caller; null until they are loaded. */
  readonly members: readonly GroupUserWithCertificate[] | null;
  readonly problem: Error | null;
  readonly onRetry: () => void;
}

interface Props {
  /** null for a new tree. */
  readonly parent: ParentGroup | null;
  readonly onClose: () => void;
}

/** Adds a tree or a child group (docs/spec/product.md §2). */
export function AddGroupDialog({ parent, onClose }: Props) {
  const form = useId();
  const [title, setTitle] = useState('');
  const [sameMembers, setSameMembers] = useState(true);
  const [error, setError] = useState<string | null>(null);
  const [isAdding, setAdding] = useState(false);
  const addGroup = useAddGroup();
  const trust = useTrust();
  /** The open question about changed keys; nothing is wrapped before the answer. */
  const [question, setQuestion] = useState<Question | null>(null);
  const shown = parent?.members ?? [];
  const hasOthers = shown.length > 1;
  const whyNotShared = useGroupWhyNot(parent?.id ?? '');
  const isShared = sameMembers && whyNotShared === null;
  const isWaiting = parent !== null && parent.members === null;

  const submit = async () => {
    if (isAdding || isWaiting) return;
    if (title.trim() === '') {
      setError(TEXTS.titleMissing);
      return;
    }
    setError(null);
    setQuestion(null);
    setAdding(true);
    try {
      const isAdded = await addGroup({
        name: title.trim(),
        parentId: parent?.id ?? null,
        sameMembers: hasOthers && isShared && shown,
      });
      if (isAdded) onClose();
    } catch (failure) {
      const asked = questionOf(failure, shown);
      setQuestion(asked);
      if (asked === null) setError(problemText(failure));
      if (isOutdated(failure)) parent?.onRetry();
    } finally {
      setAdding(false);
    }
  };

  const answer = async (members: Question) => {
    setAdding(true);
    try {
      for (const { user_id: userId, user } of members) {
        if ((await trust.compared({ userId, name: user.name })) === null) return;
      }
      setQuestion(null);
    } catch (failure) {
      if (!(failure instanceof MasterPasswordCancelled)) setError(problemText(failure));
      return;
    } finally {
      setAdding(false);
    }
    await submit();
  };

  return (
    <Dialog
      title={parent === null ? TEXTS.newTree : TEXTS.newChild}
      {...(parent === null ? {} : { subtitle: TEXTS.within(parent.path) })}
      onClose={onClose}
      isBusy={isAdding}
      footer={
        <FormVerbs
          form={form}
          cancel={TEXTS.cancel}
          onCancel={onClose}
          submit={TEXTS.add}
          submitting={TEXTS.adding}
          isBusy={isAdding}
          isDisabled={isWaiting}
        />
      }
    >
      <form
        id={form}
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          void submit();
        }}
        noValidate
      >
        {error !== null && <MessageBox tone="danger" lines={[error]} />}
        {question !== null && (
          <MessageBox tone="warning" lines={[TEXTS.keysFirst(question.map(({ user }) => user.name))]}>
            <Button size="sm" isDisabled={isAdding} onPress={() => void answer(question)}>
              {TEXTS.lookAtKeys}
            </Button>
          </MessageBox>
        )}
        <TextField
          label={TEXTS.title}
          value={title}
          onChange={setTitle}
          ref={firstFocus}
          maxLength={255}
          autoComplete="off"
        />
        {isWaiting && parent.problem === null && <p role="status">{TEXTS.membersLoading}</p>}
        {isWaiting && parent.problem !== null && (
          <MessageBox tone="danger" lines={[TEXTS.membersFailed, parent.problem.message]}>
            <Button size="sm" onPress={parent.onRetry}>
              {TEXTS.retry}
            </Button>
          </MessageBox>
        )}
        {hasOthers && (
          <Checkbox
            isSelected={isShared}
            onChange={setSameMembers}
            isDisabled={whyNotShared !== null}
            hint={
              whyNotShared ?? (isShared ? TEXTS.sameMembersHint(shown.map(({ user }) => user.name)) : TEXTS.onlyYou)
            }
          >
            {TEXTS.sameMembers}
          </Checkbox>
        )}
      </form>
      {trust.dialog}
    </Dialog>
  );
}

/** The parent's members have changed: the shown list must be confirmed again. */
const isOutdated = (failure: unknown) => failure instanceof AppError && failure.code === 'rewrap_set_mismatch';

/** Members whose keys differ from the signed ones and must be compared first. */
type Question = readonly GroupUserWithCertificate[];

/** The shown members to compare after this error; null if the error asks nothing. */
function questionOf(failure: unknown, shown: readonly GroupUserWithCertificate[]): Question | null {
  if (!(failure instanceof KeyringError) || failure.code !== 'members_unsure') return null;
  const members = shown.filter(({ user_id }) => failure.userIds.includes(user_id));
  return members.length === 0 ? null : members;
}

/** The server's text for the name, or else its message (docs/spec/product.md §5, §8). */
function problemText(failure: unknown): string {
  if (isOutdated(failure)) return TEXTS.membersChanged;
  if (failure instanceof AppError) return failure.errors?.['name']?.[0] ?? failure.message;
  return failure instanceof Error ? failure.message : String(failure);
}

/** Returns false if the master password prompt was closed: nothing was created, the form stays. */
function useAddGroup(): (group: NewGroup) => Promise<boolean> {
  const { write } = useVault();
  const masterPassword = useMasterPassword();
  const reloadTree = useTreeReload();
  const navigate = useNavigate();
  return useCallback(
    async (group) => {
      if (write === null) return false;
      try {
        const label = TEXTS.pendingAction(group.name);
        const created = await masterPassword.use(() => write.createGroup(group), { label });
        activityLog.add(TEXTS.added(group.name));
        if (group.parentId !== null) expandedGroups.open([group.parentId]);
        await reloadTree();
        void navigate(`/entryGroup/${created.entryGroup.entry_group_id}`);
        return true;
      } catch (failure) {
        if (failure instanceof MasterPasswordCancelled) return false;
        throw failure;
      }
    },
    [write, masterPassword, reloadTree, navigate],
  );
}

interface AddChildGroupProps {
  readonly group: EntryGroup;
  readonly path: string;
  readonly onClose: () => void;
}

/** The add-group dialog below a group. */
export function AddChildGroup({ group, path, onClose }: AddChildGroupProps) {
  const vault = useVault();
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: [vault.mode, 'members', group.entry_group_id],
    queryFn: ({ signal }) => vault.read.members(group.entry_group_id, signal),
    networkMode: 'always',
    retry: false,
    staleTime: 0,
  });
  const parent = {
    id: group.entry_group_id,
    path,
    // A list that is being refetched may change.
    members: isFetching ? null : (data ?? null),
    problem: isFetching ? null : error,
    onRetry: () => void refetch(),
  };
  return <AddGroupDialog parent={parent} onClose={onClose} />;
}
