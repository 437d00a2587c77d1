/** Whether the suggestions are open, and which one the arrow keys have reached; none while the person is in the box itself. */
import { useCallback, useState } from 'react';
import type { Suggestion } from '../search/suggestion.ts';

interface SuggestionSteps {
  readonly isOpen: boolean;
  readonly shown: readonly Suggestion[];
  readonly active: Suggestion | null;
  /** After a key of text: nothing is chosen any more. */
  readonly open: () => void;
  readonly close: () => void;
  /** Stable. */
  readonly show: (rows: readonly Suggestion[]) => void;
  /** Opens what is closed; up from the first one leads back into the box. */
  readonly step: (by: 1 | -1) => void;
}

export function useSuggestionSteps(): SuggestionSteps {
  const [isOpen, setOpen] = useState(false);
  const [shown, setShown] = useState<readonly Suggestion[]>([]);
  const [activeId, setActiveId] = useState<string | null>(null);
  const at = shown.findIndex(({ id }) => id === activeId);
  return {
    isOpen,
    shown,
    active: isOpen ? (shown[at] ?? null) : null,
    open: () => {
      setOpen(true);
      setActiveId(null);
    },
    close: () => {
      setOpen(false);
      setActiveId(null);
    },
    show: useCallback((rows: readonly Suggestion[]) => setShown(rows), []),
    step: (by) => {
      if (!isOpen) {
        if (by === 1) setOpen(true);
        return;
      }
      const next = at === -1 && by === -1 ? -1 : Math.min(at + by, shown.length - 1);
      setActiveId(shown[next]?.id ?? null);
    },
  };
}
