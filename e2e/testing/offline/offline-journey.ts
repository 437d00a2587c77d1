/**
 * The whole offline journey (docs/spec/product.md §1, §4): the server stops, the client opens without it,
 * everything in the copy is used, disabled controls say why, the server returns, and a change made elsewhere
 * arrives on the page and in the copy.
 */
import { readFile } from 'node:fs/promises';
import { totpCode } from '@passwordbroker/core/domain/fields/totp';
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Elsewhere } from '../server/elsewhere.ts';
import { fieldsOf } from '../vault/fields.ts';
import {
  bannerOf,
  keptIn,
  LEDGER,
  logIn,
  logInOffline,
  offlineLoginOf,
  switchToOffline,
  type OfflineBrowser,
} from './offline-copy.ts';

export const NOT_OFFLINE = 'Not available offline';

export interface Tab {
  readonly page: Page;
  readonly at: ReturnType<typeof fieldsOf>;
}
export const tabOf = (page: Page): Tab => ({ page, at: fieldsOf(page) });

interface Way {
  /** Opens the client without the server; each of these tabs runs the whole journey. */
  readonly begin: () => Promise<readonly [Page, ...Page[]]>;
  /** Seconds that the device clock is ahead of the true time. */
  readonly clockOff?: number;
  /** Text of the banner about the age of the copy. */
  readonly age: RegExp;
  /** The browser has lost its session and must log in. */
  readonly isSignedOut?: boolean;
  readonly newPassword: string;
}

/**
 * Begins online with a copy and the server running, ends offline with the server running. @returns the tabs,
 * all offline
 */
export async function journey(browser: OfflineBrowser, elsewhere: Elsewhere, way: Way): Promise<readonly Tab[]> {
  await browser.server.kill();
  const pages = await way.begin();
  const tabs = pages.map(tabOf);
  // All tabs have the copy open at once.
  for (const tab of tabs) await unlock(tab, way.age);
  for (const tab of tabs) {
    await tab.page.bringToFront();
    await revealAll(tab, elsewhere.password(), way.clockOff ?? 0);
    await lookAtHistory(tab, elsewhere.password());
    await lookAtDisabled(tab);
    await search(tab);
    await stayAway(tab);
  }

  const [first] = pages;
  const before = await keptIn(first);
  await browser.server.restart();
  await elsewhere.changePassword(way.newPassword);
  let isSignedOut = way.isSignedOut ?? false;
  for (const tab of tabs) {
    await tab.page.bringToFront();
    await comeBack(tab, isSignedOut);
    // A login in one tab applies to all.
    isSignedOut = false;
  }
  for (const tab of tabs) {
    await tab.page.bringToFront();
    await openLedger(tab);
    await revealPassword(tab, way.newPassword);
  }
  // One of the tabs fetched the change: one more sealed piece in the copy.
  await expect.poll(() => keptIn(first), { timeout: 30_000 }).toEqual({ ...before, pieces: before.pieces + 1 });
  for (const tab of tabs) {
    await tab.page.bringToFront();
    await switchToOffline(tab);
    await openLedger(tab);
    await revealPassword(tab, way.newPassword);
  }
  return tabs;
}

