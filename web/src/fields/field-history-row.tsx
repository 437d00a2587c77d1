/** One thing that happened to a field, with the value that was written then. */
import { Eye, EyeOff, RotateCcw } from 'lucide-react';
import type { FieldHistory } from '@passwordbroker/core/contract/entities';
import { formatFileSize } from '@passwordbroker/core/domain/file-size';
import { formatTime } from '../lib/format.ts';
import { FIELD_HISTORY_TEXTS as TEXTS, FIELD_TEXTS } from '../texts/fields.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { MessageBox } from '../ui/message-box.tsx';
import { ScrolledText } from '../ui/scrolled-text.tsx';
import type { FieldPath, Revealed } from '../vault/vault.ts';
import { CopyButton } from './copy-button.tsx';
import styles from './field-history-dialog.module.css';
import { Mask, SecretText } from './secret-text.tsx';
import { disagreementLines } from './sealed-lines.ts';
import { usePastValue } from './use-past-value.ts';
import type { useRestoreRevision } from './use-restore-revision.ts';

export type Restoring = ReturnType<typeof useRestoreRevision>;

interface Props {
  readonly path: FieldPath;
  readonly row: FieldHistory;
  /** null: this person may only read. */
  readonly restoring: Restoring | null;
}

export function FieldHistoryRow({ path, row, restoring }: Props) {
  return (
    <div className={styles['row']} role="row">
      <div role="cell">{row.event_type}</div>
      <div className={styles['user']} role="cell">
        {row.user?.name ?? TEXTS.removedUser}
      </div>
      <div className={styles['date']} role="cell">
        {formatTime(row.created_at)}
      </div>
      {row.has_value ? (
        <PastValueCells path={path} row={row} restoring={restoring} />
      ) : (
        <div className={styles['none']} role="cell" aria-colspan={2}>
          {TEXTS.noValue}
        </div>
      )}
    </div>
  );
}

function PastValueCells({ path, row, restoring }: Props) {
  const past = usePastValue(path, row);
  const { title, type, rev } = path.field;
  const { shown, opened } = past.secret;
  const isPast = row.rev !== null && row.rev < rev;
  return (
    <>
      <div className={styles['value']} role="cell">
        {shown === null && <Mask label={FIELD_TEXTS.hidden(title)} />}
        {shown !== null && <PastText title={title} shown={shown} />}
        {past.problem !== null && <MessageBox tone="danger" lines={[past.problem]} />}
        {opened !== null && opened.disagreements.length > 0 && (
          <MessageBox tone="warning" lines={disagreementLines(opened)} />
        )}
      </div>
      <div className={styles['verbs']} role="cell">
        <IconButton
          label={shown === null ? FIELD_TEXTS.show : FIELD_TEXTS.hide}
          icon={shown === null ? <Eye size={16} /> : <EyeOff size={16} />}
          busy={past.secret.isOpening}
          align="end"
          onPress={past.toggle}
        />
        {type !== 'file' && <CopyButton label={TEXTS.copyValue} onCopy={() => void past.copy()} count={past.copies} />}
        {restoring !== null && isPast && (
          <IconButton
            label={TEXTS.restore}
            icon={<RotateCcw size={16} />}
            align="end"
            busy={restoring.running === row.field_edit_log_id}
            isDisabled={restoring.running !== null}
            onPress={() => void restoring.restore(row)}
          />
        )}
      </div>
    </>
  );
}

/** Title and login of that time with it, where they matter; of a file what it was called. */
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
