/** `?` asks for the keys wherever it is not text (WCAG 2.1.4): not in a text field, not while a dialog is open. */
import { useEffect } from 'react';

const TEXT_FIELDS =
  'input:not([type=checkbox], [type=radio], [type=range], [type=button], [type=file]), textarea, select, [contenteditable]';

/** @param ask stable */
export function useQuestionMark(ask: () => void): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey, target } = event;
      if (key !== '?' || ctrlKey || metaKey || altKey || event.defaultPrevented) return;
      if (target instanceof Element && target.closest(TEXT_FIELDS) !== null) return;
      if (document.querySelector('dialog[open]') !== null) return;
      event.preventDefault();
      ask();
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, [ask]);
}
