/** Where a link is offered: chosen in its dialog, kept by changes, and made for older links; the server never sees a host. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Browser, Page, Route } from 'playwright-core';
import { findLeaks } from '../server/src/testing/leaks.ts';
import { findings } from './testing/accessibility/accessibility.ts';
import { closePages, openPage, sharedBrowser, type WatchedPage } from './testing/browser/browser.ts';
import { type RecordingProxy, startRecordingProxy } from './testing/server/recording-proxy.ts';
import { freePort, type RunningServer, startServer } from './testing/server/server.ts';
import { fieldsOf } from './testing/vault/fields.ts';
import { setRole } from './testing/vault/roles.ts';

const OFFER = 'Offer on web sites';
/** Labels of hosts that are in nothing else. */
const [ONE, TWO, THREE, FOUR] = ['qwoxlnrvetuh', 'zmjpqkfybgdc', 'vuhrxtwokqnl', 'gybdfcpjzkqm'] as const;
let server: RunningServer;
let proxy: RecordingProxy;
let browser: Browser;
let watched: WatchedPage;
let page: Page;
let screen: ReturnType<typeof fieldsOf>;

beforeAll(async () => {
  const port = await freePort();
  server = await startServer({ publicUrl: `http://localhost:${port}` });
  proxy = await startRecordingProxy(port, () => server.port);
  browser = await sharedBrowser();
  watched = await openPage(browser);
  page = watched.page;
  page.setDefaultTimeout(15_000);
  screen = fieldsOf(page);
  await screen.signUp(proxy.origin);
  await screen.addTree('Ops');
  await screen.addEntry('Mail');
  await screen.openEntry('Mail');
});
afterAll(async () => {
  await closePages(browser);
  await proxy.close();
  await server.stop();
});
afterEach(() => {
  expect(watched.complaints()).toEqual([]);
});

const offer = () => screen.dialog().getByLabel(OFFER, { exact: true });
const edit = async (title: string) => {
  await screen.row(title).hover();
  await screen.button(`Edit ${title}`, screen.row(title)).click();
  await screen.box('Value', screen.dialog()).waitFor();
};
const save = async () => {
  await screen.button('Save', screen.dialog()).click();
  await screen.closed();
};

test('a new link is offered on its host unless chosen otherwise, by keyboard too', async () => {
  await screen.addField('Link', 'Webmail', async () => {
    await screen.box('Value', screen.dialog()).fill('no address');
    expect(await offer().count()).toBe(0);
    await screen.box('Value', screen.dialog()).fill(`https://mail.${ONE}.org/login`);
    expect(await offer().inputValue()).toBe('host');
    await expect
      .poll(() => offer().locator('option').allInnerTexts())
      .toEqual([
        `This host: mail.${ONE}.org`,
        `The whole domain ${ONE}.org`,
        `This address and below: mail.${ONE}.org/login`,
        'Nowhere',
      ]);
    expect(await findings(page, 'dialog')).toEqual([]);
    await screen.box('Value', screen.dialog()).focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('End');
    expect(await offer().inputValue()).toBe('never');
  });
});

test('the choice is there again, and stays with another address until it is changed', async () => {
  await edit('Webmail');
  expect(await offer().inputValue()).toBe('never');
  await screen.box('Value', screen.dialog()).fill(`https://mail.${TWO}.org/login`);
  await save();
  await edit('Webmail');
  expect(await offer().inputValue()).toBe('never');
  await offer().selectOption('domain');
  await save();
  await edit('Webmail');
  expect(await offer().inputValue()).toBe('domain');
  await page.keyboard.press('Escape');
  await screen.closed();
});

/** As a client that knows no rules would. */
async function addOldLinks(links: Readonly<Record<string, string>>) {
  const withoutRules = async (route: Route) => {
    const { site_sealed: _none, ...body } = route.request().postDataJSON() as Record<string, unknown>;
    await route.continue({ postData: JSON.stringify(body) });
  };
  await page.route(/\/fields$/, (route) =>
    route.request().method() === 'POST' ? withoutRules(route) : route.continue(),
  );
  for (const [title, value] of Object.entries(links))
    await screen.addField('Link', title, () => screen.box('Value', screen.dialog()).fill(value));
  await page.unroute(/\/fields$/);
}

test('links of clients that know no rules are opened once in the settings, and recorded', async () => {
  await addOldLinks({ 'Old address': `https://mail.${THREE}.org`, 'Old mail': `mailto:ada@${FOUR}.org` });
  await page.getByRole('tab', { name: 'Settings' }).click();
  const section = page.getByRole('region', { name: 'Prepare links for the browser extension' });
  await section.getByText(/^2 links of this group have no site rule yet\./).waitFor();
  expect(await findings(page, 'main')).toEqual([]);
  await screen.button('Open and prepare', section).focus();
  await page.keyboard.press('Enter');
  await section.getByText('1 link prepared, 1 is no web address.').waitFor();
  await section.getByText('Every link of this group has a site rule.').waitFor();
  expect(await screen.button('Open and prepare', section).count()).toBe(0);
  // The focus does not fall back to the page.
  expect(await section.evaluate((element) => element === document.activeElement)).toBe(true);
  await page.getByRole('tab', { name: 'History' }).click();
  for (const title of ['Old address', 'Old mail']) await page.getByRole('main').getByText(title).first().waitFor();
});

test('a moderator prepares links as an admin does', async () => {
  await page.getByRole('tab', { name: 'Entries' }).click();
  await screen.openEntry('Mail');
  await addOldLinks({ 'Older address': `https://mail.${FOUR}.org` });
  const groupId = /entryGroup\/([^/?]+)/.exec(page.url())?.[1] ?? '';
  await setRole(server.dataDir, groupId, 'moderator');
  await page.reload();
  await page.getByRole('tab', { name: 'Links' }).click();
  const section = page.getByRole('region', { name: 'Prepare links for the browser extension' });
  await section.getByText(/^1 link of this group has no site rule yet\./).waitFor();
  await screen.button('Open and prepare', section).click();
  await screen.remember();
  await section.getByText('1 link prepared.').waitFor();
  await section.getByText('Every link of this group has a site rule.').waitFor();
});

test('no host was sent in any encoding', () => {
  const hosts = Object.fromEntries([ONE, TWO, THREE, FOUR].map((name) => [name, new TextEncoder().encode(name)]));
  const sent = { requests: Buffer.concat(proxy.requests().map(({ bytes }) => bytes)) };
  expect(findLeaks(hosts, sent)).toEqual([]);
});
