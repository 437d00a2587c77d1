/** Remembers the meanings of columns by their names; for this browser, without any cell. */
import {
  type ColumnChoice,
  digestOfNames,
  MEANINGS,
  PATH_SEPARATORS,
  type TableLook,
} from '@passwordbroker/core/domain/exchange/csv/meanings';
import type { PlainStore } from '@passwordbroker/client/platform';

const KEY = 'passwordbroker.columns';
const MOST = 20;

type Kept = readonly (readonly [digest: string, choice: ColumnChoice])[];

type Store = () => PlainStore;
const browserStore: Store = () => localStorage;

function kept(store: Store): Kept {
  try {
    const all: unknown = JSON.parse(store().getItem(KEY) ?? '[]');
    return Array.isArray(all) ? (all as Kept) : [];
  } catch {
    return [];
  }
}

/** What was chosen for such a table before, else what is proposed. */
export async function columnsFor(table: TableLook, store = browserStore): Promise<ColumnChoice> {
  const digest = await digestOfNames(table);
  const found = kept(store).find((row) => Array.isArray(row) && row[0] === digest)?.[1];
  return found !== undefined && isChoice(found, table) ? found : table.proposed;
}

function isChoice({ meanings, separator, hasNames }: Partial<ColumnChoice>, { proposed }: TableLook): boolean {
  return (
    Array.isArray(meanings) &&
    meanings.length === proposed.meanings.length &&
    meanings.every((meaning) => MEANINGS.includes(meaning)) &&
    (separator === null || PATH_SEPARATORS.some((one) => one === separator)) &&
    hasNames === true
  );
}

export async function rememberColumns(table: TableLook, choice: ColumnChoice, store = browserStore): Promise<void> {
  const digest = await digestOfNames(table);
  if (digest === null || !choice.hasNames) return;
  const others = kept(store).filter((row) => Array.isArray(row) && row[0] !== digest);
  try {
    store().setItem(KEY, JSON.stringify([[digest, choice], ...others].slice(0, MOST)));
  } catch {
    // Storage may be forbidden; then the question comes again.
  }
}
