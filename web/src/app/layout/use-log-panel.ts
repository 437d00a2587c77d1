import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';

export interface LogPanel {
  readonly isOpen: boolean;
  readonly toggle: () => void;
  readonly close: () => void;
}

/** Elements that Escape closes first. */
const OPEN = 'dialog[open], [role=dialog], [role=menu], [role=listbox], [data-drawer=open]';

type ElementRef = RefObject<HTMLElement | null>;

/**
 * State of the activity log panel. Escape closes it and returns the focus if the panel had it.
 * @param rest takes the focus if the opener is gone, such as an item of a closed menu
 */
export function useLogPanel(box: ElementRef, rest: ElementRef): LogPanel {
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
    // In the capture phase, before other handlers close what is open.
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
