/** What a paste gives: a page itself may not read the clipboard. */
import type { Page } from 'playwright-core';

/**
 * Pastes into a field of its own, then puts the focus back where it was: words in the search box are asked for when they have rested a moment there, and a secret
 * would be sent. A copy may still be on its way: poll it, `expect.poll(() => pastedText(page))`.
 */
export async function pastedText(page: Page): Promise<string> {
  const focused = await page.evaluateHandle(() => document.activeElement);
  const field = await page.evaluateHandle(() => {
    const made = document.createElement('textarea');
    (document.querySelector('dialog[open]') ?? document.body).append(made);
    made.focus();
    return made;
  });
  await page.keyboard.press('Control+V');
  const text = await field.evaluate((made) => {
    made.remove();
    return made.value;
  });
  await focused.evaluate((element) => (element as HTMLElement | null)?.focus());
  return text;
}
