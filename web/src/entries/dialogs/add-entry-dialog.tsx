import { useDeferredValue, useId, useState, type FormEvent } from 'react';
import { RefreshCw } from 'lucide-react';
import type { Entry, EntryGroup } from '@passwordbroker/core/contract/entities';
import { generatePassword } from '@passwordbroker/core/domain/fields/password-generator';
import { LIMITS } from '@passwordbroker/core/domain/limits';
import type { EntryMarks, VaultWrite } from '@passwordbroker/client/vault/vault';
import { Button } from '@passwordbroker/ui/actions/button';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { ProgressBar } from '@passwordbroker/ui/feedback/progress-bar';
import { Select } from '@passwordbroker/ui/inputs/select';
import { TextArea } from '@passwordbroker/ui/inputs/text-area';
import { PasswordField, TextField } from '@passwordbroker/ui/inputs/text-field';
import { Dialog, FormVerbs, useFirstFocus } from '@passwordbroker/ui/overlays/dialog';
import { useDraftOverLock, useKept } from '../../drafts/use-draft.ts';
import { FilePicker } from '../../fields/edit/field-form-dialog.tsx';
import styles from '../../fields/edit/field-form.module.css';
import { type Draft, FRESH_DRAFT } from '../../fields/edit/new-field.ts';
import { GeneratedPassword } from '../../fields/generator/generated-password.tsx';
import { DEFAULT_SETTINGS } from '@passwordbroker/core/domain/fields/generator-settings';
import { TotpInputs } from '../../fields/totp/totp-inputs.tsx';
import { ENTRY_TEXTS as TEXTS } from '../../texts/entries/entries.ts';
import { ADD_FIELD_TEXTS as FIELD } from '../../texts/entries/fields.ts';
import { TEMPLATE_TEXTS as KINDS } from '../../texts/entries/marks.ts';
import { MarkInputs, NO_MARKS, areStorable } from '../marks/mark-inputs.tsx';
import { chosenKinds } from '../templates/chosen-kinds.ts';
import { BUILT_IN, type Kind, kindOf, type TemplateField } from '../templates/templates.ts';
import { useTemplates } from '../templates/use-templates.ts';
import { draftFor, type Drafts, isFilled } from './new-entry.ts';
import { type AddEntry, useAddEntry } from './use-add-entry.ts';

/** A form that a lock closed (`useDraftOverLock`), without its file. */
interface KeptEntry {
  readonly kind: Kind;
  readonly title: string;
  readonly drafts: Drafts;
  readonly marks: EntryMarks;
}

export const keptEntryPlace = (groupId: string) => `new entry ${groupId}`;

interface AddEntryDialogProps {
  readonly group: Pick<EntryGroup, 'entry_group_id' | 'title'>;
  readonly write: VaultWrite;
  /** What is filled in already. */
  readonly start?: { readonly title: string; readonly link: string };
  readonly onAdded: (entry: Entry) => void;
  readonly onClose: () => void;
}

const [LOGIN] = BUILT_IN as readonly [Kind, ...Kind[]];

/** A new entry with the fields of a kind; only the title is required. Waits for the group's kinds if the last one was one. */
export function AddEntryDialog(props: AddEntryDialogProps) {
  const { group, write, start } = props;
  const own = useTemplates(group.entry_group_id, write);
  const last = start === undefined ? chosenKinds.in(group.entry_group_id) : undefined;
  const kinds = [...BUILT_IN, ...(own.data ?? []).map(kindOf)];
  const first = last === undefined ? LOGIN : kinds.find(({ id }) => id === last);
  if (first === undefined && own.isPending) return null;
  return <NewEntry {...props} kinds={kinds} first={first ?? LOGIN} />;
}

interface NewEntryProps extends AddEntryDialogProps {
  readonly kinds: readonly Kind[];
  readonly first: Kind;
}

