/**
 * After every test of every journey: the policy has refused nothing in any page. And of a test that failed: what was on the pages, and what went wrong on
 * their wires; a run elsewhere leaves nothing else to look at.
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
