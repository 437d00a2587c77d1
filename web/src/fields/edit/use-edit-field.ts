import { generatePassword } from '@passwordbroker/core/domain/fields/password-generator';
import { useEffect, useReducer, useRef, useState } from 'react';
import { activityLog } from '../../activity-log/activity-log.ts';
import { MasterPasswordCancelled } from '@passwordbroker/client/master-password/master-password';
import { useMasterPassword } from '../../master-password/use-master-password.ts';
import { EDIT_FIELD_TEXTS as TEXTS } from '../../texts/entries/fields.ts';
import { useVault } from '../../vault/use-vault.ts';
import type { FieldChange, FieldPath, VaultWrite, Revealed, VaultRead } from '@passwordbroker/client/vault/vault';
import { DEFAULT_SETTINGS } from '@passwordbroker/core/domain/fields/generator-settings';
import { problemText } from '../table/problem-text.ts';
import { useFieldsReload } from '../table/use-fields.ts';
import { useDraftOverLock, useKept } from '../../drafts/use-draft.ts';
import {
  type Draft,
  type DraftErrors,
  draftOf,
  errorsOf,
  isUnchanged,
  type KeptField,
  keptFieldPlace,
  readChange,
} from './new-field.ts';
import { AppError } from '@passwordbroker/core/contract/problem';

export interface EditField {
  readonly state: EditFieldState;
  /** The revision that the change is based on; null until decrypted. */
  readonly base: Present | null;
  readonly draft: Draft | null;
  readonly errors: DraftErrors;
  /** The conflicting revision; null without a conflict. */
  readonly theirs: Present | null;
  /** Upload progress from 0 to 1, or null. */
  readonly sent: number | null;
  readonly change: (part: Partial<Draft>) => void;
  readonly submit: () => Promise<void>;
  readonly back: () => void;
  readonly saveMine: () => Promise<void>;
  readonly cancel: () => void;
}

/**
 * Opens a field for editing and writes the next revision. After a revision conflict it shows both versions;
 * nothing is overwritten before the person has chosen.
 * @param isRenewed begins with a generated password
 * @param onEnd closes the dialog; receives an error that occurred before the dialog opened, or null
 */
