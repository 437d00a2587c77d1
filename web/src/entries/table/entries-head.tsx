import { ArrowDown, ArrowUp } from 'lucide-react';
import { BULK_TEXTS, ENTRY_TEXTS as TEXTS } from '../../texts/entries/entries.ts';
import { Checkbox } from '@passwordbroker/ui/inputs/checkbox';
import styles from './entries-table.module.css';
import { ENTRY_COLUMNS, type EntryColumn, type EntryOrder } from './entry-order.ts';
import { ChoiceCell } from './entry-row.tsx';
import type { EntrySelection } from './use-selection.ts';

interface Props {
  readonly order: EntryOrder;
  readonly onOrder: (column: EntryColumn) => void;
  readonly selection: EntrySelection | null;
}

export function EntriesHead({ order, onOrder, selection }: Props) {
  return (
    <div role="rowgroup">
      <div className={`${styles['row']} ${styles['head']}`} role="row" aria-rowindex={1}>
        {selection !== null && (
          <ChoiceCell isHead>
            <SelectAll selection={selection} />
          </ChoiceCell>
        )}
        {ENTRY_COLUMNS.map((column) => (
          <div
            key={column}
            role="columnheader"
            className={column === 'created_at' ? styles['created'] : undefined}
            {...(column === order.column ? { 'aria-sort': order.isDescending ? 'descending' : 'ascending' } : {})}
          >
            <button type="button" className={styles['sort']} onClick={() => onOrder(column)}>
              {TEXTS.columns[column]}
              {column === order.column && <Arrow isDescending={order.isDescending} />}
            </button>
          </div>
        ))}
        <div role="columnheader">
          <span className="visually-hidden">{TEXTS.actions}</span>
        </div>
      </div>
    </div>
  );
}

export function SelectAll({ selection }: { readonly selection: EntrySelection }) {
  const { chosen, isAll, verbs } = selection;
  return (
    <Checkbox
      isSelected={isAll}
      isIndeterminate={chosen.size > 0 && !isAll}
      onChange={isAll ? verbs.none : verbs.all}
      label={BULK_TEXTS.selectAllEntries}
    />
  );
}

function Arrow({ isDescending }: { readonly isDescending: boolean }) {
  const Icon = isDescending ? ArrowDown : ArrowUp;
  return <Icon size={12} aria-hidden="true" />;
}
