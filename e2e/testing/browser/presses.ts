/** Measures how a page responds to a press, and layout shifts without one. */
import type { Page } from 'playwright-core';

export interface Press {
  /** Milliseconds from the press to the first visible change; null if there is none yet. */
  readonly seenAfter: number | null;
}

interface Probe {
  pressed: number | null;
  seen: number | null;
  shift: number;
}

/** Watches every page of the tab from now on; call it before the first one opens. */
export async function watchPresses(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const probe: Probe = { pressed: null, seen: null, shift: 0 };
    Object.assign(globalThis, { probe });
    const press = () => {
      probe.pressed = performance.now();
      probe.seen = null;
    };
    addEventListener('click', press, true);
    addEventListener('keydown', (event) => event.key === 'Enter' && press(), true);
    const SEEN =
      'aria-busy aria-checked aria-current aria-disabled aria-expanded aria-label aria-pressed aria-selected data-drawer data-state open popover';
    const begin = () =>
      new MutationObserver(() => {
        if (probe.pressed !== null) probe.seen ??= performance.now();
      }).observe(document, {
        subtree: true,
        childList: true,
        characterData: true,
        attributes: true,
        attributeFilter: SEEN.split(' '),
      });
    begin();
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[]) {
        if (!entry.hadRecentInput) probe.shift += entry.value;
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
}

/** The last press. */
export const lastPress = (page: Page): Promise<Press> =>
  page.evaluate(() => {
    const { pressed, seen } = (globalThis as unknown as { probe: Probe }).probe;
    if (pressed === null) throw new Error('Nothing was pressed.');
    return {
      seenAfter: seen === null ? null : seen - pressed,
    };
  });

/** Cumulative layout shift of this page, without shifts within half a second after input. */
export const moved = (page: Page): Promise<number> =>
  page.evaluate(() => (globalThis as unknown as { probe: Probe }).probe.shift);

/** Counts pointer presses and Enter keys in the current document. */
export async function countPresses(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    const counted = { presses: 0 };
    Object.assign(globalThis, { counted });
    const count = () => (counted.presses += 1);
    addEventListener('pointerdown', count, true);
    addEventListener('keydown', (event) => event.key === 'Enter' && !event.repeat && count(), true);
  });
  return () => page.evaluate(() => (globalThis as unknown as { counted: { presses: number } }).counted.presses);
}
