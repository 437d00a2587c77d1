/** The pages in German: no text of the English catalogues is left on them. */
import { expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { findings } from './testing/accessibility/accessibility.ts';
import { withOnePage } from './testing/browser/one-page.ts';
import { signUpAtOnce } from './testing/people/people.ts';
import { fieldsOf } from './testing/vault/fields.ts';
import type { RunningServer } from './testing/server/server.ts';
import { GERMAN_EXCHANGE } from '../web/src/texts/de/exchange.ts';
import { GERMAN } from '../web/src/texts/german.ts';
import { ENGLISH } from './testing/tour/english-texts.ts';

let server: RunningServer;
let page: Page;

withOnePage(async (opened) => {
  ({ server, page } = opened);
  page.setDefaultTimeout(15_000);
  await signUpAtOnce(page, server.origin);
});

/** Constant texts of catalogues. */
function constants(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(constants) : [];
}

const german = new Set(constants({ ...GERMAN, ...GERMAN_EXCHANGE }));
const english = new Set(constants(ENGLISH).filter((text) => !german.has(text)));

/** Lines, names and tooltips of the page that are English. */
async function englishTexts(): Promise<string[]> {
  const texts = await page.evaluate(() => {
    const names = [...document.querySelectorAll('[aria-label], [title], [placeholder]')].flatMap((element) =>
      ['aria-label', 'title', 'placeholder'].map((name) => element.getAttribute(name) ?? ''),
    );
    return [...document.body.innerText.split('\n'), ...names].map((text) => text.trim());
  });
  return [...new Set(texts)].filter((text) => english.has(text));
}

test('the search for English texts finds them on the English page', async () => {
  expect(await englishTexts()).toContain('Select an Entry Group');
});

test('choosing German on the account page reloads the page in German, and it stays', async () => {
  const at = fieldsOf(page);
  await at.addTree('Production');
  await at.addEntry('Billing ledger');
  await page.goto(`${server.origin}/account`);
  await page.getByRole('radio', { name: 'Deutsch' }).press('Space');
  await page.getByRole('heading', { name: 'Konto', exact: true }).waitFor();
  expect(await page.locator('html').getAttribute('lang')).toBe('de');
});

test.each([
  ['/account', 'Konto'],
  ['/', 'Gruppen'],
  ['/notices', 'Mitteilungen'],
  ['/trash', 'Papierkorb'],
  ['/leavers', 'Ausgeschiedene'],
  ['/nothing-here', 'Unter dieser Adresse gibt es keine Seite'],
  ['/admin/user_control/', 'Benutzer'],
  ['/admin/user_control/add', 'Benutzer anlegen'],
  ['/admin/user_control/invite', 'Einladen'],
  ['/admin/settings/', 'Einstellungen'],
  ['/admin/checkup/', 'Prüfung der Site'],
  ['/admin/backup/', 'Backup'],
  ['/admin/user_control/tokens', 'Tokens'],
  ['/admin/logs/', 'Protokoll'],
])('%s is German and accessible', async (path, heading) => {
  await page.goto(`${server.origin}${path}`);
  await page.getByRole('heading', { name: heading, exact: true }).first().waitFor();
  await page.waitForLoadState('networkidle');
  expect(await englishTexts()).toEqual([]);
  expect(await findings(page)).toEqual([]);
});

test('a group, its entry, the search and the sign-in page are German', async () => {
  await page.goto(server.origin);
  await page
    .getByRole('treegrid')
    .getByRole('row', { name: /Production/ })
    .click();
  await page.getByRole('button', { name: 'Billing ledger', exact: true }).click();
  await page.getByText('Noch keine Felder.').waitFor();
  expect(await englishTexts()).toEqual([]);
  for (const tab of ['Verlauf', 'Benutzer', 'Einstellungen']) {
    await page.getByRole('tab', { name: tab }).click();
    await page.waitForLoadState('networkidle');
    expect([tab, await englishTexts()]).toEqual([tab, []]);
  }
  await page.goto(`${server.origin}/entrySearch/nothing`);
  await page.getByText('… kein Ergebnis').waitFor();
  expect(await englishTexts()).toEqual([]);
  await page.goto(`${server.origin}/identity/logout`);
  await page.getByRole('button', { name: 'Anmelden', exact: true }).waitFor();
  expect(await englishTexts()).toEqual([]);
  // What the server answers is German, too.
  await page.getByRole('textbox', { name: 'E-Mail' }).fill('nobody@example.org');
  await page.getByLabel('Passwort', { exact: true }).fill('not the password');
  await page.getByRole('button', { name: 'Anmelden', exact: true }).click();
  await page.getByText('E-Mail oder Passwort ist falsch').waitFor();
  expect(await findings(page)).toEqual([]);
});
