/**
 * Chromium uses only the last `--disable-features`, so ours must contain all features that Playwright
 * disables.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser } from 'playwright-core';
import { launchBrowser, openPage } from './testing/browser/browser.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

const SWITCH = '--disable-features=';

/** `--disable-features` lists of each browser process started by this process. */
function listsOfOurs(): string[][] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const isOurs = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[1] === String(process.pid);
        const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
        const lists = words.filter((word) => word.startsWith(SWITCH)).map((word) => word.slice(SWITCH.length));
        return isOurs && lists.length > 0 ? [lists] : [];
      } catch {
        return [];
      }
    });
}

test('features that Playwright disables stay disabled', () => {
  const all = listsOfOurs();
  expect(all.length).toBeGreaterThan(0);
  for (const lists of all) {
    const last = new Set(lists.at(-1)?.split(','));
    expect(lists.length).toBeGreaterThan(1);
    for (const list of lists) expect(list.split(',').filter((feature) => !last.has(feature))).toEqual([]);
  }
});

test('a window has no internal pages of the browser', async () => {
  const { page, context } = await openPage(browser);
  await page.setContent('<input>');
  const session = await browser.newBrowserCDPSession();
  const { targetInfos } = await session.send('Target.getTargets', { filter: [{}] });
  expect(targetInfos.map(({ type }) => type).filter((type) => !['page', 'tab', 'browser'].includes(type))).toEqual([]);
  await context.close();
});
