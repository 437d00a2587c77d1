import { useId, type FormEvent, type ReactNode, useState } from 'react';
import { Dialog, firstFocus, FormVerbs } from '@passwordbroker/ui/overlays/dialog';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import styles from './field-form.module.css';
import { useLimits } from '../../admin/settings/use-settings.ts';
import { LIMITS } from '@passwordbroker/core/domain/limits';
import { ADD_FIELD_TEXTS as TEXTS, EDIT_FIELD_TEXTS } from '../../texts/entries/fields.ts';
import { ProgressBar } from '@passwordbroker/ui/feedback/progress-bar';
import { TextArea } from '@passwordbroker/ui/inputs/text-area';
import { TextField, PasswordField } from '@passwordbroker/ui/inputs/text-field';
import type { Revealed } from '@passwordbroker/client/vault/vault';
import { GeneratedPassword } from '../generator/generated-password.tsx';
import { type Draft, type DraftErrors, fileTooLarge } from './new-field.ts';
import { TotpInputs } from '../totp/totp-inputs.tsx';
import { File as FileGlyph, Upload, RefreshCw, Undo2 } from 'lucide-react';
import { formatFileSize } from '@passwordbroker/core/domain/fields/file-size';
import { FileDrop } from '@passwordbroker/ui/inputs/file-drop';
import { type SiteMode, siteModesOf } from '@passwordbroker/core/domain/sites/site-rules';
import { useRegistrableDomain } from '../../sites/use-registrable-domain.ts';
import { Select } from '@passwordbroker/ui/inputs/select';
import { generatePassword } from '@passwordbroker/core/domain/fields/password-generator';
import { Button } from '@passwordbroker/ui/actions/button';
import { DEFAULT_SETTINGS } from '@passwordbroker/core/domain/fields/generator-settings';

interface Props {
  readonly title: string;
  readonly subtitle: string;
  readonly cancel: string;
  readonly submit: string;
  readonly submitting: string;
  readonly isBusy: boolean;
  /** Whether a running upload can be cancelled. */
  readonly canStop: boolean;
  /** An error of no single input. */
  readonly problem: string | undefined;
  readonly onSubmit: () => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

export function FieldFormDialog(props: Props) {
  const { title, subtitle, cancel, submit, submitting, isBusy, canStop, problem, onSubmit, onClose, children } = props;
  const form = useId();
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (!isBusy) onSubmit();
  };
  return (
    <Dialog
      title={title}
      subtitle={subtitle}
      size="md"
      onClose={onClose}
      isBusy={isBusy}
      footer={
        <FormVerbs
          form={form}
          cancel={cancel}
          onCancel={onClose}
          isHeld={isBusy && !canStop}
          submit={submit}
          submitting={submitting}
          isBusy={isBusy}
        />
      }
    >
      <form id={form} className={styles['form']} onSubmit={send} noValidate autoComplete="off">
        {problem !== undefined && <MessageBox tone="danger" lines={[problem]} />}
        {children}
      </form>
    </Dialog>
  );
}

interface DraftInputsProps {
  readonly draft: Draft;
  readonly errors: DraftErrors;
  readonly onChange: (part: Partial<Draft>) => void;
  /** Upload progress from 0 to 1, or null. */
  readonly sent: number | null;
  /** The stored value of an edited field. Its secrets stay masked until shown. */
  readonly present?: Revealed;
}

const optional = (error: string | undefined) => (error === undefined ? {} : { error });

export function DraftInputs({ draft, errors, onChange, sent, present }: DraftInputsProps) {
  const isEdited = present !== undefined;
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
          {isEdited ? (
            <KeptPassword
              stored={present.text}
              value={draft.password}
              onChange={(password) => onChange({ password })}
              {...optional(errors.value)}
            />
          ) : (
            <GeneratedPassword
              value={draft.password}
              onChange={(password) => onChange({ password })}
              {...optional(errors.value)}
            />
          )}
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
          <OfferOnSites draft={draft} onChange={onChange} />
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
            error={errors.file ?? null}
          />
          {sent !== null && <ProgressBar label={TEXTS.adding} value={sent * 100} />}
        </>
      );
  }
}

