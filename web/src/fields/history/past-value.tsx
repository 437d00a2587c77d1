import { Download, Eye, EyeOff } from 'lucide-react';
import { formatFileSize } from '@passwordbroker/core/domain/fields/file-size';
import { FIELD_HISTORY_TEXTS as TEXTS, FIELD_TEXTS } from '../../texts/entries/fields.ts';
import { IconButton } from '@passwordbroker/ui/actions/button';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { ProgressBar } from '@passwordbroker/ui/feedback/progress-bar';
import { ScrolledText } from '@passwordbroker/ui/display/scrolled-text';
import type { Revealed } from '@passwordbroker/client/vault/vault';
import { CopyButton } from '../value/copy-button.tsx';
import styles from './past-value.module.css';
import { disagreementLines } from '../value/use-field-verbs.ts';
import { Mask, SecretText } from '../value/secret-text.tsx';
import type { PastValue as Past } from './use-past-value.ts';

/** Value of a history row, for the history of a field and of a group. */
export function PastValue({ past }: { readonly past: Past }) {
  const { title, type, secret, file, problem } = past;
  const { shown } = secret;
  const opened = secret.opened ?? file.saved;
  return (
    <>
      {shown !== null && <PastText title={title} shown={shown} />}
      {shown === null && type === 'file' && <Mask label={FIELD_TEXTS.hidden(title)} />}
      {shown === null && type !== 'file' && (
        <Mask label={FIELD_TEXTS.copyHidden(title)} onCopy={() => void past.copy()} />
      )}
      {file.saving !== null && <ProgressBar label={FIELD_TEXTS.downloading} value={file.saving * 100} />}
      {problem !== null && <MessageBox tone="danger" lines={[problem]} />}
      {opened !== null && opened.disagreements.length > 0 && (
        <MessageBox tone="warning" lines={disagreementLines(opened)} />
      )}
    </>
  );
}

function PastText({ title, shown }: { readonly title: string; readonly shown: Revealed }) {
  const { type, text, file, login } = shown;
  return (
    <ScrolledText label={FIELD_TEXTS.longValue(title)} className={styles['shown']} isSecret>
      {type === 'password' && login !== null && login !== '' && (
        <span className={styles['login']}>{TEXTS.withLogin(login)}</span>
      )}
      {type === 'password' ? <SecretText secret={text} /> : text}
      {file !== null && `${file.name}, ${formatFileSize(file.size)}`}
    </ScrolledText>
  );
}

export function PastValueVerbs({ past }: { readonly past: Past }) {
  const { type, secret, copies, file } = past;
  const isShown = secret.shown !== null;
  return (
    <>
      <IconButton
        label={isShown ? FIELD_TEXTS.hide : FIELD_TEXTS.show}
        icon={isShown ? <EyeOff size={16} /> : <Eye size={16} />}
        busy={secret.isOpening}
        align="end"
        onPress={past.toggle}
      />
      {type === 'file' ? (
        <IconButton
          label={FIELD_TEXTS.download}
          icon={<Download size={16} />}
          busy={file.saving !== null}
          align="end"
          onPress={() => void file.save()}
        />
      ) : (
        <CopyButton label={TEXTS.copyValue} onCopy={() => void past.copy()} count={copies} />
      )}
    </>
  );
}
