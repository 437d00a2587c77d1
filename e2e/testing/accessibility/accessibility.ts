/** What axe finds on a page that has come to rest. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type * as Axe from 'axe-core';
import type { Page } from 'playwright-core';

declare const axe: typeof Axe;

/** Without comments and long names it is read in half the time. */
const SCRIPT = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

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
  // It stays on a page until that is loaded anew.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(SCRIPT);
  return page.evaluate(async (place) => {
    // All rules run; only the elements that passed them are not described, which is two thirds of the work.
    const { violations } = await axe.run(place ?? document, { resultTypes: ['violations'] });
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`));
  }, within);
}
