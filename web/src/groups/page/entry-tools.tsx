import { ArrowDownUp, FolderPlus, Plus, FolderInput, Trash2, Upload } from 'lucide-react';
import type { ReactNode } from 'react';
import { SelectAll } from '../../entries/table/entries-table.tsx';
import { ENTRY_COLUMNS, type EntryColumn, type EntryOrder } from '../../entries/table/entry-order.ts';
import type { EntrySelection } from '../../entries/table/use-selection.ts';
import { BULK_TEXTS, ENTRY_TEXTS } from '../../texts/entries/entries.ts';
import { GROUP_TEXTS as TEXTS } from '../../texts/groups/groups.ts';
import { Button, IconButton } from '@passwordbroker/ui/actions/button';
import { Menu } from '@passwordbroker/ui/overlays/menu';
import styles from './group-page.module.css';
import bulkBarStyles from '../../entries/bulk-bar.module.css';

interface Props {
  /** null if there is nothing to choose from, or the person may not. */
  readonly selection: EntrySelection | null;
  readonly order: EntryOrder;
  /** null if there is nothing to order. */
  readonly onOrder: ((column: EntryColumn) => void) | null;
  /** null if the person may not add. */
  readonly add: { readonly onChild: () => void; readonly onEntry: (() => void) | null } | null;
  /** Why no group can be added now, or null. */
  readonly whyNot: string | null;
  /** Why no entry can be added now, or null. */
  readonly whyNotEntry: string | null;
  /** Actions for the chosen entries. */
  readonly children?: ReactNode;
}

/** Toolbar above the entries. A phone hides column heads, so it also has select all and the order. */
export function EntryTools({ selection, order, onOrder, add, whyNot, whyNotEntry, children }: Props) {
  return (
    <div
      className={styles['tools']}
      role="toolbar"
      aria-label={ENTRY_TEXTS.table}
      data-read-only={add === null || undefined}
    >
      {selection !== null && (
        <span className={styles['selectAll']}>
          <SelectAll selection={selection} />
          <span aria-hidden="true">{BULK_TEXTS.selectAll}</span>
        </span>
      )}
      {children}
      {onOrder !== null && (
        <span className={styles['narrow']}>
          <Menu
            label={ENTRY_TEXTS.sort}
            icon={<ArrowDownUp size={18} />}
            items={ENTRY_COLUMNS.map((column) => ({
              label: columnLabel(column, order),
              onPress: () => onOrder(column),
            }))}
          />
        </span>
      )}
      {add !== null && (
        <>
          <span className={styles['wide']}>
            <Button variant="secondary" size="sm" icon={<FolderPlus size={16} />} whyNot={whyNot} onPress={add.onChild}>
              {TEXTS.addChild}
            </Button>
          </span>
          <span className={styles['narrow']}>
            <IconButton
              label={TEXTS.addChild}
              icon={<FolderPlus size={18} />}
              align="end"
              whyNot={whyNot}
              onPress={add.onChild}
            />
          </span>
        </>
      )}
      {add !== null && add.onEntry !== null && (
        <span className={styles['float']} data-floats data-covered={(selection?.chosen.size ?? 0) > 0 || undefined}>
          <Button variant="primary" size="sm" icon={<Plus size={16} />} whyNot={whyNotEntry} onPress={add.onEntry}>
            {ENTRY_TEXTS.add}
          </Button>
        </span>
      )}
    </div>
  );
}

function columnLabel(column: EntryColumn, order: EntryOrder): string {
  const name = ENTRY_TEXTS.columns[column];
  if (column !== order.column) return name;
  return order.isDescending ? ENTRY_TEXTS.sortedDown(name) : ENTRY_TEXTS.sortedUp(name);
}

interface BulkBarProps {
  readonly count: number;
  /** null if nothing can be written now. */
  readonly onMove: (() => void) | null;
  readonly onExport: (() => void) | null;
  readonly onRemove: (() => void) | null;
  readonly whyNot: string | null;
  readonly whyNotMove: string | null;
  readonly onClear: () => void;
}

/** Actions for the chosen entries. */
export function BulkBar({ count, onMove, onExport, onRemove, whyNot, whyNotMove, onClear }: BulkBarProps) {
  const off = count === 0;
  return (
    <div className={bulkBarStyles['bar']} role="group" aria-label={BULK_TEXTS.bar} data-chosen={!off || undefined}>
      <span className={bulkBarStyles['count']} role="status">
        {BULK_TEXTS.selected(count)}
      </span>
      <button type="button" className={bulkBarStyles['clear']} onClick={onClear}>
        {BULK_TEXTS.clear}
      </button>
      <Button
        size="sm"
        icon={<FolderInput size={16} />}
        isDisabled={off || onMove === null}
        whyNot={whyNotMove}
        onPress={() => onMove?.()}
      >
        {BULK_TEXTS.move}
      </Button>
      <Button
        size="sm"
        icon={<Upload size={16} />}
        isDisabled={off || onExport === null}
        whyNot={whyNot}
        onPress={() => onExport?.()}
      >
        {BULK_TEXTS.exportChosen}
      </Button>
      <Button
        size="sm"
        variant="danger-quiet"
        icon={<Trash2 size={16} />}
        isDisabled={off || onRemove === null}
        whyNot={whyNot}
        onPress={() => onRemove?.()}
      >
        {BULK_TEXTS.remove}
      </Button>
    </div>
  );
}
