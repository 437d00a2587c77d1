/** Signs that somebody is here. */

const SIGNS = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'] as const;
const OFTEN_ENOUGH_MS = 1000;

export function watchPresence(onActivity: () => void): void {
  if (typeof window === 'undefined') return;
  let last = 0;
  const seen = (event: Event) => {
    if (event.timeStamp - last < OFTEN_ENOUGH_MS) return;
    last = event.timeStamp;
    onActivity();
  };
  for (const sign of SIGNS) window.addEventListener(sign, seen, { capture: true, passive: true });
}
