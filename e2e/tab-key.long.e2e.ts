/**
 * Every screen by the Tab key: all controls are reached in page order, the focus is always visible, only open
 * dialogs trap it, and closing them returns it.
 */
import { expect, test } from 'vitest';
import { withOnePage, type OnePage } from './testing/browser/one-page.ts';
import { lostFocus, openLayers, tabFaults } from './testing/accessibility/tab-walk.ts';
import { TOURS } from './testing/tour/tour.ts';
import { ORDINARY } from './testing/tour/tour-words.ts';

const WIDE = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };

let opened: OnePage;
withOnePage(async (one) => {
  opened = one;
  one.page.setDefaultTimeout(20_000);
  await one.page.emulateMedia({ reducedMotion: 'reduce' });
});

test.each(TOURS)('the Tab key reaches every control: %s', async (_, tour) => {
  const { page, server } = opened;
  const visit = async (name: string) => {
    expect.soft([name, await tabFaults(page)]).toEqual([name, []]);
    const layers = await openLayers(page);
    await page.setViewportSize(PHONE);
    await page.waitForFunction((width) => innerWidth === width, PHONE.width);
    // A popup anchored to a button of the wide header does not show on a phone.
    if ((await openLayers(page)) === layers)
      expect.soft([name, 'on a phone', await tabFaults(page)]).toEqual([name, 'on a phone', []]);
    await page.setViewportSize(WIDE);
    await page.waitForFunction((width) => innerWidth === width, WIDE.width);
  };
  const leave = async () => {
    await page.keyboard.press('Escape');
    await expect.poll(() => openLayers(page)).toBe(0);
    await expect.poll(() => lostFocus(page)).toBe(false);
  };
  await tour({ page, server, words: ORDINARY, visit, leave });
});
