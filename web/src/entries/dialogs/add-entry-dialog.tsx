import { useId, useRef, useState, type FormEvent } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { RefreshCw } from 'lucide-react';
import type { Entry, EntryGroup } from '@passwordbroker/core/contract/entities';
import type { FieldType } from '@passwordbroker/core/domain/fields/field-kinds';
import { generatePassword } from '@passwordbroker/core/domain/fields/password-generator';
import { LIMITS } from '@passwordbroker/core/domain/limits';
import { MasterPasswordCancelled } from '@passwordbroker/client/master-password/master-password';
import type { VaultWrite } from '@passwordbroker/client/vault/vault';
import { Button } from '@passwordbroker/ui/actions/button';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { ProgressBar } from '@passwordbroker/ui/feedback/progress-bar';
import { toast } from '@passwordbroker/ui/feedback/toast';
import { TextArea } from '@passwordbroker/ui/inputs/text-area';
import { PasswordField, TextField } from '@passwordbroker/ui/inputs/text-field';
import { Dialog, FormVerbs, useFirstFocus } from '@passwordbroker/ui/overlays/dialog';
import { activityLog } from '../../activity-log/activity-log.ts';
import { useOnLocked } from '../../fields/edit/add-field-dialog.tsx';
import { FilePicker } from '../../fields/edit/field-form-dialog.tsx';
import styles from '../../fields/edit/field-form.module.css';
import { type Draft, type DraftErrors, FRESH_DRAFT } from '../../fields/edit/new-field.ts';
import { GeneratedPassword } from '../../fields/generator/generated-password.tsx';
import { DEFAULT_SETTINGS } from '../../fields/generator/generator-settings.ts';
import { problemText } from '../../fields/table/problem-text.ts';
import { TotpInputs } from '../../fields/totp/totp-inputs.tsx';
import { useMasterPassword } from '../../master-password/use-master-password.ts';
import { ENTRY_TEXTS as TEXTS } from '../../texts/entries/entries.ts';
import { ADD_FIELD_TEXTS as FIELD, FIELD_TEXTS } from '../../texts/entries/fields.ts';
import { useVault } from '../../vault/use-vault.ts';
import { newEntrySaving, readFields } from './new-entry.ts';
import { titleError } from './rename-entry-dialog.tsx';
import { useListedEntries } from './use-entry-actions.ts';

interface AddEntryDialogProps {
  readonly group: EntryGroup;
  readonly write: VaultWrite;
  readonly onAdded: (entry: Entry) => void;
  readonly onClose: () => void;
}

/** A new entry with the fields of a login; only the title is required. */
export function AddEntryDialog({ group, write, onAdded, onClose }: AddEntryDialogProps) {
  const form = useId();
  const [attachTitle, focusTitle] = useFirstFocus();
  const [title, setTitle] = useState('');
  const [draft, setDraft] = useState(FRESH_DRAFT);
  const adding = useAddEntry(group.entry_group_id, write);
  const { isBusy, isStored } = adding;

  useOnLocked(() => {
    const read = readFields(draft, NOTHING_SAVED);
    if ('fields' in read && read.fields.length === 0) return;
    adding.cancel();
    onClose();
    toast(TEXTS.locked);
  });
  const send = async (isLast: boolean) => {
    if (isBusy) return;
    const entry = await adding.submit(title.trim(), draft);
    if (entry === null) return;
    onAdded(entry);
    if (isLast) {
      onClose();
      return;
    }
    setTitle('');
    setDraft(FRESH_DRAFT);
    focusTitle();
  };
  const close = () => {
    adding.cancel();
    onClose();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void send(true);
  };
  return (
    <Dialog
      title={TEXTS.dialog}
      subtitle={TEXTS.within(group.title)}
      size="md"
      onClose={close}
      isBusy={isBusy}
      footer={
        <>
          <Button variant="secondary" isDisabled={isBusy} onPress={() => void send(false)}>
            {TEXTS.another}
          </Button>
          <FormVerbs
            form={form}
            cancel={TEXTS.cancel}
            onCancel={close}
            isHeld={isBusy && draft.file === null}
            submit={TEXTS.addButton}
            submitting={TEXTS.adding}
            isBusy={isBusy}
          />
        </>
      }
    >
      <form id={form} className={styles['form']} onSubmit={submit} noValidate autoComplete="off">
        {adding.problem.length > 0 && <MessageBox tone="danger" lines={adding.problem} />}
        <TextField
          label={TEXTS.title}
          value={title}
          onChange={setTitle}
          ref={attachTitle}
          maxLength={255}
          isReadOnly={isStored}
          autoComplete="off"
          hint={TEXTS.fieldsHint}
          error={adding.titleProblem}
        />
        <LoginInputs
          key={adding.count}
          draft={draft}
          adding={adding}
          onChange={(part) => setDraft((before) => ({ ...before, ...part }))}
        />
      </form>
    </Dialog>
  );
}

const NOTHING_SAVED: ReadonlySet<FieldType> = new Set();

interface LoginInputsProps {
  readonly draft: Draft;
  readonly adding: AddEntry;
  readonly onChange: (part: Partial<Draft>) => void;
}

