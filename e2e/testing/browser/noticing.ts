/** For what is on the screen only while work runs: a fast machine may be done with it before a test looks. */
import type { Page } from 'playwright-core';

/** Watches from now on. The returned function says whether anything that matches was there at any moment since. */
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
