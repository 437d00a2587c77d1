import type { Page } from 'playwright-core';

/**
 * Watches for an element that is visible only for a moment. The returned function says whether a match has
 * appeared since.
 */
export async function noticing(page: Page, selector: string): Promise<() => Promise<boolean>> {
  const mark = 'noticed';
  await page.evaluate(
    ([wanted, name]) => {
      delete document.documentElement.dataset[name];
      const watch = new MutationObserver(() => {
        if (document.querySelector(wanted) === null) return;
        document.documentElement.dataset[name] = 'yes';
        watch.disconnect();
      });
      watch.observe(document.body, { childList: true, subtree: true });
    },
    [selector, mark] as const,
  );
  return () => page.evaluate((name) => document.documentElement.dataset[name] === 'yes', mark);
}
