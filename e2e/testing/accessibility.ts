/** What axe finds on a page that has come to rest. */
import AxeBuilder from '@axe-core/playwright';
import type { Page } from 'playwright-core';

/**
 * Every finding as `rule: markup`, an empty list when there is none. Colours and opacities on their way from one theme
 * or state to another have contrasts that nobody asked for, so running transitions are waited for first.
 */
export async function findings(page: Page, within?: string): Promise<readonly string[]> {
  await page.evaluate(async () => {
    const ends = document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY)
      .map(async ({ finished }) => finished);
    await Promise.allSettled(ends);
  });
  // Else the findings are put together in a page of its own, opened for each call, behind which this one is a hidden tab; ours has no frames.
  const axe = new AxeBuilder({ page }).setLegacyMode();
  const { violations } = await (within === undefined ? axe : axe.include(within)).analyze();
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`));
}
