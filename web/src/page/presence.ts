/** Reports activity of the person and their return to the page. */
import type { Presence } from '@passwordbroker/client/keyring/keyring';

const SIGNS = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'] as const;
const OFTEN_ENOUGH_MS = 1000;

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
