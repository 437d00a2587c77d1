import { useRef } from 'react';
import { Plus, X } from 'lucide-react';
import { v7 as newId } from 'uuid';
import type { GroupTemplate } from '@passwordbroker/core/contract/groups/templates';
import { ENTRY_ICONS, type EntryIcon } from '@passwordbroker/core/domain/entry-marks';
import { FIELD_TYPES, type FieldType } from '@passwordbroker/core/domain/fields/field-kinds';
import { LIMITS } from '@passwordbroker/core/domain/limits';
import type { TemplateChange } from '@passwordbroker/client/vault/vault';
import { Button, IconButton } from '@passwordbroker/ui/actions/button';
import { Select } from '@passwordbroker/ui/inputs/select';
import { TextField } from '@passwordbroker/ui/inputs/text-field';
import { ENTRY_TEXTS } from '../../texts/entries/entries.ts';
import { FIELD_TEXTS } from '../../texts/entries/fields.ts';
import { OWN_TEMPLATE_TEXTS as TEXTS, TEMPLATE_TEXTS } from '../../texts/entries/marks.ts';
import styles from './templates.module.css';

export interface DraftField {
  /** Of the row, while the dialog is open. */
  readonly key: string;
  readonly type: FieldType;
  readonly title: string;
  /** What the login of a password is called; '' means none. */
  readonly login: string;
  /** Added by the person, so its title gets the focus. */
  readonly isAdded?: boolean;
}

export const isBlank = (text: string) => text.trim() === '';

const { fields: NAMES } = TEMPLATE_TEXTS;
const PASSWORD = { type: 'password', title: NAMES.password, login: NAMES.login } as const;

export interface DraftTemplate {
  readonly name: string;
  /** '' means none. */
  readonly icon: EntryIcon | '';
  readonly fields: readonly DraftField[];
}

/** @param template null: a new one, which begins with a password */
export const draftOf = (template: GroupTemplate | null): DraftTemplate => ({
  name: template?.name ?? '',
  icon: ENTRY_ICONS.find((one) => one === template?.icon) ?? '',
  fields: (template?.fields ?? [PASSWORD]).map((field) => ({ ...field, login: field.login ?? '', key: newId() })),
});

/** As the server takes it. */
export const changeOf = ({ name, icon, fields }: DraftTemplate): TemplateChange => ({
  name: name.trim(),
  icon,
  fields: fields.map(({ type, title, login }) => ({
    type,
    title: title.trim(),
    ...(type !== 'password' || isBlank(login) ? {} : { login: login.trim() }),
  })),
});

interface Props {
  readonly fields: readonly DraftField[];
  readonly onChange: (fields: readonly DraftField[]) => void;
  /** Blank titles are marked. */
  readonly isChecked: boolean;
}

/** The fields of a kind of entry, in order; by keyboard too. */
export function TemplateFields({ fields, onChange, isChecked }: Props) {
  const add = useRef<HTMLButtonElement>(null);
  const change = (key: string, part: Partial<DraftField>) =>
    onChange(fields.map((field) => (field.key === key ? { ...field, ...part } : field)));
  const remove = (key: string) => {
    // The pressed button disappears.
    add.current?.focus();
    onChange(fields.filter((field) => field.key !== key));
  };
  return (
    <>
      {fields.map((field, at) => (
        <FieldRow
          key={field.key}
          field={field}
          number={at + 1}
          isChecked={isChecked}
          onChange={(part) => change(field.key, part)}
          onRemove={fields.length === 1 ? null : () => remove(field.key)}
        />
      ))}
      <div>
        <Button
          size="sm"
          icon={<Plus size={14} />}
          ref={add}
          whyNot={fields.length >= LIMITS.templateFields ? TEXTS.fieldCount : null}
          onPress={() => onChange([...fields, { key: newId(), type: 'note', title: '', login: '', isAdded: true }])}
        >
          {TEXTS.addField}
        </Button>
      </div>
    </>
  );
}

interface RowProps {
  readonly field: DraftField;
  readonly number: number;
  readonly isChecked: boolean;
  readonly onChange: (part: Partial<DraftField>) => void;
  /** null: it is the only one. */
  readonly onRemove: (() => void) | null;
}

function FieldRow({ field, number, isChecked, onChange, onRemove }: RowProps) {
  return (
    <div className={styles['field']} role="group" aria-label={TEXTS.field(number)}>
      <Select
        label={TEXTS.type}
        value={field.type}
        onChange={(type) => onChange({ type: FIELD_TYPES.find((one) => one === type) ?? 'note' })}
        options={FIELD_TYPES.map((value) => ({ value, title: FIELD_TEXTS.kinds[value] }))}
      />
      {onRemove !== null && (
        <IconButton label={TEXTS.removeField(number)} icon={<X size={16} />} align="end" onPress={onRemove} />
      )}
      <div className={styles['fieldTexts']}>
        <TextField
          label={ENTRY_TEXTS.title}
          value={field.title}
          onChange={(text) => onChange({ title: text })}
          autoFocus={field.isAdded === true}
          maxLength={LIMITS.title}
          autoComplete="off"
          error={isChecked && isBlank(field.title) ? ENTRY_TEXTS.titleMissing : null}
        />
        {field.type === 'password' && (
          <TextField
            label={TEXTS.login}
            value={field.login}
            onChange={(text) => onChange({ login: text })}
            maxLength={LIMITS.title}
            autoComplete="off"
            hint={TEXTS.loginHint}
          />
        )}
      </div>
    </div>
  );
}
