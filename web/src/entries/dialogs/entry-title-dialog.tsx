import { useEffect, useId, useRef, useState, type FormEvent } from 'react';
import { AppError } from '@passwordbroker/core/contract/problem';
import { ENTRY_TEXTS as TEXTS } from '../../texts/entries/entries.ts';
import { Dialog, FormVerbs } from '@passwordbroker/ui/overlays/dialog';
import { TextField } from '@passwordbroker/ui/inputs/text-field';
import type { Entry, EntryGroup } from '@passwordbroker/core/contract/entities';
import { activityLog } from '../../activity-log/activity-log.ts';
import type { VaultWrite } from '@passwordbroker/client/vault/vault';
import { useListedEntries, useEntryActions } from './use-entry-actions.ts';

interface Props {
  readonly name: string;
  readonly group: string;
  readonly title?: string;
  readonly submit: string;
  readonly submitting: string;
  /** Receives the trimmed title. Closes the dialog itself on success. */
  readonly onSubmit: (title: string) => Promise<void>;
  readonly onClose: () => void;
}

/** Asks for the title of a new or renamed entry (docs/spec/product.md §5). */
function EntryTitleDialog({ name, group, title: first = '', submit, submitting, onSubmit, onClose }: Props) {
  const form = useId();
  const input = useRef<HTMLInputElement>(null);
  const [title, setTitle] = useState(first);
  const [error, setError] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);

  // In an effect, after the dialog has focused its first control.
  useEffect(() => input.current?.select(), []);

  const send = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    if (title.trim() === '') {
      setError(TEXTS.titleMissing);
      return;
    }
    setError(null);
    setBusy(true);
    try {
      await onSubmit(title.trim());
    } catch (failure) {
      setError(titleError(failure));
    } finally {
      setBusy(false);
    }
  };

  return (
    <Dialog
      title={name}
      subtitle={TEXTS.within(group)}
      onClose={onClose}
      isBusy={isBusy}
      footer={
        <FormVerbs
          form={form}
          cancel={TEXTS.cancel}
          onCancel={onClose}
          submit={submit}
          submitting={submitting}
          isBusy={isBusy}
        />
      }
    >
      <form id={form} onSubmit={(event) => void send(event)} noValidate>
        <TextField
          label={TEXTS.title}
          value={title}
          onChange={setTitle}
          ref={input}
          maxLength={255}
          autoComplete="off"
          {...(error === null ? {} : { error })}
        />
      </form>
    </Dialog>
  );
}

function titleError(failure: unknown): string {
  if (failure instanceof AppError) return failure.errors?.['title']?.[0] ?? failure.message;
  return failure instanceof Error ? failure.message : String(failure);
}

interface AddEntryDialogProps {
  readonly group: EntryGroup;
  readonly write: VaultWrite;
  readonly onAdded: (entry: Entry) => void;
  readonly onClose: () => void;
}

export function AddEntryDialog({ group, write, onAdded, onClose }: AddEntryDialogProps) {
  const listed = useListedEntries();
  const add = async (title: string) => {
    const entry = await write.createEntry(group.entry_group_id, title);
    activityLog.add(TEXTS.added(title));
    await listed.reload(group.entry_group_id);
    onAdded(entry);
    onClose();
  };
  return (
    <EntryTitleDialog
      name={TEXTS.dialog}
      group={group.title}
      submit={TEXTS.addButton}
      submitting={TEXTS.adding}
      onSubmit={add}
      onClose={onClose}
    />
  );
}

interface RenameEntryDialogProps {
  readonly entry: Entry;
  readonly group: EntryGroup;
  readonly write: VaultWrite;
  readonly onClose: () => void;
}

export function RenameEntryDialog({ entry, group, write, onClose }: RenameEntryDialogProps) {
  const actions = useEntryActions(write);
  const rename = async (title: string) => {
    if (title !== entry.title) await actions.rename(entry, title);
    onClose();
  };
  return (
    <EntryTitleDialog
      name={TEXTS.renameDialog}
      group={group.title}
      title={entry.title}
      submit={TEXTS.renameButton}
      submitting={TEXTS.renaming}
      onSubmit={rename}
      onClose={onClose}
    />
  );
}
