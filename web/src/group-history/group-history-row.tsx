import { ChevronDown, ChevronUp } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { GroupHistory } from '@passwordbroker/core/contract/entities';
import { IconButton } from '@passwordbroker/ui/actions/button';
import { entryAddress } from '../entries/entry-address.ts';
import { PastValue, PastValueVerbs } from '../fields/history/past-value.tsx';
import { usePastValue } from '../fields/history/use-past-value.ts';
import { FieldKind } from '../fields/table/field-kind.tsx';
import { actionOf, actorOf } from '../history/opened.ts';
import { RawRow, Spoken } from '../history/spoken.tsx';
import { formatTime } from '../lib/format.ts';
import { FIELD_HISTORY_TEXTS, FIELD_TEXTS } from '../texts/entries/fields.ts';
import { GROUP_HISTORY_TEXTS as TEXTS } from '../texts/groups/groups.ts';
import { type Sentence, textOf } from '../texts/sentence.ts';
import styles from './group-history.module.css';

interface Props {
  readonly row: GroupHistory;
  /** Title of the child group that has the entry; null for the shown group. */
  readonly childGroup: string | null;
}

/** A sentence in place of the first five columns, then date, value and actions; the stored row on demand. */
export function GroupHistoryRow({ row, childGroup }: Props) {
  const [isOpen, setOpen] = useState(false);
  const sentence = sentenceOf(row, childGroup);
  const details = (
    <IconButton
      label={TEXTS.detailsOf(textOf(sentence))}
      tooltip={TEXTS.details}
      icon={isOpen ? <ChevronUp size={16} /> : <ChevronDown size={16} />}
      align="end"
      isExpanded={isOpen}
      onPress={() => setOpen(!isOpen)}
    />
  );
  return (
    <>
      <div className={styles['row']} role="row">
        <div className={styles['event']} role="cell" aria-colspan={5}>
          <Spoken sentence={sentence} />
          <span className={styles['kind']}>
            <FieldKind type={row.field.type} />
          </span>
        </div>
        <div className={styles['date']} role="cell">
          {formatTime(row.created_at)}
        </div>
        {row.has_value ? (
          <PastValueCells row={row} details={details} />
        ) : (
          <>
            <div className={`${styles['value']} ${styles['none']}`} role="cell">
              {FIELD_HISTORY_TEXTS.noValue}
            </div>
            <div className={styles['verbs']} role="cell">
              {details}
            </div>
          </>
        )}
      </div>
      {isOpen && (
        <div className={styles['raw']} role="row">
          <div role="cell" aria-colspan={8}>
            <RawRow label={TEXTS.raw} members={membersOf(row)} />
          </div>
        </div>
      )}
    </>
  );
}

function sentenceOf(row: GroupHistory, childGroup: string | null): Sentence {
  const { field, event_type, purpose = 'show', via = 'web' } = row;
  const { entry } = field;
  const name = TEXTS.ofField(entry.title, field.title === '' ? FIELD_TEXTS.untitled : field.title);
  const what = { name: childGroup === null ? name : TEXTS.ofField(childGroup, name), to: entryAddress(entry) };
  const who = actorOf(row, TEXTS.removedUser);
  return purpose === 'show' && via === 'web'
    ? TEXTS.says[event_type](who, what)
    : TEXTS.openedBy(who, actionOf(row), what);
}

/** The stored row without its empty members. */
function membersOf({ field, user, ...row }: GroupHistory): [string, string][] {
  const { entry_id, type } = field;
  return Object.entries({ ...row, user_id: user?.user_id, entry_id, type })
    .filter(([, value]) => value !== null && value !== undefined && value !== '')
    .map(([name, value]) => [name, String(value)]);
}

function PastValueCells({ row, details }: Pick<Props, 'row'> & { readonly details: ReactNode }) {
  const { field } = row;
  const past = usePastValue({ entryGroupId: field.entry.entry_group_id, entryId: field.entry_id, field }, row);
  return (
    <>
      <div className={styles['value']} role="cell">
        <PastValue past={past} />
      </div>
      <div className={styles['verbs']} role="cell">
        <PastValueVerbs past={past} />
        {details}
      </div>
    </>
  );
}
