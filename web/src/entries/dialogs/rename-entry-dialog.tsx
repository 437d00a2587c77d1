import { useEffect, useId, useRef, useState, type FormEvent } from 'react';
import { AppError } from '@passwordbroker/core/contract/problem';
import type { Entry, EntryGroup } from '@passwordbroker/core/contract/entities';
import type { VaultWrite } from '@passwordbroker/client/vault/vault';
import { TextField } from '@passwordbroker/ui/inputs/text-field';
import { Dialog, FormVerbs } from '@passwordbroker/ui/overlays/dialog';
import { ENTRY_TEXTS as TEXTS } from '../../texts/entries/entries.ts';
import { useEntryActions } from './use-entry-actions.ts';

interface Props {
  readonly entry: Entry;
  readonly group: EntryGroup;
  readonly write: VaultWrite;
  readonly onClose: () => void;
}

/** Asks for the new title of an entry (docs/spec/product.md §5). */
export function RenameEntryDialog({ entry, group, write, onClose }: Props) {
  const form = useId();
  const input = useRef<HTMLInputElement>(null);
  const actions = useEntryActions(write);
  const [title, setTitle] = useState(entry.title);
  const [error, setError] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);

  // In an effect, after the dialog has focused its first control.
  useEffect(() => input.current?.select(), []);

  const send = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    const wanted = title.trim();
    if (wanted === '') {
      setError(TEXTS.titleMissing);
      return;
    }
    setError(null);
    setBusy(true);
    try {
      if (wanted !== entry.title) await actions.rename(entry, wanted);
      onClose();
    } catch (failure) {
      setError(titleError(failure));
    } finally {
      setBusy(false);
    }
  };

  return (
    <Dialog
      title={TEXTS.renameDialog}
      subtitle={TEXTS.within(group.title)}
      onClose={onClose}
      isBusy={isBusy}
      footer={
        <FormVerbs
          form={form}
          cancel={TEXTS.cancel}
          onCancel={onClose}
          submit={TEXTS.renameButton}
          submitting={TEXTS.renaming}
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

export function titleError(failure: unknown): string {
  if (failure instanceof AppError) return failure.errors?.['title']?.[0] ?? failure.message;
  return failure instanceof Error ? failure.message : String(failure);
}
