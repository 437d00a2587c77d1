/** The value of a field by its kind: masked, opening, shown. File names and sizes are plain; the bytes are saved, not shown. */
import { Download, ExternalLink, Eye, EyeOff } from 'lucide-react';
import type { Field, FileField, PasswordField } from '@passwordbroker/core/contract/entities';
import { formatFileSize } from '@passwordbroker/core/domain/file-size';
import type * as z from 'zod/mini';
import { FIELD_TEXTS as TEXTS } from '../texts/fields.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { ProgressBar } from '../ui/progress-bar.tsx';
import type { Revealed } from '../vault/vault.ts';
import { CopyButton } from './copy-button.tsx';
import styles from './field-table.module.css';
import { Mask, SecretText } from './secret-text.tsx';
import { presentTotp } from './present-totp.ts';
import { TotpCode } from './totp-code.tsx';
import { addressOf, type Copied, type FieldVerbs } from './use-field-verbs.ts';
import { ValueLine } from './value-line.tsx';

interface Props {
  readonly field: Field;
  readonly verbs: FieldVerbs;
}

export function FieldValue({ field, verbs }: Props) {
  switch (field.type) {
    case 'password':
      return <PasswordValue field={field} verbs={verbs} />;
    case 'file':
      return <FileValue field={field} verbs={verbs} />;
    case 'TOTP':
      return <TotpValue field={field} verbs={verbs} />;
    case 'link':
    case 'note':
      return <TextValue field={field} verbs={verbs} />;
  }
}

const countOf = ({ copied }: FieldVerbs, what: Copied) => (copied?.what === what ? copied.count : 0);

function ShowButton({ verbs, labels }: { readonly verbs: FieldVerbs; readonly labels: readonly [string, string] }) {
  const { shown, isOpening } = verbs.secret;
  return (
    <IconButton
      label={shown === null ? labels[0] : labels[1]}
      icon={shown === null ? <Eye size={16} /> : <EyeOff size={16} />}
      busy={isOpening}
      onPress={verbs.toggle}
    />
  );
}

function PasswordValue({ field, verbs }: Props & { readonly field: z.output<typeof PasswordField> }) {
  const { shown } = verbs.secret;
  const login = shown?.login ?? field.login;
  return (
    <>
      <ValueLine
        name={TEXTS.login}
        verbs={
          <CopyButton label={TEXTS.copyLogin} onCopy={() => void verbs.copyLogin()} count={countOf(verbs, 'login')} />
        }
      >
        <span className={styles['value']}>{login === '' ? TEXTS.noLogin : login}</span>
      </ValueLine>
      <ValueLine
        name={TEXTS.password}
        verbs={
          <>
            <ShowButton verbs={verbs} labels={[TEXTS.show, TEXTS.hide]} />
            <CopyButton
              label={TEXTS.copyValue.password}
              onCopy={() => void verbs.copyValue()}
              count={countOf(verbs, 'value')}
            />
          </>
        }
      >
        {shown === null ? (
          <Mask label={TEXTS.hidden(field.title)} />
        ) : (
          <span className={styles['value']} data-secret>
            <SecretText secret={shown.text} />
          </span>
        )}
      </ValueLine>
    </>
  );
}

function TextValue({ field, verbs }: Props & { readonly field: Field & { type: 'link' | 'note' } }) {
  const { shown } = verbs.secret;
  const address = shown === null || field.type === 'note' ? null : addressOf(shown);
  return (
    <ValueLine
      verbs={
        <>
          {address === null ? (
            <ShowButton verbs={verbs} labels={[TEXTS.show, TEXTS.hide]} />
          ) : (
            <IconButton label={TEXTS.openLink} icon={<ExternalLink size={16} />} onPress={() => openLink(address)} />
          )}
          <CopyButton
            label={TEXTS.copyValue[field.type]}
            onCopy={() => void verbs.copyValue()}
            count={countOf(verbs, 'value')}
          />
        </>
      }
    >
      {shown === null && <Mask label={TEXTS.hidden(field.title)} />}
      {shown !== null && field.type === 'note' && (
        <span className={styles['note']} data-secret>
          {shown.text}
        </span>
      )}
      {shown !== null && field.type === 'link' && <LinkText shown={shown} address={address} />}
    </ValueLine>
  );
}

/** What cannot be opened is text; a host in other letters than it is written shows as the browser reads it (M28). */
function LinkText({ shown, address }: { readonly shown: Revealed; readonly address: URL | null }) {
  if (address === null) {
    return (
      <span className={styles['value']} data-secret title={TEXTS.notALink}>
        {shown.text}
      </span>
    );
  }
  const isAsWritten = shown.text.toLowerCase().includes(address.host);
  return (
    <span className={styles['value']} data-secret>
      <a href={address.href} target="_blank" rel="noopener noreferrer">
        {isAsWritten ? shown.text : address.href}
      </a>
    </span>
  );
}

function openLink(address: URL): void {
  window.open(address.href, '_blank', 'noopener,noreferrer');
}

function FileValue({ field, verbs }: Props & { readonly field: z.output<typeof FileField> }) {
  const { saving } = verbs;
  return (
    <>
      <ValueLine
        verbs={
          <IconButton
            label={TEXTS.download}
            icon={<Download size={16} />}
            busy={saving !== null}
            onPress={() => void verbs.save()}
          />
        }
      >
        <span className={styles['value']}>
          {field.file_name} <span className={styles['size']}>{formatFileSize(field.file_size)}</span>
        </span>
      </ValueLine>
      {saving !== null && <ProgressBar label={TEXTS.downloading} value={saving * 100} />}
    </>
  );
}

function TotpValue({ field, verbs }: Props) {
  const { shown } = verbs.secret;
  const totp = shown === null ? null : presentTotp(shown);
  return (
    <ValueLine
      isWide
      verbs={
        <>
          <ShowButton verbs={verbs} labels={[TEXTS.showCode, TEXTS.hideCode]} />
          <CopyButton
            label={TEXTS.copyValue.TOTP}
            onCopy={() => void verbs.copyValue()}
            count={countOf(verbs, 'value')}
          />
          <CopyButton label={TEXTS.copyKey} onCopy={() => void verbs.copyKey()} count={countOf(verbs, 'key')} isKey />
        </>
      }
    >
      {shown === null && <Mask label={TEXTS.hidden(field.title)} />}
      {shown !== null && totp === null && (
        <span className={styles['value']} data-secret>
          {shown.text}
        </span>
      )}
      {totp !== null && <TotpCode totp={totp} />}
    </ValueLine>
  );
}
