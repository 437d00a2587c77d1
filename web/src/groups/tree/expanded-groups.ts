import { useSyncExternalStore } from 'react';

const KEY = 'pb-expanded-groups';
/** Keeps a broken page from filling the storage. */
const MOST = 20_000;
const ID = /^[0-9a-f-]{36}$/;

type Store = Pick<Storage, 'getItem' | 'setItem'>;

export function createExpandedGroups(store: Store | null) {
  let ids: ReadonlySet<string> = read(store);
  const listeners = new Set<() => void>();
  const replace = (next: ReadonlySet<string>) => {
    ids = next;
    write(store, ids);
    for (const listener of listeners) listener();
  };
  return {
    list: () => ids,
    set: (next: Iterable<string>) => replace(new Set(next)),
    /** Expands these too. Notifies nobody if all are expanded already. */
    open(more: Iterable<string>) {
      const next = new Set([...ids, ...more]);
      if (next.size > ids.size) replace(next);
    },
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
}

export type ExpandedGroups = ReturnType<typeof createExpandedGroups>;

/**
 * The groups that are expanded in the tree (docs/spec/product.md §2). Stores only ids, which reveal nothing.
 */
export const expandedGroups: ExpandedGroups = createExpandedGroups(browserStorage());

export function useExpandedGroups(groups: ExpandedGroups = expandedGroups): ReadonlySet<string> {
  return useSyncExternalStore(groups.subscribe, groups.list);
}

/** null if the browser forbids storage; then the set lasts as long as the page. */
function browserStorage(): Store | null {
  try {
    return globalThis.localStorage ?? null;
  } catch {
    return null;
  }
}

function read(store: Store | null): ReadonlySet<string> {
  try {
    const stored: unknown = JSON.parse(store?.getItem(KEY) ?? '[]');
    if (!Array.isArray(stored)) return new Set();
    return new Set(stored.filter((id): id is string => typeof id === 'string' && ID.test(id)).slice(0, MOST));
  } catch {
    return new Set();
  }
}

function write(store: Store | null, ids: ReadonlySet<string>) {
  try {
    store?.setItem(KEY, JSON.stringify([...ids].slice(0, MOST)));
  } catch {
    // Storage is full or forbidden: the set lasts as long as the page.
  }
}
