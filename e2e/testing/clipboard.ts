/** What a paste gives: a page itself may not read the clipboard. */
import type { Page } from 'playwright-core';

/**
 * Pastes into the search box, then puts back what it held and where the focus was. A copy may still be on its way:
 * poll it, `expect.poll(() => pastedText(page))`.
 */
export async function pastedText(page: Page): Promise<string> {
  const search = page.getByRole('combobox', { name: 'Search entries' });
  const focused = await page.evaluateHandle(() => document.activeElement);
  const before = await search.inputValue();
  await search.fill('');
  await search.focus();
  await page.keyboard.press('Control+V');
  const text = await search.inputValue();
  await search.fill(before);
  await focused.evaluate((element) => (element as HTMLElement | null)?.focus());
  return text;
}
