/** A value as it was written then, masked until it is shown; opened through the envelope of its own revision and witnessed. */
import { Eye, EyeOff } from 'lucide-react';
import type { GroupHistory } from '@passwordbroker/core/contract/entities';
import { CopyButton } from '../fields/copy-button.tsx';
import { disagreementLines } from '../fields/sealed-lines.ts';
import { Mask, SecretText } from '../fields/secret-text.tsx';
import { usePastValue } from '../fields/use-past-value.ts';
import { FIELD_HISTORY_TEXTS, FIELD_TEXTS } from '../texts/fields.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { MessageBox } from '../ui/message-box.tsx';
import styles from './group-history.module.css';

export function PastValueCells({ groupId, row }: { readonly groupId: string; readonly row: GroupHistory }) {
  const { field } = row;
  const past = usePastValue({ entryGroupId: groupId, entryId: field.entry_id, field }, row);
  const { shown, opened, isOpening } = past.secret;
  return (
    <>
      <div className={styles['value']} role="cell">
        {shown === null ? (
          <Mask label={FIELD_TEXTS.hidden(field.title)} />
        ) : (
          <span className={styles['shown']} data-secret>
            {field.type === 'password' ? <SecretText secret={shown.text} /> : shown.text}
          </span>
        )}
        {past.problem !== null && <MessageBox tone="danger" lines={[past.problem]} />}
        {opened !== null && opened.disagreements.length > 0 && (
          <MessageBox tone="warning" lines={disagreementLines(opened)} />
        )}
      </div>
      <div className={styles['verbs']} role="cell">
        <IconButton
          label={shown === null ? FIELD_TEXTS.show : FIELD_TEXTS.hide}
          icon={shown === null ? <Eye size={16} /> : <EyeOff size={16} />}
          busy={isOpening}
          align="end"
          onPress={past.toggle}
        />
        <CopyButton label={FIELD_HISTORY_TEXTS.copyValue} onCopy={() => void past.copy()} count={past.copies} />
      </div>
    </>
  );
}
