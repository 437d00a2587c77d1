/** Seals what was typed and sends it; the dialog shows state, progress and errors. */
import { useReducer, useRef, useState } from 'react';
import { activityLog } from '../activity-log/activity-log.ts';
import { EntryCancelled } from '../master-password/master-password.ts';
import { useMasterPassword } from '../master-password/use-master-password.ts';
import { ADD_FIELD_TEXTS as TEXTS, FIELD_TEXTS } from '../texts/fields.ts';
import type { EntryPath, VaultWrite } from '../vault/vault.ts';
import { afterAddFieldEvent, type AddFieldState } from './add-field-states.ts';
import { errorsOf, readDraft, type Draft, type DraftErrors } from './new-field.ts';
import { useFieldsReload } from './use-fields.ts';

export interface AddField {
  readonly state: AddFieldState;
  readonly errors: DraftErrors;
  /** 0 to 1 of a file on its way; null otherwise. */
  readonly sent: number | null;
  clear(): void;
  /** @param typed the master password where none is remembered @returns whether the field was added */
  submit(draft: Draft, typed: string): Promise<boolean>;
  cancel(): void;
}

export function useAddField(path: EntryPath, write: VaultWrite): AddField {
  const masterPassword = useMasterPassword();
  const reload = useFieldsReload(path);
  const [state, send] = useReducer(afterAddFieldEvent, 'new');
  const [errors, setErrors] = useState<DraftErrors>({});
  const [sent, setSent] = useState<number | null>(null);
  const running = useRef<AbortController | null>(null);

  async function submit(draft: Draft, typed: string): Promise<boolean> {
    const read = readDraft(draft);
    const isAsked = !masterPassword.isRemembered();
    const missing: DraftErrors = isAsked && typed === '' ? { master_password: TEXTS.masterPasswordMissing } : {};
    const found = 'errors' in read ? { ...read.errors, ...missing } : missing;
    setErrors(found);
    if ('errors' in read || Object.keys(found).length > 0) return false;
    send('submitted');
    const stop = new AbortController();
    running.current = stop;
    try {
      if (isAsked) await masterPassword.enter(typed);
      const watched = { signal: stop.signal, ...(draft.type === 'file' ? { onProgress: setSent } : {}) };
      await masterPassword.use(() => write.createField(path, read.field, watched), { label: TEXTS.unlockAction });
      activityLog.add(FIELD_TEXTS.activity.added(read.field.title));
      await reload();
      send('added');
      return true;
    } catch (failure) {
      send('refused');
      if (!(failure instanceof EntryCancelled) && !stop.signal.aborted) setErrors(errorsOf(failure));
      return false;
    } finally {
      running.current = null;
      setSent(null);
    }
  }

  return { state, errors, sent, submit, clear: () => setErrors({}), cancel: () => running.current?.abort() };
}
