/** Signs that somebody is here, or back. */

const SIGNS = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'] as const;
const OFTEN_ENOUGH_MS = 1000;

export interface Presence {
  /** A key, a pointer, a touch; at most once a second. */
  readonly onActivity: () => void;
  /** The page is on show again: after sleep, from another tab, out of the browser's cache. */
  readonly onReturn: () => void;
}

export function watchPresence({ onActivity, onReturn }: Presence): void {
  if (typeof window === 'undefined') return;
  let last = -OFTEN_ENOUGH_MS;
  const seen = (event: Event) => {
    if (event.timeStamp - last < OFTEN_ENOUGH_MS) return;
    last = event.timeStamp;
    onActivity();
  };
  for (const sign of SIGNS) window.addEventListener(sign, seen, { capture: true, passive: true });
  window.addEventListener('focus', onReturn);
  window.addEventListener('pageshow', onReturn);
  document.addEventListener('resume', onReturn);
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') onReturn();
  });
}
