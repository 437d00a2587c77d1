/**
 * After every test of a journey: fails on any CSP violation. After a failed test: prints text and failed
 * requests of the open pages.
 */
import { afterEach, expect } from 'vitest';
import { openedPages, policyViolations } from './browser.ts';

const MOST_TEXT = 1500;

afterEach(() => {
  expect(policyViolations()).toEqual([]);
});

afterEach(async ({ task }) => {
  if (task.result?.state !== 'fail') return;
  for (const { page, troubles } of openedPages()) {
    const text = await page
      .locator('body')
      .innerText({ timeout: 2000 })
      .catch(() => '(no text)');
    console.log([`${task.name}: ${page.url()}`, ...troubles, text.slice(0, MOST_TEXT)].join('\n'));
  }
});
