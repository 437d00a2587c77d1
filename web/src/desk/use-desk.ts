import { useCallback, useMemo, useSyncExternalStore } from 'react';
import type { DeskView } from '@passwordbroker/client/keyring/calls';
import { DESK_LIMITS, type DeskChange } from '@passwordbroker/core/domain/desk';
import { MasterPasswordCancelled } from '@passwordbroker/client/master-password/master-password';
import { tellDone, tellFailure } from '../activity-log/activity-log.ts';
import { problemText } from '../fields/table/problem-text.ts';
import { useMasterPassword } from '../master-password/use-master-password.ts';
import { desk } from '../page/vault.ts';
import { DESK_TEXTS as TEXTS } from '../texts/entries/desk.ts';

/** Undefined while the vault is locked. */
export function useDesk(): DeskView | undefined {
  return useSyncExternalStore(desk.subscribe, desk.view);
}

export type FavouriteKind = DeskView['favourites'][number]['kind'];

const isFavourite = (view: DeskView | undefined, kind: FavouriteKind, id: string) =>
  view?.favourites.some((one) => one.kind === kind && one.id === id) === true;

export interface Favourites {
  /** Empty while the vault is locked. */
  readonly ids: ReadonlySet<string>;
  /** A stable function. Asks for the master password if the vault is locked, and then only adds. */
  readonly toggle: (id: string, title: string) => void;
}

export function useFavourites(kind: FavouriteKind): Favourites {
  const view = useDesk();
  const change = useChange();
  const ids = useMemo(
    () => new Set(view?.favourites.flatMap((one) => (one.kind === kind ? [one.id] : []))),
    [view, kind],
  );
  const toggle = useCallback(
    (id: string, title: string) => {
      const isOn = !isFavourite(desk.view(), kind, id);
      void change({ favourite: { kind, id }, isOn }, title, isOn ? TEXTS.added(title) : TEXTS.removed(title));
    },
    [kind, change],
  );
  return { ids, toggle };
}

export interface SavedSearches {
  /** Empty while the vault is locked. */
  readonly list: DeskView['searches'];
  /** Saves a query, or removes it if it is saved. Asks for the master password if the vault is locked. */
  readonly toggle: (query: string) => void;
}

const NO_SEARCHES: DeskView['searches'] = [];

export function useSavedSearches(): SavedSearches {
  const list = useDesk()?.searches ?? NO_SEARCHES;
  const change = useChange();
  const toggle = useCallback(
    (query: string) => {
      const saved = desk.view()?.searches.find((one) => one.query === query);
      const search = saved === undefined ? { name: query.slice(0, DESK_LIMITS.searchName), query } : null;
      const searchId = saved?.id ?? crypto.randomUUID();
      const done = search === null ? TEXTS.searchRemoved(query) : TEXTS.searchSaved(query);
      void change({ searchId, search }, query, done);
    },
    [change],
  );
  return { list, toggle };
}

/** Returns a stable function that changes the desk and shows the result. */
function useChange() {
  const masterPassword = useMasterPassword();
  return useCallback(
    async (change: DeskChange, title: string, done: string): Promise<void> => {
      try {
        await masterPassword.use(() => desk.change(change), { label: TEXTS.action(title) });
        tellDone(done);
      } catch (failure) {
        if (!(failure instanceof MasterPasswordCancelled)) tellFailure(TEXTS.failed(title, problemText(failure)));
      }
    },
    [masterPassword],
  );
}
