import { LIMITS } from '@passwordbroker/core/domain/limits';
import { ADD_FIELD_TEXTS as TEXTS } from '../../texts/entries/fields.ts';
import { firstFocus } from '@passwordbroker/ui/inputs/first-focus';
import { ProgressBar } from '@passwordbroker/ui/feedback/progress-bar';
import { TextArea } from '@passwordbroker/ui/inputs/text-area';
import { TextField } from '@passwordbroker/ui/inputs/text-field';
import type { Revealed } from '@passwordbroker/client/vault/vault';
import styles from './field-form.module.css';
import { FilePicker } from '../file/file-picker.tsx';
import { GeneratedPassword } from '../generator/generated-password.tsx';
import { KeptPassword } from '../generator/kept-password.tsx';
import { problemOfFile, type Draft, type DraftErrors } from './new-field.ts';
import { TotpInputs } from '../totp/totp-inputs.tsx';

interface Props {
  readonly draft: Draft;
  readonly errors: DraftErrors;
  readonly onChange: (part: Partial<Draft>) => void;
  /** Upload progress from 0 to 1, or null. */
  readonly sent: number | null;
  /** The stored value of an edited field. Its secrets stay masked until shown. */
  readonly present?: Revealed;
}

const optional = (error: string | undefined) => (error === undefined ? {} : { error });

export function DraftInputs({ draft, errors, onChange, sent, present }: Props) {
  const isEdited = present !== undefined;
  const Password = isEdited ? KeptPassword : GeneratedPassword;
  const title = (
    <TextField
      label={TEXTS.fieldTitle}
      value={draft.title}
      onChange={(text: string) => onChange({ title: text })}
      maxLength={LIMITS.title}
      autoComplete="off"
      ref={firstFocus}
      {...optional(errors.title)}
    />
  );
  switch (draft.type) {
    case 'password':
      return (
        <>
          <div className={styles['pair']}>
            {title}
            <TextField
              label={TEXTS.login}
              value={draft.login}
              onChange={(login: string) => onChange({ login })}
              maxLength={LIMITS.login}
              autoComplete="off"
              {...optional(errors.login)}
            />
          </div>
          <Password
            value={draft.password}
            onChange={(password) => onChange({ password })}
            {...optional(errors.value)}
          />
        </>
      );
    case 'TOTP':
      return (
        <>
          {title}
          <TotpInputs draft={draft} errors={errors} onChange={onChange} isMasked={isEdited} />
        </>
      );
    case 'link':
      return (
        <>
          {title}
          <TextField
            label={TEXTS.value}
            value={draft.link}
            onChange={(link: string) => onChange({ link })}
            type="url"
            autoComplete="off"
            {...optional(errors.value)}
          />
        </>
      );
    case 'note':
      return (
        <>
          {title}
          <TextArea
            label={TEXTS.value}
            value={draft.note}
            onChange={(note: string) => onChange({ note })}
            rows={isEdited ? 10 : 5}
            {...optional(errors.value)}
          />
        </>
      );
    case 'file':
      return (
        <>
          {title}
          <FilePicker
            file={draft.file}
            stored={present?.file ?? null}
            onChoose={(file) => onChange({ file })}
            error={errors.file ?? (draft.file === null ? null : problemOfFile(draft.file))}
          />
          {sent !== null && <ProgressBar label={TEXTS.adding} value={sent * 100} />}
        </>
      );
  }
}
