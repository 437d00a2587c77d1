import { useId, useState, type FormEvent } from 'react';
import { RefreshCw } from 'lucide-react';
import type { Entry, EntryGroup } from '@passwordbroker/core/contract/entities';
import type { FieldType } from '@passwordbroker/core/domain/fields/field-kinds';
import { generatePassword } from '@passwordbroker/core/domain/fields/password-generator';
import { LIMITS } from '@passwordbroker/core/domain/limits';
import type { VaultWrite } from '@passwordbroker/client/vault/vault';
import { Button } from '@passwordbroker/ui/actions/button';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { ProgressBar } from '@passwordbroker/ui/feedback/progress-bar';
import { toast } from '@passwordbroker/ui/feedback/toast';
import { TextArea } from '@passwordbroker/ui/inputs/text-area';
import { PasswordField, TextField } from '@passwordbroker/ui/inputs/text-field';
import { Dialog, FormVerbs, useFirstFocus } from '@passwordbroker/ui/overlays/dialog';
import { useOnLocked } from '../../fields/edit/add-field-dialog.tsx';
import { FilePicker } from '../../fields/edit/field-form-dialog.tsx';
import styles from '../../fields/edit/field-form.module.css';
import { type Draft, FRESH_DRAFT } from '../../fields/edit/new-field.ts';
import { GeneratedPassword } from '../../fields/generator/generated-password.tsx';
import { DEFAULT_SETTINGS } from '../../fields/generator/generator-settings.ts';
import { TotpInputs } from '../../fields/totp/totp-inputs.tsx';
import { ENTRY_TEXTS as TEXTS } from '../../texts/entries/entries.ts';
import { ADD_FIELD_TEXTS as FIELD, FIELD_TEXTS } from '../../texts/entries/fields.ts';
import { MarkInputs, NO_MARKS, areStorable } from '../marks/mark-inputs.tsx';
import { readFields } from './new-entry.ts';
import { type AddEntry, useAddEntry } from './use-add-entry.ts';

interface AddEntryDialogProps {
  readonly group: Pick<EntryGroup, 'entry_group_id' | 'title'>;
  readonly write: VaultWrite;
  /** What is filled in already. */
  readonly start?: { readonly title: string; readonly link: string };
  readonly onAdded: (entry: Entry) => void;
  readonly onClose: () => void;
}

/** A new entry with the fields of a login; only the title is required. */
export function AddEntryDialog({ group, write, start, onAdded, onClose }: AddEntryDialogProps) {
  const form = useId();
  const [attachTitle, focusTitle] = useFirstFocus();
  const [title, setTitle] = useState(start?.title ?? '');
  const [draft, setDraft] = useState({ ...FRESH_DRAFT, link: start?.link ?? '' });
  const [marks, setMarks] = useState(NO_MARKS);
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
    if (isBusy || !areStorable(marks)) return;
    const entry = await adding.submit(title.trim(), draft, marks);
    if (entry === null) return;
    onAdded(entry);
    if (isLast) {
      onClose();
      return;
    }
    setTitle('');
    setDraft(FRESH_DRAFT);
    setMarks(NO_MARKS);
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
        {!isStored && (
          <MarkInputs
            title={title}
            marks={marks}
            onChange={(part) => setMarks((before) => ({ ...before, ...part }))}
            write={write}
          />
        )}
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
