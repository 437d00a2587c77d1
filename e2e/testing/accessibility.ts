/** What axe finds on a page that has come to rest. */
import AxeBuilder from '@axe-core/playwright';
import type { Page } from 'playwright-core';

/** Until no transition and no animation runs; spinners turn for ever and are not waited for. */
export const atRest = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    // What a new size or a new state sets going begins with the next frame.
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    const ends = document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY)
      .map(async ({ finished }) => finished);
    await Promise.allSettled(ends);
  });

/**
 * Every finding as `rule: markup`, an empty list when there is none. Colours and opacities on their way from one theme
 * or state to another have contrasts that nobody asked for, so running transitions are waited for first.
 */
export async function findings(page: Page, within?: string): Promise<readonly string[]> {
  await atRest(page);
  // A megabyte of script, which stays on a page until it is loaded anew.
  const isThere = await page.evaluate(() => 'axe' in globalThis);
  // Legacy: else the findings are put together in a page of its own, opened for each call, behind which this one is a hidden tab; ours has no frames.
  const axe = new AxeBuilder({ page, ...(isThere ? { axeSource: 'void 0' } : {}) }).setLegacyMode();
  // All rules run; only the elements that passed them are neither described nor sent here, which is two thirds of the work.
  axe.options({ resultTypes: ['violations'] });
  const { violations } = await (within === undefined ? axe : axe.include(within)).analyze();
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`));
}
