import { Link } from 'react-router';
import type { GroupHistory } from '@passwordbroker/core/contract/entities';
import { entryAddress } from '../entries/entry-address.ts';
import { FieldKind } from '../fields/table/field-kind.tsx';
import { PastValue, PastValueVerbs } from '../fields/history/past-value.tsx';
import { usePastValue } from '../fields/history/use-past-value.ts';
import { formatTime } from '../lib/format.ts';
import { FIELD_HISTORY_TEXTS, FIELD_TEXTS } from '../texts/entries/fields.ts';
import styles from './group-history.module.css';

export function GroupHistoryRow({ groupId, row }: { readonly groupId: string; readonly row: GroupHistory }) {
  const { field } = row;
  return (
    <div className={styles['row']} role="row">
      <div className={styles['entry']} role="cell" title={field.entry.title}>
        <Link to={entryAddress({ entry_group_id: groupId, entry_id: field.entry_id })}>{field.entry.title}</Link>
      </div>
      <div className={styles['field']} role="cell">
        {field.title === '' ? <span className={styles['none']}>{FIELD_TEXTS.untitled}</span> : field.title}
      </div>
      <div className={styles['kind']} role="cell">
        <FieldKind type={field.type} />
      </div>
      <div className={styles['action']} role="cell">
        {row.event_type}
      </div>
      <div className={styles['user']} role="cell">
        {row.user?.name ?? FIELD_HISTORY_TEXTS.removedUser}
      </div>
      <div className={styles['date']} role="cell">
        {formatTime(row.created_at)}
      </div>
      {row.has_value ? (
        <PastValueCells groupId={groupId} row={row} />
      ) : (
        <>
          <div className={`${styles['value']} ${styles['none']}`} role="cell">
            {FIELD_HISTORY_TEXTS.noValue}
          </div>
          <div className={styles['verbs']} role="cell" />
        </>
      )}
    </div>
  );
}

function PastValueCells({ groupId, row }: { readonly groupId: string; readonly row: GroupHistory }) {
  const { field } = row;
  const past = usePastValue({ entryGroupId: groupId, entryId: field.entry_id, field }, row);
  return (
    <>
      <div className={styles['value']} role="cell">
        <PastValue past={past} />
      </div>
      <div className={styles['verbs']} role="cell">
        <PastValueVerbs past={past} />
      </div>
    </>
  );
}
