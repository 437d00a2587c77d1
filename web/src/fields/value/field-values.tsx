import { FIELD_TEXTS as TEXTS } from '../../texts/entries/fields.ts';
import { CopyButton } from './copy-button.tsx';
import styles from './field-value.module.css';
import { Mask, SecretText } from './secret-text.tsx';
import { ExternalLink, Download, Eye, EyeOff } from 'lucide-react';
import { openableLink, readableLink } from '@passwordbroker/core/domain/fields/link';
import { ScrolledText } from '@passwordbroker/ui/display/scrolled-text';
import { formatFileSize } from '@passwordbroker/core/domain/fields/file-size';
import { IconButton } from '@passwordbroker/ui/actions/button';
import { ProgressBar } from '@passwordbroker/ui/feedback/progress-bar';
import type { ReactNode } from 'react';
import type { FieldVerbs, Copied } from './use-field-verbs.ts';
import type { Field } from '@passwordbroker/core/contract/entities';
import type { FieldType } from '@passwordbroker/core/domain/fields/field-kinds';

export function PasswordValue({ field, verbs }: ValueProps<'password'>) {
  const { shown } = verbs.secret;
  const login = shown?.login ?? field.login;
  return (
    <>
      <ValueLine
        name={TEXTS.login}
        verbs={
          <CopyButton label={TEXTS.copyLogin} onCopy={() => void verbs.copyLogin()} count={copiesOf(verbs, 'login')} />
        }
      >
        <span className={styles['value']}>{login === '' ? TEXTS.noLogin : login}</span>
      </ValueLine>
      <ValueLine
        name={TEXTS.password}
        verbs={
          <>
            <ShowButton verbs={verbs} labels={TEXTS} />
            <CopyButton
              label={TEXTS.copyValue.password}
              onCopy={() => void verbs.copyValue()}
              count={copiesOf(verbs, 'value')}
            />
          </>
        }
      >
        {shown === null ? (
          <Mask label={TEXTS.copyHidden(field.title)} onCopy={() => void verbs.copyValue()} />
        ) : (
          <span className={styles['value']} data-secret>
            <SecretText secret={shown.text} />
          </span>
        )}
      </ValueLine>
    </>
  );
}

/** A link or a note. An unsafe address stays text. */
export function TextValue({ field, verbs }: ValueProps<'link' | 'note'>) {
  const { shown } = verbs.secret;
  const address = shown === null || field.type === 'note' ? null : openableLink(shown.text);
  return (
    <ValueLine
      verbs={
        <>
          <ShowButton verbs={verbs} labels={TEXTS} />
          <CopyButton
            label={TEXTS.copyValue[field.type]}
            onCopy={() => void verbs.copyValue()}
            count={copiesOf(verbs, 'value')}
          />
          {field.type === 'link' && (
            <IconButton
              label={TEXTS.openLink}
              icon={<ExternalLink size={16} />}
              onPress={() => void verbs.openLink()}
            />
          )}
        </>
      }
    >
      {shown === null && <Mask label={TEXTS.copyHidden(field.title)} onCopy={() => void verbs.copyValue()} />}
      {shown !== null && field.type === 'note' && (
        <>
          <span className={styles['name']}>{TEXTS.lines(shown.text.split('\n').length)}</span>
          <ScrolledText label={TEXTS.longValue(field.title)} className={styles['note']} isSecret>
            {shown.text}
          </ScrolledText>
        </>
      )}
      {shown !== null && field.type === 'link' && <LinkText text={shown.text} address={address} />}
    </ValueLine>
  );
}

/** Shows the host as the browser reads it if it is spelled differently (M28). */
function LinkText({ text, address }: { readonly text: string; readonly address: URL | null }) {
  if (address === null) {
    return (
      <span className={styles['value']} data-secret title={TEXTS.notALink}>
        {text}
      </span>
    );
  }
  return (
    <span className={styles['value']} data-secret>
      <a href={address.href} target="_blank" rel="noopener noreferrer">
        {readableLink(text, address)}
      </a>
    </span>
  );
}

export function FileValue({ field, verbs }: ValueProps<'file'>) {
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

interface Props {
  readonly name?: string;
  readonly children: ReactNode;
  readonly verbs: ReactNode;
}

export function ValueLine({ name, children, verbs }: Props) {
  return (
    <div className={styles['line']} data-named={name !== undefined || undefined}>
      {name !== undefined && <span className={styles['name']}>{name}</span>}
      {children}
      <span className={styles['verbs']}>{verbs}</span>
    </div>
  );
}

interface ShowButtonProps {
  readonly verbs: FieldVerbs;
  readonly labels: { readonly show: string; readonly hide: string };
}

export function ShowButton({ verbs, labels }: ShowButtonProps) {
  const { shown, isOpening } = verbs.secret;
  return (
    <IconButton
      label={shown === null ? labels.show : labels.hide}
      icon={shown === null ? <Eye size={16} /> : <EyeOff size={16} />}
      busy={isOpening}
      onPress={verbs.toggle}
    />
  );
}

export interface ValueProps<Type extends FieldType = FieldType> {
  readonly field: Extract<Field, { type: Type }>;
  readonly verbs: FieldVerbs;
}

/** How often this part of the value was copied. A new number shows the 'copied' tag again. */
export const copiesOf = ({ copied }: FieldVerbs, what: Copied) => (copied?.what === what ? copied.count : 0);
