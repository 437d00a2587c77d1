import { useCallback, useMemo, useState } from 'react';
import { useLocation, useSearchParams } from 'react-router';
import type { Entry } from '@passwordbroker/core/contract/entities';
import type { ShownEntry } from './entries-table.tsx';
import { ENTRY_PARAM } from '../entry-address.ts';

interface LinkedEntry {
  readonly shown: ShownEntry | null;
  /** True if the entry of the address is not in the list. */
  readonly isMissing: boolean;
  readonly show: (entry: Entry) => void;
}

/**
 * The entry to bring into view: the one in the address (`?entry=`), or one that was just added.
 * @param entries undefined while they are loading
 */
export function useLinkedEntry(entries: readonly Entry[] | undefined): LinkedEntry {
  const [params] = useSearchParams();
  // Each visit counts, also of the same address.
  const { key } = useLocation();
  const id = params.get(ENTRY_PARAM);
  const [found, setFound] = useState<string | null>(null);
  const [added, setAdded] = useState<ShownEntry | null>(null);
  const isHere = id !== null && (entries?.some((entry) => entry.entry_id === id) ?? false);
  const visit = `${key} ${id}`;
  // Later deleting or moving it does not make it missing.
  if (isHere && found !== visit) setFound(visit);
  const linked = useMemo(() => (isHere && visit !== '' ? { id, isOpen: true } : null), [isHere, id, visit]);
  return {
    shown: added ?? linked,
    isMissing: id !== null && entries !== undefined && !isHere && found !== visit,
    show: useCallback((entry: Entry) => setAdded({ id: entry.entry_id, isOpen: false }), []),
  };
}
