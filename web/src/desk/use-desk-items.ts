import type { SearchRow } from '@passwordbroker/core/contract/entities';
import type { TreeRole } from '@passwordbroker/core/domain/policy';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { ancestorsOf, type GroupTree } from '../groups/tree/group-tree.ts';
import { useGroupTree } from '../groups/tree/use-group-tree.ts';
import { desk } from '../page/vault.ts';
import { useVault } from '../vault/use-vault.ts';
import { useDesk, type FavouriteKind } from './use-desk.ts';

export interface FavouriteGroup {
  readonly id: string;
  readonly title: string;
  /** 'Engineering / Databases'; empty for a root. */
  readonly above: string;
  readonly role: TreeRole;
}

/** A favourite that is gone or that the person may not see any more. */
export interface MissingFavourite {
  readonly kind: FavouriteKind;
  readonly id: string;
}

export interface DeskItems {
  /** By title, like the groups. */
  readonly entries: readonly SearchRow[];
  readonly groups: readonly FavouriteGroup[];
  readonly missing: readonly MissingFavourite[];
  /** The last used first. */
  readonly recent: readonly SearchRow[];
  /** The server's document does not open. */
  readonly isDamaged: boolean;
  /** Some of the entries are not known yet. */
  readonly isLoading: boolean;
  /** Rows to come, so that the page does not jump when they are there. */
  readonly expected: { readonly favourites: number; readonly recent: number };
  readonly problem: Error | null;
  readonly retry: () => void;
}

/** Null while the vault is locked. */
export function useDeskItems(): DeskItems | null {
  const view = useDesk();
  const vault = useVault();
  const { tree } = useGroupTree();
  useEffect(() => void desk.refresh(), []);
  const shown = useFirstRecent(view);
  const ids = useMemo(() => idsOf(view, shown), [view, shown]);
  const query = useQuery({
    queryKey: [vault.mode, 'entriesById', ids],
    queryFn: ({ signal }) => vault.read.entriesById(ids, signal),
    enabled: ids.length > 0,
    placeholderData: keepPreviousData,
    networkMode: 'always',
    retry: false,
    // Others delete and move entries.
    staleTime: 0,
  });
  const { data, isPlaceholderData, error } = query;
  const isLoading = ids.length > 0 && error === null && (data === undefined || isPlaceholderData);
  const found = useMemo(() => {
    if (view === undefined) return null;
    const rows = new Map((ids.length === 0 ? [] : (data ?? [])).map((row) => [row.entry_id, row]));
    const isKnown = ids.length === 0 || (data !== undefined && !isPlaceholderData);
    return { ...favouritesOf(view.favourites, rows, tree, isKnown), recent: listed(shown, rows) };
  }, [view, shown, ids, data, isPlaceholderData, tree]);
  return found === null
    ? null
    : {
        ...found,
        isDamaged: view?.isDamaged === true,
        isLoading,
        expected: { favourites: view?.favourites.length ?? 0, recent: shown.length },
        problem: query.isFetching ? null : error,
        retry: () => void query.refetch(),
      };
}

type View = NonNullable<ReturnType<typeof useDesk>>;
type Rows = ReadonlyMap<string, SearchRow>;

const NONE: readonly string[] = [];

/** As they were when the list was opened or the vault unlocked: a row does not move under a click. */
function useFirstRecent(view: View | undefined): readonly string[] {
  const [first, setFirst] = useState(view?.recent);
  if ((first === undefined) !== (view === undefined)) setFirst(view?.recent);
  return first ?? NONE;
}

function idsOf(view: View | undefined, recent: readonly string[]): readonly string[] {
  const favourites = view?.favourites.flatMap(({ kind, id }) => (kind === 'entry' ? [id] : [])) ?? NONE;
  return [...new Set([...recent, ...favourites])];
}

const listed = (ids: readonly string[], rows: Rows) => ids.flatMap((id) => rows.get(id) ?? []);

/** @param isKnown whether an entry that is not in `rows` is missing */
function favouritesOf(favourites: View['favourites'], rows: Rows, tree: GroupTree | null, isKnown: boolean) {
  const entries: SearchRow[] = [];
  const groups: FavouriteGroup[] = [];
  const missing: MissingFavourite[] = [];
  for (const favourite of favourites) {
    const { kind, id } = favourite;
    const entry = rows.get(id);
    const group = tree?.byId.get(id);
    if (kind === 'entry' && entry !== undefined) entries.push(entry);
    else if (kind === 'group' && tree !== null && group !== undefined && group.role !== 'guest') {
      const above = ancestorsOf(tree, id).map(({ title }) => title);
      groups.push({ id, title: group.title, role: group.role, above: above.join(' / ') });
    } else if (kind === 'entry' ? isKnown : tree !== null) missing.push(favourite);
  }
  return { entries: entries.sort(byTitle), groups: groups.sort(byTitle), missing };
}

const { compare } = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });
const byTitle = (a: { readonly title: string }, b: { readonly title: string }) => compare(a.title, b.title);
