import { useCallback, useEffect, useRef, type KeyboardEvent } from 'react';
import type { Entry } from '@passwordbroker/core/contract/entities';
import type { TakePart } from '../entry-parts.ts';
import type { EntrySelection } from './use-selection.ts';

interface Options {
  readonly entries: readonly Entry[];
  readonly selection: EntrySelection | null;
  readonly focus: (index: number) => void;
  readonly onAdd: (() => void) | null;
  readonly onCopy: TakePart;
  readonly onStar: (id: string, title: string) => void;
}

interface TableKeys {
  readonly down: (event: KeyboardEvent) => void;
  readonly up: (event: KeyboardEvent) => void;
}

/**
 * Keys of the table. On a title: Up, Down, Home, End move, Space toggles, Shift extends the selection.
 * In a row, or with one chosen row: C copies the password, B the login, F changes the favourite. Anywhere in the
 * table: Ctrl or Cmd+A selects all, N adds.
 */
export function useTableKeys(options: Options): TableKeys {
  const present = useRef(options);
  useEffect(() => {
    present.current = options;
  });
  const down = useCallback((event: KeyboardEvent) => {
    if (!event.defaultPrevented && press(event, present.current)) event.preventDefault();
  }, []);
  const up = useCallback((event: KeyboardEvent) => {
    // Some browsers click a button when Space is released.
    if (event.key === ' ' && present.current.selection !== null && titleIndex(event) !== null) event.preventDefault();
  }, []);
  return { down, up };
}

/** @returns whether the key was handled */
function press(event: KeyboardEvent, options: Options): boolean {
  const { entries, selection, focus, onAdd, onCopy, onStar } = options;
  const { key, shiftKey } = event;
  if (event.altKey) return false;
  if (event.ctrlKey || event.metaKey) {
    if (key.toLowerCase() !== 'a' || selection === null) return false;
    selection.verbs.all();
    return true;
  }
  if (key.toLowerCase() === 'n' && onAdd !== null) {
    onAdd();
    return true;
  }
  const what = ROW_KEYS[key.toLowerCase()];
  const named = what === undefined ? undefined : entryOfRow(event, entries, selection);
  if (what !== undefined && named !== undefined) {
    // A held key would record a reveal for each repetition.
    if (event.repeat) return true;
    if (what === 'favourite') onStar(named.entry_id, named.title);
    else void onCopy(named, what);
    return true;
  }
  const at = titleIndex(event);
  const id = at === null ? undefined : entries[at]?.entry_id;
  if (at === null || id === undefined) return false;
  if (key === ' ' && selection !== null) {
    selection.verbs.toggle(id);
    return true;
  }
  const last = entries.length - 1;
  const to = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: last }[key];
  if (to === undefined) return false;
  const next = Math.min(Math.max(to, 0), last);
  const nextId = entries[next]?.entry_id;
  if (shiftKey && selection !== null && nextId !== undefined) selection.verbs.extend(id, nextId);
  focus(next);
  return true;
}

const ROW_KEYS: Readonly<Record<string, 'password' | 'login' | 'favourite'>> = {
  c: 'password',
  b: 'login',
  f: 'favourite',
};

/** The entry of the focused row; outside of the rows, the only chosen entry. The fields of an open entry are no row. */
function entryOfRow(
  { target }: KeyboardEvent,
  entries: readonly Entry[],
  selection: EntrySelection | null,
): Entry | undefined {
  if (!(target instanceof HTMLElement) || target.closest('[role=menu]') !== null) return undefined;
  const index = target.closest<HTMLElement>('[data-index]')?.dataset['index'];
  if (index !== undefined) {
    return target.closest('[role=row]')?.hasAttribute('aria-rowindex') ? entries[Number(index)] : undefined;
  }
  return selection?.chosen.size === 1 ? entries.find(({ entry_id }) => selection.chosen.has(entry_id)) : undefined;
}

/** Index of the row whose title has the focus, or null. */
function titleIndex({ target }: KeyboardEvent): number | null {
  if (!(target instanceof HTMLElement) || target.dataset['entryTitle'] === undefined) return null;
  const index = target.closest<HTMLElement>('[data-index]')?.dataset['index'];
  return index === undefined ? null : Number(index);
}
