import { useState } from 'react';

/**
 * A ref for the control that has the focus when its dialog opens. The browser puts it there itself, in one step with opening: an effect would move it there a
 * moment later, and style and layout of the page would be worked out once more.
 */
export function firstFocus(control: HTMLElement | null): void {
  // React's own `autoFocus` calls focus() before the dialog is open, when nothing in it can have it.
  control?.setAttribute('autofocus', '');
}

/** The same for a control that gets the focus again: what was entered is refused, and entered anew. @returns its ref, and what focuses it again */
export function useFirstFocus(): readonly [attach: (control: HTMLElement | null) => void, again: () => void] {
  const [both] = useState(() => {
    let present: HTMLElement | null = null;
    const attach = (control: HTMLElement | null) => {
      present = control;
      firstFocus(control);
    };
    return [attach, () => present?.focus()] as const;
  });
  return both;
}
