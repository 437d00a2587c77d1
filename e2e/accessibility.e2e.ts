/** The axe helper reports faults of the whole page and of a part of it. */
import { afterAll, expect, test } from 'vitest';
import { findings } from './testing/accessibility/accessibility.ts';
import { closePages, openPage, sharedBrowser } from './testing/browser/browser.ts';

const PAGE = `<html lang="en"><title>Two faults</title><main><h1>Faults</h1>
  <section id="pale"><p style="color: #eee; background: #fff">hardly to be read</p></section>
  <section id="good"><p>well to be read</p></section>
  <img src="data:," id="nameless"></main></html>`;

afterAll(async () => closePages(await sharedBrowser()));

test('axe reports both faults of a page, and only its own faults for each part', async () => {
  const { page } = await openPage(await sharedBrowser(), { scheme: 'light' });
  await page.setContent(PAGE);
  const found = await findings(page);
  expect(found).toHaveLength(2);
  expect(found).toContainEqual(expect.stringMatching(/^color-contrast: <p style/));
  expect(found).toContainEqual(expect.stringMatching(/^image-alt: <img /));
  expect(await findings(page, '#pale')).toEqual([expect.stringMatching(/^color-contrast: /)]);
  expect(await findings(page, '#good')).toEqual([]);
  await expect(findings(page, '#absent')).rejects.toThrow('No elements found');
});
