import { useState } from 'react';

/**
 * Ref for the control with the initial focus of a dialog. The browser sets it while opening; an effect would
 * cost another layout.
 */
export function firstFocus(control: HTMLElement | null): void {
  // React's `autoFocus` calls focus() too early, before the dialog is open.
  control?.setAttribute('autofocus', '');
}

/** @returns the ref, and a function that focuses the control again */
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
