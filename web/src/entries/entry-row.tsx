/** One entry: its row, and below it, once opened, the fields. */
import { useId, type KeyboardEvent } from 'react';
import { ChevronRight } from 'lucide-react';
import type { Entry } from '@passwordbroker/core/contract/entities';
import type { Role } from '@passwordbroker/core/domain/policy';
import { FieldTable } from '../fields/field-table.tsx';
import { formatTime } from '../lib/format.ts';
import { ENTRY_TEXTS as TEXTS } from '../texts/entries.ts';
import styles from './entries-table.module.css';
import { Spacer } from './spacer.tsx';

interface Props {
  readonly entry: Entry;
  readonly role: Role;
  readonly index: number;
  /** Pixels that are not drawn above this row. */
  readonly gapBefore: number;
  readonly isOpen: boolean;
  readonly onToggle: (id: string) => void;
  /** A key on the title. */
  readonly onKey: (event: KeyboardEvent, index: number) => void;
  readonly measure: (element: HTMLElement | null) => void;
}

export function EntryRow({ entry, role, index, gapBefore, isOpen, onToggle, onKey, measure }: Props) {
  const fields = useId();
  return (
    <>
      {gapBefore > 0 && <Spacer height={gapBefore} />}
      <div ref={measure} data-index={index} role="presentation">
        <div className={styles['row']} role="row" aria-rowindex={index + 2}>
          <div className={styles['titleCell']} role="cell">
            <button
              type="button"
              className={styles['title']}
              data-entry-title
              aria-expanded={isOpen}
              aria-controls={isOpen ? fields : undefined}
              onClick={() => onToggle(entry.entry_id)}
              onKeyDown={(event) => onKey(event, index)}
            >
              <ChevronRight className={styles['chevron']} size={12} aria-hidden="true" />
              <span className={styles['text']} title={entry.title}>
                {entry.title}
                <span className={styles['under']}>{TEXTS.updated(formatTime(entry.updated_at))}</span>
              </span>
            </button>
          </div>
          <div className={`${styles['date']} ${styles['created']}`} role="cell">
            {formatTime(entry.created_at)}
          </div>
          <div className={styles['date']} role="cell">
            {formatTime(entry.updated_at)}
          </div>
        </div>
        {isOpen && (
          <div role="row" id={fields}>
            <div className={styles['fields']} role="cell" aria-colspan={3}>
              <FieldTable entry={entry} role={role} />
            </div>
          </div>
        )}
      </div>
    </>
  );
}
