import { useRef, useState, useReducer } from 'react';
import { generatePassword } from '@passwordbroker/core/domain/fields/password-generator';
import type { Entry } from '@passwordbroker/core/contract/entities';
import type { FieldType } from '@passwordbroker/core/domain/fields/field-kinds';
import { useMasterPassword, useMasterPasswordView } from '../../master-password/use-master-password.ts';
import { ADD_FIELD_TEXTS as TEXTS, FIELD_TEXTS } from '../../texts/entries/fields.ts';
import { PasswordField } from '@passwordbroker/ui/inputs/text-field';
import { SegmentedRadio } from '@passwordbroker/ui/inputs/segmented-radio';
import { useDraftOverLock, useKept } from '../../drafts/use-draft.ts';
import type { VaultWrite, EntryPath, NewField, Watched } from '@passwordbroker/client/vault/vault';
import { FIELD_ICONS } from '../table/field-kind.tsx';
import { DEFAULT_SETTINGS } from '@passwordbroker/core/domain/fields/generator-settings';
import { DraftInputs, FieldFormDialog } from './field-form-dialog.tsx';
import {
  type Draft,
  type DraftErrors,
  errorsOf,
  FRESH_DRAFT,
  type KeptField,
  keptFieldPlace,
  readDraft,
} from './new-field.ts';
import { v7 as newId } from 'uuid';
import { activityLog } from '../../activity-log/activity-log.ts';
import { MasterPasswordCancelled } from '@passwordbroker/client/master-password/master-password';
import { useVault } from '../../vault/use-vault.ts';
import { useFieldsReload } from '../table/use-fields.ts';
import { NetworkError } from '@passwordbroker/client/transport/exchange';

interface Props {
  readonly entry: Entry;
  /** What was dropped on the entry. */
  readonly file: File | null;
  readonly write: VaultWrite;
  readonly onClose: () => void;
}

const TYPES = (['password', 'TOTP', 'link', 'note', 'file'] as const satisfies FieldType[]).map((type) => {
  const Icon = FIELD_ICONS[type];
  return { value: type, label: FIELD_TEXTS.kinds[type], icon: <Icon size={14} aria-hidden="true" /> };
});

/** Adds a field of one of the five types (docs/spec/product.md §5). */
export function AddFieldDialog({ entry, file, write, onClose }: Props) {
  const masterPassword = useMasterPassword();
  useMasterPasswordView();
  const place = keptFieldPlace(entry.entry_id);
  const before = useKept<KeptField>(place);
  const kept = before?.kind === 'add' ? before : null;
  const [draft, setDraft] = useState<Draft>(
    () =>
      kept?.draft ?? {
        ...FRESH_DRAFT,
        password: generatePassword(DEFAULT_SETTINGS),
        ...(file === null ? {} : { type: 'file', file }),
      },
  );
  const [typed, setTyped] = useState('');
  const path = { entryGroupId: entry.entry_group_id, entryId: entry.entry_id };
  const adding = useAddField(path, write, kept?.fieldId ?? null);
  const { errors } = adding;
  const isBusy = adding.state === 'in progress';
  const change = (part: Partial<Draft>) => setDraft((last) => ({ ...last, ...part }));

  const submit = async () => {
    // A later lock must not show it again.
    setTyped('');
    if (await adding.submit(draft, typed)) onClose();
  };
  const close = () => {
    adding.cancel();
    onClose();
  };
  useDraftOverLock(place, {
    form: { kind: 'add', fieldId: adding.fieldId, draft: { ...draft, file: null } } satisfies KeptField,
    isChanged: true,
    hasFile: draft.file !== null,
    onLocked: close,
  });
  return (
    <FieldFormDialog
      title={TEXTS.title}
      subtitle={TEXTS.within(entry.title)}
      cancel={TEXTS.cancel}
      submit={TEXTS.submit}
      submitting={TEXTS.adding}
      isBusy={isBusy}
      canStop={draft.type === 'file'}
      problem={errors.other}
      onSubmit={() => void submit()}
      onClose={close}
    >
      <SegmentedRadio
        label={TEXTS.type}
        value={draft.type}
        options={TYPES}
        onChange={(type) => {
          adding.clear();
          change({ type });
        }}
        isDisabled={isBusy}
      />
      <DraftInputs draft={draft} errors={errors} onChange={change} sent={adding.sent} />
      {!masterPassword.isRemembered() && (
        <PasswordField
          label={TEXTS.masterPassword}
          value={typed}
          onChange={setTyped}
          hint={TEXTS.masterPasswordHint}
          autoComplete="off"
          {...(errors.master_password === undefined ? {} : { error: errors.master_password })}
        />
      )}
    </FieldFormDialog>
  );
}

interface AddField {
  readonly fieldId: string;
  readonly state: AddFieldState;
  readonly errors: DraftErrors;
  /** Upload progress from 0 to 1, or null. */
  readonly sent: number | null;
  clear(): void;
  /** `typed` is the master password, if none is remembered. Returns whether the field was added. */
  submit(draft: Draft, typed: string): Promise<boolean>;
  cancel(): void;
}

/**
 * Seals and sends a new field.
 * @param keptId of a form from before a lock, which may have sent it
 */
function useAddField(path: EntryPath, write: VaultWrite, keptId: string | null): AddField {
  const masterPassword = useMasterPassword();
  const reload = useFieldsReload(path);
  const [state, send] = useReducer(afterAddFieldEvent, 'new');
  const [errors, setErrors] = useState<DraftErrors>({});
  const [sent, setSent] = useState<number | null>(null);
  const running = useRef<AbortController | null>(null);
  const vault = useVault();
  const [fieldId] = useState(() => keptId ?? newId());
  const isUncertain = useRef(keptId !== null);

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
      if (!(failure instanceof MasterPasswordCancelled) && !stop.signal.aborted) setErrors(errorsOf(failure));
      return false;
    } finally {
      running.current = null;
      setSent(null);
    }
  }

  return { fieldId, state, errors, sent, submit, clear: () => setErrors({}), cancel: () => running.current?.abort() };
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
