/** The inputs of a new field by its type. */
import type { Ref } from 'react';
import { TOTP_ALGORITHMS, type TotpAlgorithm } from '@passwordbroker/core/domain/field-kinds';
import { LIMITS } from '@passwordbroker/core/domain/limits';
import { parseTotpSecret } from '@passwordbroker/core/domain/totp';
import { ADD_FIELD_TEXTS as TEXTS, FIELD_TEXTS } from '../texts/fields.ts';
import { ProgressBar } from '../ui/progress-bar.tsx';
import { Select } from '../ui/select.tsx';
import { TextArea } from '../ui/text-area.tsx';
import { TextField } from '../ui/text-field.tsx';
import styles from './add-field-dialog.module.css';
import { FilePicker } from './file-picker.tsx';
import { GeneratedPassword } from './generated-password.tsx';
import { problemOfFile, type Draft, type DraftErrors } from './new-field.ts';

interface Props {
  readonly draft: Draft;
  readonly errors: DraftErrors;
  readonly onChange: (part: Partial<Draft>) => void;
  /** 0 to 1 of a file on its way. */
  readonly sent: number | null;
  readonly titleRef: Ref<HTMLInputElement>;
}

const optional = (error: string | undefined) => (error === undefined ? {} : { error });

export function DraftInputs({ draft, errors, onChange, sent, titleRef }: Props) {
  const title = (
    <TextField
      label={TEXTS.fieldTitle}
      value={draft.title}
      onChange={(text: string) => onChange({ title: text })}
      maxLength={LIMITS.title}
      autoComplete="off"
      ref={titleRef}
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
          <GeneratedPassword
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
          <TotpInputs draft={draft} errors={errors} onChange={onChange} />
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
            rows={5}
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
            onChoose={(file) => onChange({ file })}
            error={errors.file ?? (draft.file === null ? null : problemOfFile(draft.file))}
          />
          {sent !== null && <ProgressBar label={TEXTS.adding} value={sent * 100} />}
        </>
      );
  }
}

function TotpInputs({ draft, errors, onChange }: Omit<Props, 'sent' | 'titleRef'>) {
  /** A pasted otpauth address brings its own algorithm and period along. */
  const read = (secret: string) => {
    const parsed = secret.trim().toLowerCase().startsWith('otpauth:') ? parseTotpSecret(secret) : null;
    onChange({
      secret,
      ...(parsed?.algorithm === undefined ? {} : { algorithm: parsed.algorithm }),
      ...(parsed?.period === undefined ? {} : { period: String(parsed.period) }),
    });
  };
  return (
    <>
      <div className={styles['pair']}>
        <Select
          label={TEXTS.algorithm}
          value={draft.algorithm}
          onChange={(algorithm: string) => onChange({ algorithm: algorithm as TotpAlgorithm })}
          options={TOTP_ALGORITHMS.map((value) => ({ value, title: FIELD_TEXTS.algorithms[value] }))}
        />
        <TextField
          label={TEXTS.timeout}
          value={draft.period}
          onChange={(period: string) => onChange({ period })}
          type="number"
          min={LIMITS.totpPeriodMin}
          max={LIMITS.totpPeriodMax}
          step={1}
          hint={TEXTS.timeoutHint}
          autoComplete="off"
          {...optional(errors.totp_timeout)}
        />
      </div>
      <TextField
        label={TEXTS.secret}
        value={draft.secret}
        onChange={read}
        hint={TEXTS.secretHint}
        mono
        autoComplete="off"
        {...optional(errors.value)}
      />
    </>
  );
}
