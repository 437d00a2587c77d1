/** The whole offline journey on a device whose clock is an hour off, in every thread of the browser (M34). */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openElsewhere, type Elsewhere } from './testing/server/elsewhere.ts';
import { bannerOf, keepCopy, offlineBrowser } from './testing/offline/offline-copy.ts';
import { journey } from './testing/offline/offline-journey.ts';
import { hasCompiler, makeOtherClock, type OtherClock } from './testing/server/other-clock.ts';

const HOUR = 3600;
const { browser, start, stop, open } = offlineBrowser();
let elsewhere: Elsewhere;
let clock: OtherClock;
const canSetClock = hasCompiler();

beforeAll(async () => {
  if (!canSetClock) return;
  clock = makeOtherClock();
  await start();
  await keepCopy(browser);
  elsewhere = await openElsewhere(browser);
});
afterAll(async () => {
  if (!canSetClock) return;
  try {
    await elsewhere.close();
  } finally {
    await stop();
    clock.remove();
  }
});

test.skipIf(!canSetClock).each([
  { name: 'ahead', clockOff: HOUR, age: /\(1 hour old\)/, newPassword: 'w4-Tk9 harbour' },
  {
    name: 'behind',
    clockOff: -HOUR,
    age: /\(by a clock that is ahead of this device’s\)/,
    newPassword: 'x7-Pm2 gannet',
  },
])('M34: the offline journey works with a clock an hour $name (skipped without a C compiler)', async (way) => {
  const { clockOff } = way;
  await journey(browser, elsewhere, {
    ...way,
    begin: async () => {
      await browser.context.close();
      await open(clock.env(clockOff));
      const { page } = browser;
      await page.goto(browser.groupUrl);
      const off = (await page.evaluate(() => Date.now())) - Date.now();
      expect(Math.abs(off / 1000 - clockOff)).toBeLessThan(60);
      return [page];
    },
    isSignedOut: true,
  });
  // The codes use the device clock; the server has reported by now that it is wrong.
  await browser.at.button('Show code', browser.at.row('Sign-in')).click();
  await browser.page.getByText(new RegExp(`The clock of this device is (?:59|60) minutes ${way.name} `)).waitFor();
  // Signed requests use the time corrected by the server.
  const { page, at } = browser;
  await at.button('Switch to online').click();
  await bannerOf(page).waitFor({ state: 'detached' });
  await at.button('add new tree').click();
  await at.box('Title', at.dialog()).fill(`Made ${way.name}`);
  await page.keyboard.press('Enter');
  await at.heading(`Made ${way.name}`).waitFor();
  await page.reload();
  await at.treeRow(`Made ${way.name}, Admin`).waitFor();
});
