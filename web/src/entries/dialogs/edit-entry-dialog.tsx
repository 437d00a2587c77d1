import { useEffect, useId, useRef, useState, type FormEvent } from 'react';
import { AppError } from '@passwordbroker/core/contract/problem';
import type { Entry, EntryGroup } from '@passwordbroker/core/contract/entities';
import type { VaultWrite } from '@passwordbroker/client/vault/vault';
import { TextField } from '@passwordbroker/ui/inputs/text-field';
import { Dialog, FormVerbs } from '@passwordbroker/ui/overlays/dialog';
import { ENTRY_TEXTS as TEXTS } from '../../texts/entries/entries.ts';
import styles from '../../fields/edit/field-form.module.css';
import { MarkInputs, marksOf, areStorable } from '../marks/mark-inputs.tsx';
import { useEntryActions } from './use-entry-actions.ts';

interface Props {
  readonly entry: Entry;
  readonly group: EntryGroup;
  readonly write: VaultWrite;
  readonly onClose: () => void;
}

/** Title, tags and icon of an entry; the title is required (docs/spec/product.md §5). */
export function EditEntryDialog({ entry, group, write, onClose }: Props) {
  const form = useId();
  const input = useRef<HTMLInputElement>(null);
  const actions = useEntryActions(write);
  const [title, setTitle] = useState(entry.title);
  const [marks, setMarks] = useState(() => marksOf(entry));
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
    if (!areStorable(marks)) return;
    setError(null);
    setBusy(true);
    try {
      await actions.mark(entry, marks);
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
      title={TEXTS.editDialog}
      subtitle={TEXTS.within(group.title)}
      onClose={onClose}
      isBusy={isBusy}
      footer={
        <FormVerbs
          form={form}
          cancel={TEXTS.cancel}
          onCancel={onClose}
          submit={TEXTS.saveButton}
          submitting={TEXTS.saving}
          isBusy={isBusy}
        />
      }
    >
      <form id={form} className={styles['form']} onSubmit={(event) => void send(event)} noValidate>
        <TextField
          label={TEXTS.title}
          value={title}
          onChange={setTitle}
          ref={input}
          maxLength={255}
          autoComplete="off"
          {...(error === null ? {} : { error })}
        />
        <MarkInputs
          title={title}
          marks={marks}
          onChange={(part) => setMarks((before) => ({ ...before, ...part }))}
          write={write}
        />
      </form>
    </Dialog>
  );
}

export function titleError(failure: unknown): string {
  if (failure instanceof AppError) return failure.errors?.['title']?.[0] ?? failure.message;
  return failure instanceof Error ? failure.message : String(failure);
}
