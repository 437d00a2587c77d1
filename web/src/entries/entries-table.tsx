/**
 * Entries of a group: title as a disclosure, created at, updated at. Only the rows in view are drawn, and open ones, whose shown values
 * must outlive scrolling. Keys (brief §6): Up, Down, Home, End between titles, Enter opens, N adds.
 */
import { useRef, useState, type KeyboardEvent } from 'react';
import type { Entry } from '@passwordbroker/core/contract/entities';
import type { Role } from '@passwordbroker/core/domain/policy';
import { ENTRY_TEXTS as TEXTS } from '../texts/entries.ts';
import styles from './entries-table.module.css';
import { EntryRow } from './entry-row.tsx';
import { Spacer } from './spacer.tsx';
import { useDrawnRows } from './use-drawn-rows.ts';

interface Props {
  /** Sorted by title. */
  readonly entries: readonly Entry[];
  readonly role: Role;
  /** The key N; null where the person may not add. */
  readonly onAdd: (() => void) | null;
}

export function EntriesTable({ entries, role, onAdd }: Props) {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const list = useRef<HTMLDivElement>(null);
  const rows = useDrawnRows(list, entries, open);

  const toggle = (id: string) =>
    setOpen((before) => {
      const after = new Set(before);
      if (!after.delete(id)) after.add(id);
      return after;
    });

  const pressKey = (event: KeyboardEvent, at: number) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const to = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: entries.length - 1 }[event.key];
    if (to !== undefined) rows.focus(Math.min(Math.max(to, 0), entries.length - 1));
    else if (event.key.toLowerCase() === 'n' && onAdd !== null) onAdd();
    else return;
    event.preventDefault();
  };

  return (
    <div className={styles['table']} role="table" aria-label={TEXTS.table} aria-rowcount={entries.length + 1}>
      <div role="rowgroup">
        <div className={`${styles['row']} ${styles['head']}`} role="row" aria-rowindex={1}>
          <div role="columnheader" aria-sort="ascending">
            {TEXTS.title}
          </div>
          <div role="columnheader" className={styles['created']}>
            {TEXTS.createdAt}
          </div>
          <div role="columnheader">{TEXTS.updatedAt}</div>
        </div>
      </div>
      <div role="rowgroup" ref={list}>
        {rows.drawn.map(({ index, gapBefore }) => {
          const entry = entries[index];
          if (entry === undefined) return null;
          return (
            <EntryRow
              key={entry.entry_id}
              entry={entry}
              role={role}
              index={index}
              gapBefore={gapBefore}
              isOpen={open.has(entry.entry_id)}
              onToggle={toggle}
              onKey={pressKey}
              measure={rows.measure}
            />
          );
        })}
        {rows.gapAfter > 0 && <Spacer height={rows.gapAfter} />}
      </div>
    </div>
  );
}