/** Where the link may be offered; nothing unless it is a web address. */
function OfferOnSites({ draft, onChange }: Pick<DraftInputsProps, 'draft' | 'onChange'>) {
  const possible = siteModesOf(draft.link);
  const chosen = draft.siteMode ?? draft.formerLink.rules?.[0]?.mode;
  const domain = useRegistrableDomain(possible.includes('domain') ? new URL(draft.link).hostname : null);
  if (possible.length === 0) return null;
  const { hostname, host, pathname } = new URL(draft.link);
  // A public suffix is no domain of one owner.
  const modes = possible.filter((mode) => mode !== 'domain' || domain !== null || chosen === mode);
  const titles: Readonly<Record<SiteMode, string>> = {
    host: TEXTS.thisHost(hostname),
    domain: TEXTS.wholeDomain(domain ?? '').trim(),
    prefix: TEXTS.thisAndBelow(`${host}${pathname}`),
    never: TEXTS.nowhere,
  };
  return (
    <Select
      label={TEXTS.offerOnSites}
      hint={TEXTS.offerHint}
      value={modes.find((mode) => mode === chosen) ?? 'host'}
      onChange={(value) => onChange({ siteMode: modes.find((mode) => mode === value) ?? null })}
      options={modes.map((mode) => ({ value: mode, title: titles[mode] }))}
    />
  );
}

interface FilePickerProps {
  /** Default: 'File'. */
  readonly label?: string;
  readonly file: File | null;
  /** The stored file of an edited field. It stays until another is chosen. */
  readonly stored: { readonly name: string; readonly size: number } | null;
  readonly error: string | null;
  readonly onChoose: (file: File) => void;
}

/** A file above the site's limit is not taken. */
export function FilePicker({ label = TEXTS.file, file, stored, error, onChoose }: FilePickerProps) {
  const limit = useFileLimit();
  const [refused, setRefused] = useState<string | null>(null);
  const choose = (chosen: File) => {
    const isTaken = chosen.size <= limit;
    setRefused(isTaken ? null : fileTooLarge(limit));
    if (isTaken) onChoose(chosen);
  };
  const present = file ?? stored;
  const kept = file === null ? `. ${EDIT_FIELD_TEXTS.fileKept}` : '';
  return (
    <FileDrop
      label={label}
      prompt={{
        text: TEXTS.dropFile,
        choose: TEXTS.chooseFile,
        hint: TEXTS.fileLimit(formatFileSize(limit)),
      }}
      icon={present === null ? <Upload size={16} /> : <FileGlyph size={16} />}
      chosen={present === null ? null : { name: present.name, hint: `${formatFileSize(present.size)}${kept}` }}
      replace={TEXTS.replaceFile}
      error={refused ?? error ?? (file !== null && file.size > limit ? fileTooLarge(limit) : null)}
      onFiles={([first]) => choose(first)}
    />
  );
}

/** Bytes. Until the site's limit is known, the highest that a site can have. */
function useFileLimit(): number {
  const { data } = useLimits();
  return data === undefined ? LIMITS.fileBytes : data.file_mib * 1024 * 1024;
}

interface KeptPasswordProps {
  readonly stored: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly error?: string;
}

/** Password of an edited field: masked, can be typed over or replaced by a generated one. */
function KeptPassword({ stored, value, onChange, error }: KeptPasswordProps) {
  /** The password before generating, for undo; the form may begin with a generated one. */
  const [kept, setKept] = useState<string | null>(value === stored ? null : stored);
  if (kept === null) {
    const generate = () => {
      setKept(value);
      onChange(generatePassword(DEFAULT_SETTINGS));
    };
    return (
      <div className={styles['kept']}>
        <PasswordField label={TEXTS.value} value={value} onChange={onChange} mono autoComplete="off" error={error} />
        <Button variant="ghost" size="sm" icon={<RefreshCw size={16} />} onPress={generate}>
          {EDIT_FIELD_TEXTS.generate}
        </Button>
      </div>
    );
  }
  const keep = () => {
    onChange(kept);
    setKept(null);
  };
  return (
    <div className={styles['kept']}>
      <GeneratedPassword value={value} onChange={onChange} {...(error === undefined ? {} : { error })} />
      <Button variant="ghost" size="sm" icon={<Undo2 size={16} />} onPress={keep}>
        {EDIT_FIELD_TEXTS.keepPassword}
      </Button>
    </div>
  );
}
