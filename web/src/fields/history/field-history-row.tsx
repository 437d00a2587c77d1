import { RotateCcw } from 'lucide-react';
import type { FieldHistory } from '@passwordbroker/core/contract/entities';
import { formatTime } from '../../lib/format.ts';
import { FIELD_HISTORY_TEXTS as TEXTS } from '../../texts/entries/fields.ts';
import { IconButton } from '@passwordbroker/ui/actions/icon-button';
import type { FieldPath } from '@passwordbroker/client/vault/vault';
import styles from './field-history-dialog.module.css';
import { PastValue, PastValueVerbs } from './past-value.tsx';
import { usePastValue } from './use-past-value.ts';
import type { useRestoreRevision } from './use-restore-revision.ts';

export type Restoring = ReturnType<typeof useRestoreRevision>;

interface Props {
  readonly path: FieldPath;
  readonly row: FieldHistory;
  /** null if the person may only read. */
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
  const isPast = row.rev !== null && row.rev < path.field.rev;
  return (
    <>
      <div className={styles['value']} role="cell">
        <PastValue past={past} />
      </div>
      <div className={styles['verbs']} role="cell">
        <PastValueVerbs past={past} />
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
