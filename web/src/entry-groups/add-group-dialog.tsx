/** Adds a tree or a child group (specification §2). It is made anew each time it opens, so title and error start empty. */
import { useEffect, useId, useRef, useState, type FormEvent } from 'react';
import type { GroupUserWithCertificate } from '@passwordbroker/core/contract/entities';
import { AppError } from '@passwordbroker/core/contract/problem';
import { useTrust } from '../group-users/use-trust.tsx';
import { KeyringError } from '../keyring/keyring-error.ts';
import { EntryCancelled } from '../master-password/master-password.ts';
import { ENTRY_GROUP_TEXTS as TEXTS } from '../texts/entry-groups.ts';
import { Button } from '../ui/button.tsx';
import { Checkbox } from '../ui/checkbox.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { MessageBox } from '../ui/message-box.tsx';
import { TextField } from '../ui/text-field.tsx';
import { useAddGroup } from './use-add-group.ts';

interface ParentGroup {
  readonly id: string;
  readonly path: string;
  /** False: nobody has signed who belongs to it. */
  readonly isSigned: boolean;
  /** People in the parent, the caller among them; null until they are known. */
  readonly members: readonly GroupUserWithCertificate[] | null;
  /** Why they are not. */
  readonly problem: Error | null;
  readonly onRetry: () => void;
}

interface Props {
  /** null: a new tree. */
  readonly parent: ParentGroup | null;
  readonly onClose: () => void;
}

export function AddGroupDialog({ parent, onClose }: Props) {
  const form = useId();
  const input = useRef<HTMLInputElement>(null);
  const [title, setTitle] = useState('');
  const [sameMembers, setSameMembers] = useState(true);
  const [error, setError] = useState<string | null>(null);
  const [isAdding, setAdding] = useState(false);
  const addGroup = useAddGroup();
  const trust = useTrust();
  /** Members whose keys are to be looked at before anything is wrapped for them. */
  const [unsure, setUnsure] = useState<readonly GroupUserWithCertificate[]>([]);
  const shown = parent?.members ?? [];
  const hasOthers = shown.length > 1;
  const isWaiting = parent !== null && parent.members === null;

  // After the dialog has opened, which puts the focus on its first control.
  useEffect(() => input.current?.focus(), []);

  const submit = async () => {
    if (isAdding || isWaiting) return;
    if (title.trim() === '') {
      setError(TEXTS.titleMissing);
      return;
    }
    setError(null);
    setUnsure([]);
    setAdding(true);
    try {
      const isAdded = await addGroup({
        name: title.trim(),
        parentId: parent?.id ?? null,
        sameMembers: hasOthers && sameMembers && shown,
      });
      if (isAdded) onClose();
    } catch (failure) {
      const asked = shown.filter(({ user_id }) => unsureOf(failure).includes(user_id));
      setUnsure(asked);
      if (asked.length === 0) setError(problemText(failure));
      if (isOutdated(failure)) parent?.onRetry();
    } finally {
      setAdding(false);
    }
  };

  const lookAtKeys = async () => {
    setAdding(true);
    try {
      const look = parent?.isSigned === true ? trust.compared : trust.confirmed;
      for (const { user_id: userId, user } of unsure) if ((await look({ userId, name: user.name })) === null) return;
      setUnsure([]);
    } catch (failure) {
      if (!(failure instanceof EntryCancelled)) setError(problemText(failure));
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
        <>
          <Button variant="ghost" onPress={onClose} isDisabled={isAdding}>
            {TEXTS.cancel}
          </Button>
          <Button
            variant="primary"
            type="submit"
            form={form}
            busy={isAdding}
            busyLabel={TEXTS.adding}
            isDisabled={isWaiting}
          >
            {TEXTS.add}
          </Button>
        </>
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
        {unsure.length > 0 && (
          <MessageBox tone="warning" lines={[TEXTS.keysFirst(unsure.map(({ user }) => user.name))]}>
            <Button size="sm" isDisabled={isAdding} onPress={() => void lookAtKeys()}>
              {TEXTS.lookAtKeys}
            </Button>
          </MessageBox>
        )}
        <TextField
          label={TEXTS.title}
          value={title}
          onChange={setTitle}
          ref={input}
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
            isSelected={sameMembers}
            onChange={setSameMembers}
            hint={sameMembers ? TEXTS.sameMembersHint(shown.map(({ user }) => user.name)) : TEXTS.onlyYou}
          >
            {TEXTS.sameMembers}
          </Checkbox>
        )}
      </form>
      {trust.dialog}
    </Dialog>
  );
}

/** Somebody joined or left the parent since the list was shown: nobody gets a key by a list that was not seen. */
const isOutdated = (failure: unknown) => failure instanceof AppError && failure.code === 'rewrap_set_mismatch';

const unsureOf = (failure: unknown): readonly string[] =>
  failure instanceof KeyringError && failure.code === 'members_unsure' ? failure.userIds : [];

/** The server's text for the name, else its message (specification §5, §8). */
function problemText(failure: unknown): string {
  if (isOutdated(failure)) return TEXTS.membersChanged;
  if (failure instanceof AppError) return failure.errors?.['name']?.[0] ?? failure.message;
  return failure instanceof Error ? failure.message : String(failure);
}
