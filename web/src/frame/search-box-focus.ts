/** Ctrl or Cmd+K leads into the search box from anywhere; Escape in the box leads back. */
import { type RefObject, useEffect, useRef } from 'react';

/** @returns leaves the box for where the person was before, or for the page */
export function useSearchFocus(input: RefObject<HTMLInputElement | null>): () => void {
  const before = useRef<Element | null>(null);
  useEffect(() => {
    const focus = (event: KeyboardEvent) => {
      const isShortcut =
        (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === 'k';
      if (!isShortcut || document.querySelector('dialog[open]') !== null) return;
      event.preventDefault();
      if (document.activeElement !== input.current) before.current = document.activeElement;
      input.current?.focus();
      input.current?.select();
    };
    addEventListener('keydown', focus);
    return () => removeEventListener('keydown', focus);
  }, [input]);
  return () => {
    const place = before.current;
    before.current = null;
    input.current?.blur();
    if (place instanceof HTMLElement && place.isConnected && place !== document.body) place.focus();
    else document.querySelector('main')?.focus({ preventScroll: true });
  };
}
