/** Findings of axe on a page without running animations. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type * as Axe from 'axe-core';
import type { Page } from 'playwright-core';

declare const axe: typeof Axe;

/** The minified file loads twice as fast. */
const SCRIPT = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Waits until no finite transition or animation runs; spinners are ignored. */
export const atRest = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    // A new size or state starts its transitions in the next frame.
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    const ends = document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY)
      .map(async ({ finished }) => finished);
    await Promise.allSettled(ends);
  });

/**
 * Every finding as `rule: markup`; empty if there is none. Waits for running transitions first, because their
 * intermediate colours fail the contrast rules.
 */
export async function findings(page: Page, within?: string): Promise<readonly string[]> {
  await atRest(page);
  // The script stays loaded until the page reloads.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(SCRIPT);
  return page.evaluate(async (place) => {
    // All rules run; passed elements are not reported, which saves two thirds of the time.
    const { violations } = await axe.run(place ?? document, { resultTypes: ['violations'] });
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`));
  }, within);
}