async function unlock(tab: Tab, age: RegExp) {
  const { page, at } = tab;
  await page.bringToFront();
  await offlineLoginOf(page).waitFor();
  await logInOffline(tab);
  await at.heading('Production').waitFor();
  await bannerOf(page).waitFor();
  expect(await bannerOf(page).innerText()).toMatch(/local copy from \d{4}\.\d\d\.\d\d \d\d:\d\d \(/);
  expect(await bannerOf(page).innerText()).toMatch(age);
}

async function openLedger({ page, at }: Tab) {
  const fields = page.getByRole('table', { name: `Fields of ${LEDGER.entry}` });
  await at.entry(LEDGER.entry).first().waitFor();
  if ((await fields.count()) === 0) await at.openEntry(LEDGER.entry);
}

/** Enters the master password if the vault is locked. */
async function revealPassword({ page, at }: Tab, password: string) {
  const row = at.row(LEDGER.account);
  await at.button('Show', row).click();
  const asked = page.getByRole('dialog').getByLabel('Master password', { exact: true });
  await row.getByText(password).or(asked).first().waitFor();
  if ((await asked.count()) > 0) await at.remember();
  await row.getByText(password).waitFor();
  expect(await row.innerText()).toContain(LEDGER.login);
  await at.button('Hide', row).click();
}

/** Milliseconds that an expired code stays visible (docs/spec/product.md §4). */
const STAYS_MS = 500;

async function revealAll(tab: Tab, password: string, clockOff: number) {
  const { page, at } = tab;
  await openLedger(tab);
  await revealPassword(tab, password);

  await at.button('Show', at.row('Console')).click();
  const link = at.row('Console').getByRole('link');
  await expect.poll(() => link.getAttribute('href')).toBe(LEDGER.link);
  expect(await at.shownIn('Runbook')).toContain(LEDGER.note);

  // The code follows the device clock: that of any moment while it was read, or the former one, which stays
  // for a moment.
  const code = (now: number) =>
    totpCode({ secret: LEDGER.totp, algorithm: 'sha1', period: 30 }, now + clockOff * 1000).code;
  const began = Date.now();
  const shown = await at.shownIn('Sign-in', 'Show code', 'Hide code');
  const digits = /(\d{3})\s*(\d{3})\s+\d+ s/.exec(shown);
  expect([code(began - STAYS_MS), code(Date.now())]).toContain(`${digits?.[1]}${digits?.[2]}`);

  const downloading = page.waitForEvent('download');
  await at.button('Download file', at.row('Certificate')).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe(LEDGER.file.name);
  expect((await readFile(await download.path())).equals(LEDGER.file.buffer)).toBe(true);
}

/** The copy holds only the current revision. */
async function lookAtHistory({ page, at }: Tab, password: string) {
  await at.button(`History of ${LEDGER.account}`, at.row(LEDGER.account)).click();
  await at.dialog().getByText('The local copy contains only the current values').waitFor();
  const written = at
    .dialog()
    .getByRole('row')
    .filter({ has: page.getByRole('button', { name: 'Show', exact: true }) });
  await at.button('Show', written.first()).click();
  await at.dialog().getByText(password).waitFor();
  await page.keyboard.press('Escape');
  await at.dialog().waitFor({ state: 'detached' });
}

async function lookAtDisabled({ page, at }: Tab) {
  await saysWhyNot([
    at.button('add new Entry'),
    at.button('Add field', page.getByRole('main')),
    at.button(`add new tree. ${NOT_OFFLINE}`),
    at.button(`Edit ${LEDGER.account}. ${NOT_OFFLINE}`),
    page.getByRole('link', { name: 'Trash' }),
  ]);
}

/** Each of these controls is disabled, says why, and is still reached by keyboard. */
export async function saysWhyNot(controls: readonly Locator[]): Promise<void> {
  for (const control of controls) {
    await control.waitFor();
    const told = await control.evaluate((element) => {
      const described = document.getElementById(element.getAttribute('aria-describedby') ?? '')?.textContent ?? '';
      (element as HTMLElement).focus();
      return {
        isOff: element.getAttribute('aria-disabled'),
        why: `${element.getAttribute('aria-label') ?? ''} ${described}`,
        isReached: document.activeElement === element,
      };
    });
    expect([told.isOff, told.isReached]).toEqual(['true', true]);
    expect(told.why).toContain(NOT_OFFLINE);
  }
}

async function search({ page, at }: Tab) {
  await page.getByRole('combobox', { name: 'Search entries' }).fill('relay');
  await page.keyboard.press('Enter');
  await at.heading('Search results for: "relay"').waitFor();
  await page.getByRole('main').getByText('Mail relay').first().waitFor();
  expect(await page.getByRole('main').getByText(LEDGER.entry).count()).toBe(0);
  await at.treeRow('Production, Admin').click();
  await at.heading('Production').waitFor();
}

/** Going online fails while the server is down, and the page stays usable. */
async function stayAway({ page, at }: Tab) {
  await at.button('Switch to online').click();
  await page
    .getByText(/^Cannot establish connection with localhost/)
    .first()
    .waitFor();
  await bannerOf(page).waitFor();
  await at.entry(LEDGER.entry).first().waitFor();
}

async function comeBack(tab: Tab, isSignedOut: boolean) {
  const { page, at } = tab;
  await at.button('Switch to online').click();
  await bannerOf(page).waitFor({ state: 'detached' });
  if (isSignedOut) await logIn(tab);
  await at.heading('Production').waitFor();
}
