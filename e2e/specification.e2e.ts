/**
 * Sentences of the specification without another test: the frame, the tree, columns, colours and
 * times.
 */
import { beforeEach, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { entriesOf } from './testing/vault/entries.ts';
import { fieldsOf } from './testing/vault/fields.ts';
import { beforeSending } from './testing/browser/intercept.ts';
import { withOnePage } from './testing/browser/one-page.ts';
import { signUpAtOnce } from './testing/people/people.ts';
import { leaveGroup, setRole } from './testing/vault/roles.ts';
import { PERSON, screenOf } from './testing/vault/screen.ts';
import type { RunningServer } from './testing/server/server.ts';

const TREE = '*/passwordBroker/api/entryGroupsAsTree*';

let server: RunningServer;
let page: Page;
let at: ReturnType<typeof fieldsOf>;
let parent: string;
let child: string;

withOnePage(async (opened) => {
  ({ server, page } = opened);
  page.setDefaultTimeout(10_000);
  at = fieldsOf(page);
  await signUpAtOnce(page, server.origin);
  parent = await entriesOf(page, screenOf(page)).addTree('Production', true);
  const made = await at.call<{ entryGroup: { entry_group_id: string } }>('POST', '/passwordBroker/api/entryGroups', {
    name: 'Databases',
    parent_entry_group_id: parent,
    master_password: PERSON.masterPassword,
  });
  child = made.entryGroup.entry_group_id;
});
beforeEach(async () => {
  await page.goto(`${server.origin}/entryGroup/${child}`);
  await at.heading('Databases').waitFor();
});

/** Holds requests until they are released. */
async function held(pattern: string) {
  let letGo = () => {};
  const waiting = new Promise<void>((resolve) => (letGo = resolve));
  const stop = await beforeSending(page, pattern, async (caught) => {
    await waiting;
    await caught.goOn();
  });
  return async () => {
    letGo();
    await stop();
  };
}

test('header, sidebar, content and footer contain the elements of the specification', async () => {
  const header = page.getByRole('banner');
  const home = header.getByRole('link', { name: 'PasswordBroker, home' });
  expect([await home.innerText(), await home.locator('svg, img').count()]).toEqual(['PasswordBroker', 1]);
  expect(await home.getAttribute('href')).toBe('/');
  for (const name of ['Admin Panel', 'Logout', 'Account of Mira Okafor']) {
    await header.getByRole('link', { name, exact: true }).waitFor();
  }
  await header.getByRole('link', { name: 'Logout' }).and(page.locator('[href="/identity/logout"]')).waitFor();
  await header.getByRole('combobox', { name: 'Search entries' }).waitFor();
  await at.button('Master Pasword not entered').waitFor();
  await page.getByRole('complementary', { name: 'Groups' }).getByRole('treegrid').waitFor();
  const footer = page.getByRole('contentinfo');
  expect([(await footer.innerText()).trim(), await footer.locator('a, button').count()]).toEqual(['PasswordBroker', 0]);
});

test('the icon of the search box searches, and does nothing with blank text', async () => {
  const box = page.getByRole('combobox', { name: 'Search entries' });
  const icon = at.button('Search', page.getByRole('banner'));
  await box.fill('   ');
  await icon.click();
  await page.waitForTimeout(100);
  expect(new URL(page.url()).pathname).toBe(`/entryGroup/${child}`);
  await box.fill('ledger');
  await icon.click();
  await at.heading('Search results for: "ledger"').waitFor();
});

test("the overlay of the tree reads 'loading...', then 'updating...' over the existing tree", async () => {
  const first = await held(TREE);
  await page.reload();
  await page.getByRole('status').getByText('loading...').first().waitFor();
  await first();
  await at.treeRow('Databases, Admin').waitFor();
  const second = await held(TREE);
  await page.getByRole('tab', { name: 'Settings' }).click();
  await at.box('Group name').fill('Data stores');
  await page.keyboard.press('Enter');
  await page.getByRole('status').getByText('updating...').waitFor();
  expect(await at.treeRow('Production, Admin').count()).toBe(1);
  await second();
  await at.treeRow('Data stores, Admin').waitFor();
  await page.getByText('updating...').waitFor({ state: 'detached' });
  await at.call('PUT', `/passwordBroker/api/entryGroups/${child}`, { name: 'Databases' });
});

test('a click on the folder icon expands and collapses without navigation; a leaf has a plain folder', async () => {
  const row = at.treeRow('Production, Admin');
  await row.getByRole('button').first().click();
  await expect.poll(() => row.getAttribute('aria-expanded')).toBe('false');
  await row.getByRole('button').first().click();
  await expect.poll(() => row.getAttribute('aria-expanded')).toBe('true');
  expect(new URL(page.url()).pathname).toBe(`/entryGroup/${child}`);
  const leaf = at.treeRow('Databases, Admin');
  expect([await leaf.getByRole('button').count(), await leaf.locator('svg path').first().getAttribute('fill')]).toEqual(
    [0, null],
  );
});

test('titles of the tree: admin yellow, moderator sky, member green, guest light and not selectable', async () => {
  /** Hue in degrees and saturation of a title in the dark theme. */
  const colourOf = (name: string) =>
    at.treeRow(name).evaluate((row) => {
      const title = [...row.querySelectorAll('span')].find((span) => span.title !== '') ?? row;
      const [r = 0, g = 0, b = 0] = (getComputedStyle(title).color.match(/[\d.]+/g) ?? []).map(Number);
      const [high, low] = [Math.max(r, g, b), Math.min(r, g, b)];
      const part =
        high === r ? (g - b) / (high - low) : high === g ? 2 + (b - r) / (high - low) : 4 + (r - g) / (high - low);
      return { hue: Math.round(60 * part + 360) % 360, spread: high - low };
    });
  const within = async (name: string, from: number, to: number) => {
    await at.treeRow(name).waitFor();
    const { hue, spread } = await colourOf(name);
    expect([hue >= from && hue <= to, spread > 60], `${name}: ${hue}°`).toEqual([true, true]);
  };
  await within('Databases, Admin', 40, 60);
  for (const [role, name, from, to] of [
    ['moderator', 'Moderator', 190, 220],
    ['member', 'Member', 120, 150],
  ] as const) {
    await setRole(server.dataDir, child, role);
    await page.reload();
    await within(`Databases, ${name}`, from, to);
  }
  await leaveGroup(server.dataDir, parent);
  await page.reload();
  const guest = at.treeRow('Production, Guest');
  await guest.waitFor();
  expect((await colourOf('Production, Guest')).spread).toBeLessThan(30);
  await guest.locator('[title=Production]').click();
  await page.waitForTimeout(100);
  expect(new URL(page.url()).pathname).toBe(`/entryGroup/${child}`);
  await setRole(server.dataDir, child, 'admin');
});

test('the add-group dialog shows a spinner while adding, and opens again empty and without the error', async () => {
  const open = () => at.button('add new tree').click();
  const add = at.button('add', at.dialog());
  await open();
  await add.click();
  await at.dialog().getByText('The name is required.').waitFor();
  await at.box('Title', at.dialog()).fill('Staging');
  await page.keyboard.press('Escape');
  await at.closed();
  await open();
  expect([await at.box('Title', at.dialog()).inputValue(), await at.dialog().getByText('required').count()]).toEqual([
    '',
    0,
  ]);
  await at.box('Title', at.dialog()).fill('Staging');
  const release = await held('*/passwordBroker/api/entryGroups');
  await add.click();
  await at.remember();
  const busy = at.dialog().locator('button[aria-busy=true], button[aria-disabled=true][type=submit]');
  await busy.locator('svg, [class*=spinner]').first().waitFor();
  await release();
  await at.heading('Staging').waitFor();
});

test('entries and fields have the columns of the specification', async () => {
  await at.addEntry('Billing ledger');
  const table = page.getByRole('table', { name: 'Entries' });
  await table.getByRole('checkbox', { name: /all/i }).first().waitFor();
  const columns = (await table.getByRole('columnheader').allInnerTexts()).map((text) => text.trim());
  expect(columns.filter((text) => text !== '')).toEqual(expect.arrayContaining(['Title', 'Created at', 'Updated at']));
  await at.openEntry('Billing ledger');
  const fields = page.getByRole('table', { name: 'Fields of Billing ledger' });
  expect(await fields.getByRole('columnheader').allInnerTexts()).toEqual(['Title', 'Type', 'Value', 'Actions']);
});

test("'copied' is shown for about 300 ms before it fades; a toast appears bottom-left", async () => {
  await at.openEntry('Billing ledger');
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await at.button('Add field', page.getByRole('main')).click();
  await at.box('Title', at.dialog()).fill('Root account');
  await at.box('Login', at.dialog()).fill('root');
  await at.box('Master password', at.dialog()).fill(PERSON.masterPassword);
  await at.button('Add field', at.dialog()).click();
  await at.row('Root account').waitFor();
  await at.button('Copy login', at.row('Root account')).click();
  const tag = at.row('Root account').getByText('copied', { exact: true });
  await tag.waitFor();
  const opacities = await tag.evaluate((shown) => {
    const [animation] = shown.getAnimations();
    if (animation === undefined) throw new Error('The tag does not fade');
    animation.pause();
    return [100, 200, 300, 540].map((time) => {
      animation.currentTime = time;
      return Number(getComputedStyle(shown).opacity);
    });
  });
  expect(opacities.slice(0, 3)).toEqual([1, 1, 1]);
  expect(opacities[3]).toBeLessThan(0.5);
  await page.emulateMedia({ reducedMotion: 'reduce' });

  await at.button('Delete Root account', at.row('Root account')).click();
  await at.button('Delete field', page.getByRole('alertdialog')).click();
  await at.notice('Field "Root account" deleted').first().waitFor();
  const box = await page.getByRole('region', { name: 'Notices' }).boundingBox();
  const { width = 0, height = 0 } = page.viewportSize() ?? {};
  expect([(box?.x ?? width) < 60, (box?.y ?? 0) + (box?.height ?? 0) > height - 120]).toEqual([true, true]);
});
