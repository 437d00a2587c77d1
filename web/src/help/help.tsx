import { Suspense, useEffect } from 'react';
import { lazyPart } from '../lib/chunk.ts';

const HelpDialog = lazyPart('HelpDialog', () => import('./help-dialog.tsx'));

interface Props {
  readonly onClose: () => void;
}

export function Help({ onClose }: Props) {
  return (
    <Suspense fallback={null}>
      <HelpDialog onClose={onClose} />
    </Suspense>
  );
}

export const TEXT_FIELDS =
  'input:not([type=checkbox], [type=radio], [type=range], [type=button], [type=file]), textarea, select, [contenteditable]';

/** `?` opens the help, except in a text field or a dialog (WCAG 2.1.4). @param ask a stable function */
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
