/** What was on the pages when a test failed, and what went wrong on their wires: a run elsewhere leaves nothing else to look at. */
import { afterEach } from 'vitest';
import { openedPages } from './browser.ts';

const MOST_TEXT = 1500;

afterEach(async ({ task }) => {
  if (task.result?.state !== 'fail') return;
  for (const { page, troubles } of openedPages()) {
    if (page.isClosed()) continue;
    const text = await page
      .locator('body')
      .innerText({ timeout: 2000 })
      .catch(() => '(no text)');
    console.log([`${task.name}: ${page.url()}`, ...troubles, text.slice(0, MOST_TEXT)].join('\n'));
  }
});