/** The inputs of the fields that are not saved yet. */
function LoginInputs({ draft, adding: { saved, errors, sent }, onChange }: LoginInputsProps) {
  return (
    <>
      {!saved.has('password') && (
        <>
          <TextField
            label={FIELD.login}
            value={draft.login}
            onChange={(login) => onChange({ login })}
            maxLength={LIMITS.login}
            autoComplete="off"
            error={errors.password?.login}
          />
          <NewPassword
            value={draft.password}
            onChange={(password) => onChange({ password })}
            error={errors.password?.value}
          />
        </>
      )}
      {!saved.has('link') && (
        <TextField
          label={FIELD_TEXTS.kinds.link}
          value={draft.link}
          onChange={(link) => onChange({ link })}
          type="url"
          autoComplete="off"
          error={errors.link?.value}
        />
      )}
      {!saved.has('TOTP') && (
        <TotpInputs draft={draft} errors={errors.TOTP ?? {}} onChange={onChange} isMasked label={TEXTS.totp} />
      )}
      {!saved.has('note') && (
        <TextArea
          label={FIELD_TEXTS.kinds.note}
          value={draft.note}
          onChange={(note) => onChange({ note })}
          rows={3}
          error={errors.note?.value}
        />
      )}
      {!saved.has('file') && (
        <FilePicker
          file={draft.file}
          stored={null}
          onChoose={(file) => onChange({ file })}
          error={errors.file?.file ?? null}
        />
      )}
      {sent !== null && <ProgressBar label={FIELD.adding} value={sent * 100} />}
    </>
  );
}

interface NewPasswordProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly error: string | undefined;
}

/** Typed, or generated with the generator below it. */
function NewPassword({ value, onChange, error }: NewPasswordProps) {
  const [isGenerated, setGenerated] = useState(false);
  const label = FIELD_TEXTS.kinds.password;
  const problem = error === undefined ? {} : { error };
  if (isGenerated) return <GeneratedPassword label={label} value={value} onChange={onChange} {...problem} />;
  const generate = () => {
    setGenerated(true);
    onChange(generatePassword(DEFAULT_SETTINGS));
  };
  return (
    <div className={styles['kept']}>
      <PasswordField label={label} value={value} onChange={onChange} mono autoComplete="off" {...problem} />
      <Button variant="secondary" size="sm" icon={<RefreshCw size={16} />} onPress={generate}>
        {TEXTS.generate}
      </Button>
    </div>
  );
}

interface AddEntry {
  readonly isBusy: boolean;
  /** True after the entry was added, while fields are missing. */
  readonly isStored: boolean;
  readonly saved: ReadonlySet<FieldType>;
  readonly titleProblem: string | null;
  readonly problem: readonly string[];
  readonly errors: Readonly<Partial<Record<FieldType, DraftErrors>>>;
  /** Upload progress from 0 to 1, or null. */
  readonly sent: number | null;
  /** Entries added so far. */
  readonly count: number;
  /** Returns null if something is missing. */
  submit(title: string, draft: Draft): Promise<Entry | null>;
  cancel(): void;
}

function useAddEntry(groupId: string, write: VaultWrite): AddEntry {
  const { read } = useVault();
  const masterPassword = useMasterPassword();
  const listed = useListedEntries();
  const client = useQueryClient();
  const [saving, setSaving] = useState(() => newEntrySaving(groupId, { read, write }));
  const [isBusy, setBusy] = useState(false);
  const [count, setCount] = useState(0);
  const [sent, setSent] = useState<number | null>(null);
  const [found, setFound] = useState<Pick<AddEntry, 'titleProblem' | 'problem' | 'errors'>>(NO_PROBLEM);
  const running = useRef<AbortController | null>(null);

  async function submit(title: string, draft: Draft): Promise<Entry | null> {
    const filled = readFields(draft, saving.saved);
    const titleProblem = title === '' ? TEXTS.titleMissing : null;
    setFound({ ...NO_PROBLEM, titleProblem, errors: 'errors' in filled ? filled.errors : {} });
    if ('errors' in filled || titleProblem !== null) return null;
    const { fields } = filled;
    const stop = new AbortController();
    running.current = stop;
    setBusy(true);
    try {
      const save = () =>
        saving.save(title, fields, { signal: stop.signal, ...(draft.file === null ? {} : { onProgress: setSent }) });
      const label = TEXTS.saveAction(title);
      const entry = await (fields.length === 0 ? save() : masterPassword.use(save, { label, signal: stop.signal }));
      activityLog.add(TEXTS.added(title));
      await listed.reload(groupId);
      setSaving(newEntrySaving(groupId, { read, write }));
      setCount(count + 1);
      return entry;
    } catch (failure) {
      const entry = saving.entry();
      if (entry !== null) {
        void listed.reload(groupId);
        void client.invalidateQueries({ queryKey: ['online', 'fields', entry.entry_id] });
      }
      if (failure instanceof MasterPasswordCancelled && entry === null) return null;
      const missing = fields.filter(({ type }) => !saving.saved.has(type)).map((field) => field.title);
      // The dialog is closed then.
      if (stop.signal.aborted && entry !== null) toast(TEXTS.missing(missing), { tone: 'danger' });
      setFound(
        entry === null
          ? { ...NO_PROBLEM, titleProblem: titleError(failure) }
          : { ...NO_PROBLEM, problem: [TEXTS.missing(missing), problemText(failure), TEXTS.goOn] },
      );
      return null;
    } finally {
      running.current = null;
      setSent(null);
      setBusy(false);
    }
  }

  return {
    ...found,
    isBusy,
    isStored: saving.entry() !== null,
    saved: saving.saved,
    sent,
    count,
    submit,
    cancel: () => running.current?.abort(),
  };
}

const NO_PROBLEM = { titleProblem: null, problem: [], errors: {} } as const;
