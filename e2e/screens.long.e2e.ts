/**
 * Every screen, with ordinary and with extreme texts: the accessibility tree (names, landmarks, headings),
 * and reflow at 320 × 256 CSS pixels, which is 1280 × 1024 at 400 % zoom (WCAG 1.4.10).
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Browser } from 'playwright-core';
import { launchBrowser, openPage, type WatchedPage } from './testing/browser/browser.ts';
import { reflowFaults } from './testing/accessibility/reflow.ts';
import { startServer, type RunningServer } from './testing/server/server.ts';
import { spokenFaults } from './testing/accessibility/spoken.ts';
import { TOURS } from './testing/tour/tour.ts';
import { ORDINARY, type Words } from './testing/tour/tour-words.ts';

/** Texts without line breaks, in both writing directions, with combining characters and surrogate pairs. */
const HOSTILE: Words = {
  person: 'W'.repeat(100),
  email: `${'e'.repeat(60)}@${'long-domain-label-of-many-letters.'.repeat(5)}example.org`,
  colleague: `יונתן ${'Ẅ̴̈'.repeat(10)}👩‍👩‍👧‍👦${'W'.repeat(45)}`,
  group: 'W'.repeat(255),
  child: `مجموعة كلمات السر ${'👩‍👩‍👧‍👦'.repeat(12)} ${'Z̸̢̛͎͖̘͊͛'.repeat(10)}`,
  entry: `W${'i'.repeat(20)}${'W'.repeat(229)}`,
  field: `שדה ${'W'.repeat(245)}`,
  login: 'L'.repeat(1024),
  link: `https://example.org/${'a'.repeat(1500)}`,
  fileName: `${'f'.repeat(250)}.p12`,
  search: 'Wiiii',
};

const WIDE = { width: 1440, height: 900 };
const ENLARGED = { width: 320, height: 256 };

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

describe.each([
  ['ordinary', ORDINARY],
  ['hostile', HOSTILE],
] as const)('every screen with %s texts', (_, words) => {
  let server: RunningServer;
  let watched: WatchedPage;
  beforeAll(async () => {
    server = await startServer();
    watched = await openPage(browser);
    watched.page.setDefaultTimeout(20_000);
  });
  afterAll(async () => {
    await watched.context.close();
    await server.stop();
  });

  test.each(TOURS)('has accessible names, headings and reflow: %s', async (_name, tour) => {
    const { page } = watched;
    const visit = async (name: string) => {
      expect.soft([name, await spokenFaults(page)]).toEqual([name, []]);
      expect.soft([name, await reflowFaults(page)]).toEqual([name, []]);
      await page.setViewportSize(ENLARGED);
      await page.waitForFunction((width) => innerWidth === width, ENLARGED.width);
      expect.soft([name, 'enlarged', await reflowFaults(page)]).toEqual([name, 'enlarged', []]);
      await page.setViewportSize(WIDE);
    };
    await tour({ page, server, words, visit, leave: () => page.keyboard.press('Escape') });
    expect(watched.complaints()).toEqual([]);
  });
});
