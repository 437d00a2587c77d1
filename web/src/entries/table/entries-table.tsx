import { type FocusEvent, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { ListedEntry } from '@passwordbroker/core/contract/entities';
import type { Role } from '@passwordbroker/core/domain/policy';
import { useFavourites } from '../../desk/use-desk.ts';
import { ENTRY_TEXTS as TEXTS, BULK_TEXTS } from '../../texts/entries/entries.ts';
import styles from './entries-table.module.css';
import { type EntryOrder, ENTRY_COLUMNS, type EntryColumn } from './entry-order.ts';
import { CHOSEN_COLUMNS, type EntryColumns, useEntryColumns } from './entry-columns.ts';
import { EntryRow, ChoiceCell, type EntryVerb } from './entry-row.tsx';
import { Spacer } from './spacer.tsx';
import { useDrawnRows } from './use-drawn-rows.ts';
import { useTableKeys } from './use-table-keys.ts';
import type { EntryDrag } from '../entry-drag.ts';
import type { TakePart } from '../entry-parts.ts';
import type { EntrySelection } from './use-selection.ts';
import { ArrowDown, ArrowUp, Columns3 } from 'lucide-react';
import { Checkbox } from '@passwordbroker/ui/inputs/checkbox';
import { Menu } from '@passwordbroker/ui/overlays/menu';
import { Skeleton } from '@passwordbroker/ui/feedback/empty-state';

/** An entry to bring into view, once per object. */
export interface ShownEntry {
  readonly id: string;
  readonly isOpen: boolean;
}

interface Props {
  /** In display order. */
  readonly entries: readonly ListedEntry[];
  readonly role: Role;
  readonly order: EntryOrder;
  readonly onOrder: (column: EntryOrder['column']) => void;
  /** null for members, who cannot choose rows. */
  readonly selection: EntrySelection | null;
  readonly verbs: readonly EntryVerb[];
  readonly onCopy: TakePart;
  readonly shown: ShownEntry | null;
  /** True while a dialog covers the table. */
  readonly isCovered: boolean;
  /** Begins to drag an entry, with all chosen ones if it is one of them; null where entries cannot be moved. */
  readonly onDrag: ((id: string) => EntryDrag) | null;
  /** Called on the key N; null if the person may not add. */
  readonly onAdd: (() => void) | null;
}

/** Entries of a group. Renders only rows in view and open ones, whose shown values must survive scrolling. */
export function EntriesTable(props: Props) {
  const { entries, role, order, onOrder, selection, verbs, onCopy, shown, isCovered, onDrag, onAdd } = props;
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const list = useRef<HTMLDivElement>(null);
  const rows = useDrawnRows(list, entries, open);
  const columns = useEntryColumns();
  const focused = useKeptFocus(rows.focus, entries.length, isCovered);
  const favourites = useFavourites('entry');
  const keys = useTableKeys({ entries, selection, focus: rows.focus, onAdd, onCopy, onStar: favourites.toggle });

  const { focus } = rows;
  const listed = useRef(entries);
  useEffect(() => {
    listed.current = entries;
  }, [entries]);
  const [seen, setSeen] = useState<ShownEntry | null>(null);
  if (shown !== seen) {
    setSeen(shown);
    if (shown?.isOpen === true) setOpen(new Set(open).add(shown.id));
  }
  useEffect(() => {
    if (shown === null) return undefined;
    // In the next frame: use-route-focus.ts scrolls each new page to its top.
    const frame = requestAnimationFrame(() => {
      const index = listed.current.findIndex((entry) => entry.entry_id === shown.id);
      if (index >= 0) focus(index, 'center');
    });
    return () => cancelAnimationFrame(frame);
  }, [shown, focus]);

  const wasShift = useRef(false);
  const chooses = selection?.verbs ?? null;
  const verbsOfRow = useMemo(
    () => ({
      toggle: (id: string) =>
        setOpen((before) => {
          const after = new Set(before);
          if (!after.delete(id)) after.add(id);
          return after;
        }),
      choose: (id: string) => (wasShift.current ? chooses?.range(id) : chooses?.toggle(id)),
    }),
    [chooses],
  );

  return (
    <div
      role="presentation"
      onClickCapture={(event) => (wasShift.current = event.shiftKey)}
      onKeyDown={keys.down}
      onKeyUp={keys.up}
      onFocus={focused}
    >
      <div
        className={styles['table']}
        role="table"
        aria-label={TEXTS.table}
        aria-rowcount={entries.length + 1}
        data-choosing={selection === null ? undefined : true}
      >
        <EntriesHead columns={columns} order={order} onOrder={onOrder} selection={selection} />
        <div role="rowgroup" ref={list}>
          {rows.drawn.map(({ index, gapBefore }) => {
            const entry = entries[index];
            if (entry === undefined) return null;
            return (
              <EntryRow
                key={entry.entry_id}
                entry={entry}
                columns={columns.shown}
                role={role}
                index={index}
                gapBefore={gapBefore}
                isOpen={open.has(entry.entry_id)}
                isChosen={selection === null ? null : selection.chosen.has(entry.entry_id)}
                verbs={verbs}
                onToggle={verbsOfRow.toggle}
                onChoose={verbsOfRow.choose}
                isFavourite={favourites.ids.has(entry.entry_id)}
                onCopy={onCopy}
                onStar={favourites.toggle}
                onDrag={onDrag}
                measure={rows.measure}
              />
            );
          })}
          {rows.gapAfter > 0 && <Spacer height={rows.gapAfter} />}
        </div>
      </div>
    </div>
  );
}

/**
 * When the focused row is removed, focuses the row at its index, or the last one.
 * @param isCovered whether a dialog is open, which keeps the focus
 * @returns handler for the table's `onFocus`
 */
function useKeptFocus(focus: (index: number) => void, count: number, isCovered: boolean) {
  const focused = useRef<number | null>(null);
  useEffect(() => {
    if (isCovered || focused.current === null || count === 0) return;
    if (document.activeElement === null || document.activeElement === document.body)
      focus(Math.min(focused.current, count - 1));
  }, [focus, count, isCovered]);
  useEffect(() => {
    const leave = ({ target }: Event) => {
      if (target instanceof Element && target.closest('[data-index], dialog') === null) focused.current = null;
    };
    document.addEventListener('pointerdown', leave);
    return () => document.removeEventListener('pointerdown', leave);
  }, []);
  return useCallback(({ target }: FocusEvent) => {
    const index = target.closest<HTMLElement>('[data-index]')?.dataset['index'];
    focused.current = index === undefined ? null : Number(index);
  }, []);
}

interface EntriesHeadProps {
  readonly columns: EntryColumns;
  readonly order: EntryOrder;
  readonly onOrder: (column: EntryColumn) => void;
  readonly selection: EntrySelection | null;
}

function EntriesHead({ columns, order, onOrder, selection }: EntriesHeadProps) {
  return (
    <div role="rowgroup">
      <div className={`${styles['row']} ${styles['head']}`} role="row" aria-rowindex={1}>
        {selection !== null && (
          <ChoiceCell isHead>
            <SelectAll selection={selection} />
          </ChoiceCell>
        )}
        {ENTRY_COLUMNS.filter((column) => columns.shown.has(column)).map((column) => (
          <div
            key={column}
            role="columnheader"
            className={HEAD_STYLES[column]}
            {...(column === order.column ? { 'aria-sort': order.isDescending ? 'descending' : 'ascending' } : {})}
          >
            <button type="button" className={styles['sort']} onClick={() => onOrder(column)}>
              {TEXTS.columns[column]}
              {column === order.column && <Arrow isDescending={order.isDescending} />}
            </button>
          </div>
        ))}
        <div role="columnheader" className={styles['moreCell']}>
          <span className="visually-hidden">{TEXTS.actions}</span>
          <Menu
            label={TEXTS.chooseColumns}
            icon={<Columns3 size={14} />}
            className={styles['chooser'] ?? ''}
            items={CHOSEN_COLUMNS.map((column) => ({
              label: TEXTS.columns[column],
              isChecked: columns.shown.has(column),
              onPress: () => columns.toggle(column),
            }))}
          />
        </div>
      </div>
    </div>
  );
}

const HEAD_STYLES: Readonly<Record<EntryColumn, string | undefined>> = {
  title: styles['titleCell'],
  login: styles['login'],
  created_at: `${styles['date']} ${styles['created']}`,
  updated_at: styles['date'],
};

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

const ROWS = 6;
const LATE_MS = 150;

/** Placeholder rows of the final height, shown after 150 ms of loading. */
export function EntriesSkeleton() {
  const [isLate, setLate] = useState(false);
  const { shown } = useEntryColumns();
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), LATE_MS);
    return () => clearTimeout(timer);
  }, []);
  if (!isLate) return null;
  return (
    <div className={`${styles['table']} ${styles['skeleton']}`} aria-busy="true">
      <div className={`${styles['row']} ${styles['head']}`}>
        {ENTRY_COLUMNS.filter((column) => shown.has(column)).map((column) => (
          <div key={column} className={HEAD_STYLES[column]}>
            {TEXTS.columns[column]}
          </div>
        ))}
        <div className={styles['moreCell']} />
      </div>
      {Array.from({ length: ROWS }, (_, index) => (
        <div key={index} className={styles['row']} aria-hidden="true">
          {ENTRY_COLUMNS.filter((column) => shown.has(column)).map((column) => (
            <div key={column} className={HEAD_STYLES[column]}>
              <span className={styles[column === 'title' ? 'skeletonTitle' : 'skeletonShort']}>
                <Skeleton />
              </span>
            </div>
          ))}
          <div className={styles['moreCell']} />
        </div>
      ))}
    </div>
  );
}