function NewEntry({ group, write, start, kinds, first, onAdded, onClose }: NewEntryProps) {
  const form = useId();
  const [attachTitle, focusTitle] = useFirstFocus();
  const place = keptEntryPlace(group.entry_group_id);
  const kept = useKept<KeptEntry>(place);
  const [title, setTitle] = useState(kept?.title ?? start?.title ?? '');
  /** As it was when chosen: its fields do not change while they are filled in. */
  const [kind, setKind] = useState(kept?.kind ?? first);
  const [drafts, setDrafts] = useState<Drafts>(
    kept?.drafts ?? (start?.link === undefined ? {} : { link: { ...FRESH_DRAFT, link: start.link } }),
  );
  const [marks, setMarks] = useState(() => kept?.marks ?? marksOf(kind));
  const adding = useAddEntry(group.entry_group_id, write);
  const { isBusy, left } = adding;
  const { isStored } = left;
  // The rest renders after the title, so that a slow device shows the dialog soon.
  const isRestDue = useDeferredValue(true, false);
  // A kind that was deleted meanwhile stays chosen.
  const offered = kinds.some(({ id }) => id === kind.id) ? kinds : [...kinds, kind];
  const hasFile = kind.fields.some(({ type, key }) => type === 'file' && (drafts[key]?.file ?? null) !== null);

  const close = () => {
    adding.cancel();
    onClose();
  };
  const hasSecrets = kind.fields.some((one) => isFilled(draftFor(one, drafts)));
  useDraftOverLock(place, {
    // A part that may be stored already is not added twice.
    form: isBusy || isStored ? null : ({ kind, title, drafts: withoutFiles(drafts), marks } satisfies KeptEntry),
    isChanged: hasSecrets,
    hasFile,
    onLocked: hasSecrets ? close : null,
  });
  const send = async (isLast: boolean) => {
    if (isBusy || !areStorable(marks)) return;
    const entry = await adding.submit(title.trim(), { offered: kind.fields, drafts }, marks);
    if (entry === null) return;
    onAdded(entry);
    if (isLast) {
      onClose();
      return;
    }
    setTitle('');
    setDrafts({});
    setMarks(marksOf(kind));
    focusTitle();
  };
  const choose = (next: Kind) => {
    chosenKinds.set(group.entry_group_id, next.id);
    // A chosen icon and date stay.
    setMarks((before) => ({
      ...before,
      ...(before.icon === kind.icon ? { icon: next.icon } : {}),
      ...(before.due_at === '' ? { due_kind: next.due } : {}),
    }));
    setKind(next);
  };
  const change = (key: string, part: Partial<Draft>) =>
    setDrafts((before) => ({ ...before, [key]: { ...FRESH_DRAFT, ...before[key], ...part } }));
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
            isHeld={isBusy && !hasFile}
            submit={TEXTS.addButton}
            submitting={TEXTS.adding}
            isBusy={isBusy}
          />
        </>
      }
    >
      <form id={form} className={styles['form']} onSubmit={submit} noValidate autoComplete="off">
        {adding.problem.length > 0 && <MessageBox tone="danger" lines={adding.problem} />}
        {!isStored && (
          <Select
            label={KINDS.label}
            value={kind.id}
            onChange={(id) => choose(offered.find((one) => one.id === id) ?? LOGIN)}
            options={offered.map(({ id, name }) => ({ value: id, title: name }))}
          />
        )}
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
        {isRestDue &&
          kind.fields.map((field) => (
            <FieldInputs
              key={`${adding.count} ${field.key}`}
              offered={field}
              draft={draftFor(field, drafts)}
              adding={adding}
              onChange={(part) => change(field.key, part)}
            />
          ))}
        {adding.sent !== null && <ProgressBar label={FIELD.adding} value={adding.sent * 100} />}
        {!isStored && isRestDue && (
          <MarkInputs
            title={title}
            marks={marks}
            onChange={(part) => setMarks((before) => ({ ...before, ...part }))}
            write={write}
            {...(kind.dueLabel === undefined ? {} : { dueLabel: kind.dueLabel })}
          />
        )}
      </form>
    </Dialog>
  );
}

const withoutFiles = (drafts: Drafts): Drafts =>
  Object.fromEntries(Object.entries(drafts).map(([key, draft]) => [key, { ...draft, file: null }]));

const marksOf = ({ icon, due }: Kind): EntryMarks => ({ ...NO_MARKS, icon, due_kind: due });

interface FieldInputsProps {
  readonly offered: TemplateField;
  readonly draft: Draft;
  readonly adding: AddEntry;
  readonly onChange: (part: Partial<Draft>) => void;
}

/** The inputs of a field; none once it is saved. */
function FieldInputs({ offered, draft, adding, onChange }: FieldInputsProps) {
  const { key, title, label = title, login, isGiven = false } = offered;
  const errors = adding.errors[key] ?? {};
  if (adding.left.saved.has(key)) return null;
  switch (draft.type) {
    case 'password':
      return (
        <>
          {login !== undefined && (
            <TextField
              label={login}
              value={draft.login}
              onChange={(text) => onChange({ login: text })}
              maxLength={LIMITS.login}
              autoComplete="off"
              error={errors.login}
            />
          )}
          <NewPassword
            label={label}
            isGiven={isGiven}
            value={draft.password}
            onChange={(password) => onChange({ password })}
            error={errors.value}
          />
        </>
      );
    case 'link':
      return (
        <TextField
          label={label}
          value={draft.link}
          onChange={(link) => onChange({ link })}
          type="url"
          autoComplete="off"
          error={errors.value}
        />
      );
    case 'TOTP':
      return <TotpInputs draft={draft} errors={errors} onChange={onChange} isMasked label={label} />;
    case 'note':
      return (
        <TextArea
          label={label}
          value={draft.note}
          onChange={(note) => onChange({ note })}
          rows={3}
          error={errors.value}
        />
      );
    case 'file':
      return (
        <FilePicker
          label={label}
          file={draft.file}
          stored={null}
          onChoose={(file) => onChange({ file })}
          error={errors.file ?? null}
        />
      );
  }
}

interface NewPasswordProps {
  readonly label: string;
  readonly isGiven: boolean;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly error: string | undefined;
}

/** Typed, or generated with the generator below it. */
function NewPassword({ label, isGiven, value, onChange, error }: NewPasswordProps) {
  const [isGenerated, setGenerated] = useState(false);
  const problem = error === undefined ? {} : { error };
  if (isGenerated && !isGiven)
    return <GeneratedPassword label={label} value={value} onChange={onChange} {...problem} />;
  const generate = () => {
    setGenerated(true);
    onChange(generatePassword(DEFAULT_SETTINGS));
  };
  return (
    <div className={styles['kept']}>
      <PasswordField label={label} value={value} onChange={onChange} mono autoComplete="off" {...problem} />
      {!isGiven && (
        <Button variant="secondary" size="sm" icon={<RefreshCw size={16} />} onPress={generate}>
          {TEXTS.generate}
        </Button>
      )}
    </div>
  );
}
