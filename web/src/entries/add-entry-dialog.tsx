/** Adds an entry: a title is all it needs. The server's first text for the title is shown (specification §5). */
import { useEffect, useId, useRef, useState, type FormEvent } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import type { EntryGroup } from '@passwordbroker/core/contract/entities';
import { AppError } from '@passwordbroker/core/contract/problem';
import { activityLog } from '../activity-log/activity-log.ts';
import { ENTRY_TEXTS as TEXTS } from '../texts/entries.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { TextField } from '../ui/text-field.tsx';
import { useVault } from '../vault/use-vault.ts';

interface Props {
  readonly group: EntryGroup;
  readonly onClose: () => void;
}

export function AddEntryDialog({ group, onClose }: Props) {
  const form = useId();
  const vault = useVault();
  const client = useQueryClient();
  const input = useRef<HTMLInputElement>(null);
  const [title, setTitle] = useState('');
  const [error, setError] = useState<string | null>(null);
  const [isAdding, setAdding] = useState(false);

  // After the dialog has opened, which puts the focus on its first control.
  useEffect(() => input.current?.focus(), []);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isAdding || vault.write === null) return;
    if (title.trim() === '') {
      setError(TEXTS.titleMissing);
      return;
    }
    setError(null);
    setAdding(true);
    try {
      await vault.write.createEntry(group.entry_group_id, title.trim());
      activityLog.add(TEXTS.added(title.trim()));
      await client.refetchQueries({ queryKey: [vault.mode, 'entries', group.entry_group_id] });
      void client.invalidateQueries({ queryKey: [vault.mode, 'search'] });
      onClose();
    } catch (failure) {
      setError(titleError(failure));
    } finally {
      setAdding(false);
    }
  };

  return (
    <Dialog
      title={TEXTS.dialog}
      subtitle={TEXTS.within(group.title)}
      onClose={onClose}
      isBusy={isAdding}
      footer={
        <>
          <Button variant="ghost" onPress={onClose} isDisabled={isAdding}>
            {TEXTS.cancel}
          </Button>
          <Button variant="primary" type="submit" form={form} busy={isAdding} busyLabel={TEXTS.adding}>
            {TEXTS.addButton}
          </Button>
        </>
      }
    >
      <form id={form} onSubmit={(event) => void submit(event)} noValidate>
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
