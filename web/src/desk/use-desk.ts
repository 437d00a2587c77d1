import { useCallback, useMemo, useSyncExternalStore } from 'react';
import type { DeskView } from '@passwordbroker/client/keyring/calls';
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
  const masterPassword = useMasterPassword();
  const ids = useMemo(
    () => new Set(view?.favourites.flatMap((one) => (one.kind === kind ? [one.id] : []))),
    [view, kind],
  );
  const toggle = useCallback(
    async (id: string, title: string) => {
      const isOn = !isFavourite(desk.view(), kind, id);
      try {
        const change = () => desk.change({ favourite: { kind, id }, isOn });
        await masterPassword.use(change, { label: TEXTS.action(title) });
        tellDone(isOn ? TEXTS.added(title) : TEXTS.removed(title));
      } catch (failure) {
        if (!(failure instanceof MasterPasswordCancelled)) tellFailure(TEXTS.failed(title, problemText(failure)));
      }
    },
    [kind, masterPassword],
  );
  return { ids, toggle: useCallback((id, title) => void toggle(id, title), [toggle]) };
}
