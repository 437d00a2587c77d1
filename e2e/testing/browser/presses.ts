/** What a press does to the page, and what moves without one. */
import type { Page } from 'playwright-core';

export interface Press {
  /** Milliseconds from the press to the first change that can be seen; null when there was none. */
  readonly seenAfter: number | null;
}

interface Probe {
  pressed: number | null;
  seen: number | null;
  shift: number;
}

/** Watches every page of that tab from now on; call before the first one is opened. */
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

/** Of the last press. */
export const lastPress = (page: Page): Promise<Press> =>
  page.evaluate(() => {
    const { pressed, seen } = (globalThis as unknown as { probe: Probe }).probe;
    if (pressed === null) throw new Error('Nothing was pressed.');
    return {
      seenAfter: seen === null ? null : seen - pressed,
    };
  });

/** How much has moved on this page without a press in the half second before: the sum that browsers call layout shift. */
export const moved = (page: Page): Promise<number> =>
  page.evaluate(() => (globalThis as unknown as { probe: Probe }).probe.shift);
