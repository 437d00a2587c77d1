import { useReducer, useRef, useState } from 'react';
import { v7 as newId } from 'uuid';
import { activityLog } from '../../activity-log/activity-log.ts';
import { EntryCancelled } from '@passwordbroker/client/master-password/master-password';
import { useMasterPassword } from '../../master-password/use-master-password.ts';
import { ADD_FIELD_TEXTS as TEXTS, FIELD_TEXTS } from '../../texts/entries/fields.ts';
import { useVault } from '../../vault/use-vault.ts';
import type { EntryPath, NewField, VaultWrite, Watched } from '@passwordbroker/client/vault/vault';
import { useFieldsReload } from '../table/use-fields.ts';
import { type Draft, type DraftErrors, errorsOf, readDraft } from './new-field.ts';
import { NetworkError } from '@passwordbroker/client/transport/exchange';

export interface AddField {
  readonly state: AddFieldState;
  readonly errors: DraftErrors;
  /** Upload progress from 0 to 1, or null. */
  readonly sent: number | null;
  clear(): void;
  /** `typed` is the master password, if none is remembered. Returns whether the field was added. */
  submit(draft: Draft, typed: string): Promise<boolean>;
  cancel(): void;
}

/** Seals and sends a new field. */
export function useAddField(path: EntryPath, write: VaultWrite): AddField {
  const masterPassword = useMasterPassword();
  const reload = useFieldsReload(path);
  const [state, send] = useReducer(afterAddFieldEvent, 'new');
  const [errors, setErrors] = useState<DraftErrors>({});
  const [sent, setSent] = useState<number | null>(null);
  const running = useRef<AbortController | null>(null);
  const vault = useVault();
  const [fieldId] = useState(() => newId());
  const isUncertain = useRef(false);

  const findStored = async () => {
    const stored = await vault.read.fields(path);
    return stored.find((field) => field.field_id === fieldId);
  };

  /** After a lost response the field may exist: then it is updated instead of added twice. */
  async function store(field: NewField, watched: Watched): Promise<void> {
    const stored = isUncertain.current ? await findStored() : undefined;
    if (stored !== undefined) {
      await write.updateField({ ...path, field: stored }, field, watched);
      return;
    }
    try {
      await write.createField(path, field, { ...watched, fieldId });
    } catch (failure) {
      if (!(failure instanceof NetworkError)) throw failure;
      isUncertain.current = true;
      if ((await findStored().catch(() => undefined)) === undefined) throw failure;
    }
  }

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
      if (draft.type === 'file') setSent(0);
      const watched = { signal: stop.signal, ...(draft.type === 'file' ? { onProgress: setSent } : {}) };
      await masterPassword.use(() => store(read.field, watched), {
        label: TEXTS.unlockAction,
        signal: stop.signal,
      });
      activityLog.add(FIELD_TEXTS.activity.added(read.field.title));
      await reload();
      send('added');
      return true;
    } catch (failure) {
      send('refused');
      // A cancelled request may have been stored.
      if (stop.signal.aborted) void reload();
      if (!(failure instanceof EntryCancelled) && !stop.signal.aborted) setErrors(errorsOf(failure));
      return false;
    } finally {
      running.current = null;
      setSent(null);
    }
  }

  return { state, errors, sent, submit, clear: () => setErrors({}), cancel: () => running.current?.abort() };
}

export type AddFieldState = 'new' | 'in progress';
export type AddFieldEvent = 'submitted' | 'added' | 'refused';

/** Success empties the form; an error keeps its content (docs/spec/product.md §4). */
export const ADD_FIELD_STATES: Readonly<Record<AddFieldState, Partial<Record<AddFieldEvent, AddFieldState>>>> = {
  new: { submitted: 'in progress' },
  'in progress': { added: 'new', refused: 'new' },
};

export function afterAddFieldEvent(state: AddFieldState, event: AddFieldEvent): AddFieldState {
  return ADD_FIELD_STATES[state][event] ?? state;
}
