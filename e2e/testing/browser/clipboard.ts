/** Reads the clipboard by pasting, because a page may not read it. */
import type { Page } from 'playwright-core';

/**
 * Pastes into a temporary field, then restores the focus. The search box would send a pasted secret as a
 * query. A copy may still be running: poll with `expect.poll(() => pastedText(page))`.
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
