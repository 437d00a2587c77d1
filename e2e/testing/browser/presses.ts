/** Measures how a page responds to a press, layout shifts without one, and both on a slow device. */
import type { Page } from 'playwright-core';
import type { WatchedPage } from './browser.ts';

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
    let [sum, began, last] = [0, -Infinity, -Infinity];
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[]) {
        if (entry.hadRecentInput) continue;
        // A session window of Web Vitals: up to 5 s of shifts at most 1 s apart.
        if (entry.startTime - last > 1000 || entry.startTime - began > 5000) [sum, began] = [0, entry.startTime];
        last = entry.startTime;
        sum += entry.value;
        probe.shift = Math.max(probe.shift, sum);
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

/** Cumulative layout shift of this page as Web Vitals define it: without shifts within half a second after input. */
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

/** From now on the tab has a slow network (400 ms latency, 50 kB/s) and a slow processor (4× throttling). */
export async function slowDown({ context, page: slowed }: WatchedPage): Promise<void> {
  const session = await context.newCDPSession(slowed);
  await session.send('Network.enable');
  const bytes = 50_000;
  const slow = { offline: false, latency: 400, downloadThroughput: bytes, uploadThroughput: bytes };
  await session.send('Network.emulateNetworkConditions', slow);
  await session.send('Emulation.setCPUThrottlingRate', { rate: 4 });
}
