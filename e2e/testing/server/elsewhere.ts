/** The same user in another browser without a local copy, whose changes the copies must receive. */
import type { Browser, Page } from 'playwright-core';
import { launchBrowser, openPage } from '../browser/browser.ts';
import { fieldsOf } from '../vault/fields.ts';
import { LEDGER, logIn, type OfflineBrowser } from '../offline/offline-copy.ts';

export interface Elsewhere {
  readonly page: Page;
  /** The last written value of 'Root account'. */
  password(): string;
  /** Writes another value; resolves when the server has stored it. */
  changePassword(to: string): Promise<void>;
  close(): Promise<void>;
}

/** Signed in and unlocked, so that it can write as soon as the server runs. */
export async function openElsewhere({
  proxy,
  groupUrl,
}: Pick<OfflineBrowser, 'proxy' | 'groupUrl'>): Promise<Elsewhere> {
  const browser: Browser = await launchBrowser();
  const { page } = await openPage(browser);
  page.setDefaultTimeout(20_000);
  const at = fieldsOf(page);
  let password: string = LEDGER.password;
  await page.goto(`${proxy.origin}/identity/login`);
  await logIn({ page, at });
  await at.treeRow('Production, Admin').waitFor();
  await page.goto(groupUrl);
  await at.openEntry(LEDGER.entry);
  await at.button('Show', at.row(LEDGER.account)).click();
  await at.remember();
  await at.row(LEDGER.account).getByText(password).waitFor();

  return {
    page,
    password: () => password,
    async changePassword(to) {
      await at.button(`Edit ${LEDGER.account}`, at.row(LEDGER.account)).click();
      await at.box('Value', at.dialog()).fill(to);
      await at.button('Save', at.dialog()).click();
      await at.closed();
      password = to;
    },
    close: () => browser.close(),
  };
}