export function useEditField(
  path: FieldPath,
  write: VaultWrite,
  onEnd: (problem: string | null) => void,
  isRenewed = false,
): EditField {
  const { read } = useVault();
  const masterPassword = useMasterPassword();
  const reload = useFieldsReload(path);
  const [state, send] = useReducer(afterEditFieldEvent, 'awaiting');
  const [base, setBase] = useState<Present | null>(null);
  const [draft, setDraft] = useState<Draft | null>(null);
  const [theirs, setTheirs] = useState<Present | null>(null);
  const [errors, setErrors] = useState<DraftErrors>({});
  const [sent, setSent] = useState<number | null>(null);
  const running = useRef<AbortController | null>(null);
  const end = useRef(onEnd);
  const { title } = path.field;

  const open = async (signal: AbortSignal) => {
    const present = await masterPassword.use(() => openPresent(read, path, signal), { label: TEXTS.open(title) });
    // Refreshes the outdated list behind the dialog.
    if (present.path.field.rev !== path.field.rev) void reload();
    return present;
  };
  const openFirst = useRef(open);
  const place = keptFieldPlace(path.entryId);
  const before = useKept<KeptField>(place);
  const kept = before?.kind === 'edit' && before.fieldId === path.field.field_id ? before : null;
  const first = useRef({ kept, isRenewed });

  useEffect(() => {
    end.current = onEnd;
  }, [onEnd]);
  useEffect(() => {
    const stop = new AbortController();
    openFirst
      .current(stop.signal)
      .then((present) => {
        if (stop.signal.aborted) return;
        setBase(present);
        const { kept: typed, isRenewed: isNew } = first.current;
        const begun = draftOf(present.revealed);
        if (typed !== null) setDraft(typed.draft);
        else if (isNew && begun.type === 'password')
          setDraft({ ...begun, password: generatePassword(DEFAULT_SETTINGS) });
        else setDraft(begun);
        // Changed since then, and not by a request of this form that the lock interrupted.
        const isOther = typed !== null && typed.rev !== present.path.field.rev && !isSame(typed.draft, begun);
        if (isOther) setTheirs(present);
        send('decrypted');
      })
      .catch((failure: unknown) => {
        if (!stop.signal.aborted) end.current(failure instanceof MasterPasswordCancelled ? null : problemText(failure));
      });
    return () => {
      stop.abort();
      running.current?.abort();
    };
  }, []);

  useDraftOverLock(place, {
    form:
      base === null || draft === null
        ? null
        : ({
            kind: 'edit',
            fieldId: path.field.field_id,
            rev: base.path.field.rev,
            draft: { ...draft, file: null },
          } satisfies KeptField),
    isChanged: base !== null && draft !== null && !isSame(draft, draftOf(base.revealed)),
    hasFile: draft !== null && draft.file !== null,
    onLocked: base === null ? null : () => end.current(null),
  });

  async function finish(savedTitle: string) {
    await reload();
    send('saved');
    activityLog.add(TEXTS.updated(savedTitle));
    end.current(null);
  }

  async function save(on: Present, change: FieldChange) {
    const stop = new AbortController();
    running.current = stop;
    send('submitted');
    setErrors({});
    try {
      const sendsFile = change.type === 'file' && change.file !== null;
      if (sendsFile) setSent(0);
      const isValueChanged = change.type !== 'file' && change.value !== on.revealed.text;
      const watched = { signal: stop.signal, isValueChanged, ...(sendsFile ? { onProgress: setSent } : {}) };
      await masterPassword.use(() => write.updateField(on.path, change, watched), { label: TEXTS.write(title) });
      await finish(change.title);
    } catch (failure) {
      if (stop.signal.aborted) send('refused');
      else await refused(failure, change, stop.signal);
    } finally {
      running.current = null;
      setSent(null);
    }
  }

  async function refused(failure: unknown, change: FieldChange, signal: AbortSignal) {
    try {
      if (!isRevisionConflict(failure)) throw failure;
      const present = await open(signal);
      // An earlier attempt stored the change, but its response was lost.
      if (change.type !== 'file' && isUnchanged(change, present.revealed)) return await finish(change.title);
      setTheirs(present);
    } catch (problem) {
      if (!signal.aborted && !(problem instanceof MasterPasswordCancelled)) setErrors(errorsOf(problem));
    }
    return send('refused');
  }

  async function submit(on = base) {
    if (draft === null || on === null || state === 'in progress') return;
    const read = readChange(draft);
    if ('errors' in read) {
      setErrors(read.errors);
      return;
    }
    if (isUnchanged(read.change, on.revealed) && on.revealed.disagreements.length === 0) end.current(null);
    else await save(on, read.change);
  }

  return {
    state,
    base,
    draft,
    errors,
    theirs,
    sent,
    change(part) {
      setDraft((before) => (before === null ? null : { ...before, ...part }));
      send('changed');
    },
    submit: () => submit(),
    back: () => setTheirs(null),
    async saveMine() {
      if (theirs === null) return;
      setBase(theirs);
      setTheirs(null);
      await submit(theirs);
    },
    cancel() {
      running.current?.abort();
      if (state !== 'in progress') end.current(null);
    },
  };
}

const isSame = (one: Draft, other: Draft) => JSON.stringify(one) === JSON.stringify(other);

export type EditFieldState = 'awaiting' | 'editing' | 'in progress' | 'modal to close';
export type EditFieldEvent = 'decrypted' | 'changed' | 'submitted' | 'saved' | 'refused';

/** Editing a field (docs/spec/product.md §4). After an error the input stays. */
export const EDIT_FIELD_STATES: Readonly<
  Record<EditFieldState, Readonly<Partial<Record<EditFieldEvent, EditFieldState>>>>
> = {
  awaiting: { decrypted: 'editing', changed: 'editing', submitted: 'in progress' },
  editing: { submitted: 'in progress' },
  'in progress': { saved: 'modal to close', refused: 'awaiting' },
  'modal to close': {},
};

export function afterEditFieldEvent(state: EditFieldState, event: EditFieldEvent): EditFieldState {
  return EDIT_FIELD_STATES[state][event] ?? state;
}

export interface Present {
  readonly path: FieldPath;
  readonly revealed: Revealed;
}

/**
 * Reveals the current revision of a field, which may be newer than the cached list.
 * @throws errors of the vault; an Error if the field is gone
 */
async function openPresent(read: VaultRead, path: FieldPath, signal: AbortSignal): Promise<Present> {
  const fields = await read.fields(path, signal);
  const field = fields.find(({ field_id }) => field_id === path.field.field_id);
  if (field === undefined) throw new Error(TEXTS.gone);
  const present = { ...path, field };
  return { path: present, revealed: await read.reveal(present, signal) };
}

export const isRevisionConflict = (failure: unknown) =>
  failure instanceof AppError && failure.code === 'revision_conflict';
