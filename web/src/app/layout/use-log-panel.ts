/** The activity log at the right. Where it lies over the page Escape takes it away from wherever the focus is under it; a focus that was in it goes back. */
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';

export interface LogPanel {
  readonly isOpen: boolean;
  readonly toggle: () => void;
  readonly close: () => void;
}

/** What Escape is for before anything else. */
const OPEN = 'dialog[open], [role=dialog], [role=menu], [role=listbox], [data-drawer=open]';

type Place = RefObject<HTMLElement | null>;

/** `rest` takes the focus when the button that opened it has gone, as one in a menu has. */
export function useLogPanel(box: Place, rest: Place): LogPanel {
  const [isOpen, setOpen] = useState(false);
  const opener = useRef<Element | null>(null);

  const close = useCallback(() => {
    const hadFocus = box.current?.contains(document.activeElement) === true;
    setOpen(false);
    if (!hadFocus) return;
    const back = opener.current;
    (back instanceof HTMLElement && back.checkVisibility() ? back : rest.current)?.focus();
  }, [box, rest]);

  useEffect(() => {
    if (!isOpen) return undefined;
    let isForOthers = false;
    // Looked at before anybody has closed what was open.
    const look = () => {
      isForOthers = document.querySelector(OPEN) !== null;
    };
    const closeByKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !isForOthers && !event.defaultPrevented) close();
    };
    addEventListener('keydown', look, { capture: true });
    addEventListener('keydown', closeByKey);
    return () => {
      removeEventListener('keydown', look, { capture: true });
      removeEventListener('keydown', closeByKey);
    };
  }, [isOpen, close]);

  const toggle = () => {
    opener.current = document.activeElement;
    setOpen(!isOpen);
  };
  return { isOpen, toggle, close };
}
