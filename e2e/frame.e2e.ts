/**
 * The frame around every page: focus, the groups drawer, the admin menu, code that fails to load, small and
 * zoomed screens.
 */
import { afterEach, describe, expect, test } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { findings } from './testing/accessibility/accessibility.ts';
import { openPage } from './testing/browser/browser.ts';
import { beforeAnswer, type CaughtAnswer } from './testing/browser/intercept.ts';
import { withOnePage } from './testing/browser/one-page.ts';
import { signUpAtOnce } from './testing/people/people.ts';
import { type Screen, screenOf } from './testing/vault/screen.ts';
import type { RunningServer } from './testing/server/server.ts';

const GROUP = 'Engineering';

let server: RunningServer;
let browser: Browser;
let page: Page;
let screen: Screen;

withOnePage(async (opened) => {
  ({ server, browser, page } = opened);
  page.setDefaultTimeout(15_000);
  screen = screenOf(page);
  await signUpAtOnce(page, server.origin);
  await screen.button(/add new tree/i).click();
  await screen.box('Title', screen.dialog()).fill(GROUP);
  await page.keyboard.press('Enter');
  await screen.remember();
  await screen.heading(GROUP).waitFor();
});
afterEach(async () => {
  await page.setViewportSize({ width: 1440, height: 900 });
});

const home = async () => {
  await page.goto(server.origin);
  await screen.heading('Select an Entry Group').waitFor();
};
/** Role or tag, and name, of the focused element. */
const focused = () =>
  page.evaluate(() => {
    const { tagName, textContent } = document.activeElement ?? document.body;
    return `${tagName} ${document.activeElement?.getAttribute('aria-label') ?? textContent?.trim()}`;
  });
const hasFocus = (what: string) => expect.poll(focused).toBe(what);
const isWiderThanWindow = () => page.evaluate(() => document.documentElement.scrollWidth > innerWidth);

describe('a new page moves the focus to its heading', () => {
  test('also when its code loads late', async () => {
    await home();
    await page.keyboard.press('Tab');
    await hasFocus('A Skip to entries');
    await screen.treeRow(`${GROUP}, Admin`).click();
    await hasFocus(`H1 ${GROUP}`);
    await page.keyboard.press('Control+k');
    await page.keyboard.type('ledger');
    await page.keyboard.press('Enter');
    await hasFocus('H1 Search results for: "ledger"');
    await page.goBack();
    await hasFocus(`H1 ${GROUP}`);
    expect(await page.getByRole('combobox', { name: 'Search entries' }).inputValue()).toBe('');
  });
});

describe('the groups drawer', () => {
  test.each([
    [900, 700],
    [390, 844],
    // 1280 × 1024 at 400 %
    [320, 256],
  ])('at %i × %i it takes, traps and returns the focus', async (width, height) => {
    await page.setViewportSize({ width, height });
    await home();
    expect(await isWiderThanWindow()).toBe(false);
    await screen.button('Open groups').click();
    await hasFocus('ASIDE Groups');
    expect(await page.locator('main').getAttribute('inert')).not.toBeNull();
    expect(await findings(page)).toEqual([]);
    await page.keyboard.press('Shift+Tab');
    expect(await focused()).not.toMatch(/^(A|INPUT)/);
    await page.keyboard.press('Escape');
    await hasFocus('BUTTON Open groups');
    expect(await page.locator('[inert]').count()).toBe(0);
  });

  test('has its rows after anything else was scrolled while it was closed', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await home();
    await screen.button('Open groups').click();
    await screen.treeRow(`${GROUP}, Admin`).waitFor();
    await page.keyboard.press('Escape');
    await page.evaluate(() => document.querySelector('main')?.dispatchEvent(new Event('scroll', { bubbles: true })));
    await screen.button('Open groups').click();
    await screen.treeRow(`${GROUP}, Admin`).click();
    await hasFocus(`H1 ${GROUP}`);
    // The same group again.
    await screen.button('Open groups').click();
    await screen.treeRow(`${GROUP}, Admin`).click();
    await expect.poll(() => page.locator('[inert]').count()).toBe(0);
  });

  test('opens a group by keyboard, and has a close button that the Tab key reaches', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await home();
    const row = `DIV ${GROUP}, Admin`;
    await screen.button('Open groups').press('Enter');
    await hasFocus('ASIDE Groups');
    // Before the groups have loaded, Tab skips the tree.
    await screen.treeRow(`${GROUP}, Admin`).waitFor();
    for (let tab = 0; tab < 4; tab += 1) await page.keyboard.press('Tab');
    await hasFocus(row);
    await page.keyboard.press('Tab');
    await hasFocus('A Trash');
    await page.keyboard.press('Tab');
    await hasFocus('A Former members');
    await page.keyboard.press('Tab');
    await hasFocus('BUTTON Close groups');
    await page.keyboard.press('Enter');
    await hasFocus('BUTTON Open groups');
    await page.keyboard.press('Enter');
    await hasFocus('ASIDE Groups');
    for (let tab = 0; tab < 4; tab += 1) await page.keyboard.press('Tab');
    await hasFocus(row);
    await page.keyboard.press('Enter');
    await hasFocus(`H1 ${GROUP}`);
    expect(await page.locator('[inert]').count()).toBe(0);
  });

  test('closes and moves the focus to a page that opens meanwhile', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await home();
    await screen.button('Open groups').click();
    await screen.treeRow(`${GROUP}, Admin`).click();
    await hasFocus(`H1 ${GROUP}`);
    await screen.button('Open groups').click();
    await hasFocus('ASIDE Groups');
    await page.goBack();
    await screen.heading('Select an Entry Group').waitFor();
    await hasFocus('H1 Select an Entry Group');
    expect(await page.locator('[inert]').count()).toBe(0);
  });

  test('becomes a column in a wider window', async () => {
    await page.setViewportSize({ width: 900, height: 700 });
    await home();
    await screen.button('Open groups').click();
    await hasFocus('ASIDE Groups');
    await page.setViewportSize({ width: 1300, height: 700 });
    await expect.poll(() => page.locator('[inert]').count()).toBe(0);
  });
});

describe('the header on a phone', () => {
  test('its sheet shows the name of the user and changes the theme without closing', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await home();
    await screen.button('Account and more').click();
    const sheet = page.getByRole('dialog', { name: 'Mira Okafor' });
    const [title, cross] = [sheet.getByRole('heading'), screen.button('Close', sheet)];
    const middle = (box: { y: number; height: number } | null) => (box?.y ?? 0) + (box?.height ?? 0) / 2;
    const apart = async () => Math.abs(middle(await title.boundingBox()) - middle(await cross.boundingBox()));
    // The sheet grows when its font has loaded.
    await expect.poll(apart).toBeLessThanOrEqual(1);
    await screen.button('Light theme', sheet).click();
    expect(await page.locator('html').getAttribute('data-theme')).toBe('light');
    expect(await findings(page)).toEqual([]);
    await screen.button('Dark theme', sheet).click();
    expect(await page.locator('html').getAttribute('data-theme')).toBe('dark');
    await hasFocus('BUTTON Light theme');
    await page.keyboard.press('Escape');
    await hasFocus('BUTTON Account and more');
  });

  test('every button is large enough for a finger', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await home();
    for (const control of await page.locator('header button').all()) {
      const area = await control.boundingBox();
      if (area === null) continue;
      expect(area.height).toBeGreaterThanOrEqual(40);
    }
  });
});

describe('the admin panel', () => {
  test('opens on the users page, with its menu in place of the groups', async () => {
    await home();
    await page.getByRole('link', { name: 'Admin Panel' }).click();
    await hasFocus('H1 Users');
    const menu = page.getByRole('navigation', { name: 'Admin Panel' });
    // The menu loads separately, before or after the page.
    await expect
      .poll(async () => (await menu.getByRole('link').allInnerTexts()).map((text) => text.split('\n')[0]))
      .toEqual([
        'Site checkup',
        'Users',
        'Create User',
        'Invite',
        'Tokens',
        'Service accounts',
        'Settings',
        'Single sign-on',
        'Logs',
        'Backup',
      ]);
    expect(await menu.locator('[aria-current=page]').innerText()).toBe('Users');
    expect(await findings(page)).toEqual([]);
  });

  test('redirects other users to the groups and says why', async () => {
    const stop = await beforeAnswer(page, '*/identity/api/me', async (caught) => {
      const body = JSON.parse(await caught.text()) as { user: object };
      await caught.answer(JSON.stringify({ ...body, user: { ...body.user, is_admin: false } }));
    });
    await page.goto(`${server.origin}/admin/backup/`);
    await page.getByText('The admin panel is for site administrators').waitFor();
    await screen.heading('Select an Entry Group').waitFor();
    expect(new URL(page.url()).pathname).toBe('/');
    await stop();
  });
});

describe('a part of the client that fails to load', () => {
  const PART = '*/assets/admin-page-*.js';

  const UPDATED = 'The server was updated.';
  const LOST = 'A part of the page did not arrive.';
  test.each<[what: string, type: string, hint: string, answer: (caught: CaughtAnswer) => Promise<void>]>([
    ['missing', 'missing', UPDATED, (caught) => caught.answer('', 404)],
    ['refused', 'error', LOST, (caught) => caught.answer('', 503)],
    [
      'other bytes than those of the build (W1)',
      'error',
      LOST,
      async (caught) => caught.answer(`${await caught.text()}\n`),
    ],
  ])('shows an error with its kind and address: %s', async (_, type, hint, answer) => {
    const stop = await beforeAnswer(page, PART, answer);
    await home();
    await page.getByRole('link', { name: 'Admin Panel' }).click();
    await screen.heading('Unexpected Application Error!').waitFor();
    const words = await page.getByRole('main').innerText();
    expect(words).toContain('Loading chunk AdminPage failed.');
    expect(words).toMatch(new RegExp(`\\(${type}: ${server.origin}/assets/admin-page-\\S+\\.js\\)`));
    expect(words).toContain(hint);
    expect(await findings(page)).toEqual([]);
    await stop();
    await screen.button('Reload the page').click();
    await screen.heading('Users').waitFor();
  });
});

test('signing in loads less than 100 kB of script', async () => {
  const guest = await openPage(browser);
  const scripts: Promise<number>[] = [];
  guest.page.on('requestfinished', (request) => {
    if (new URL(request.url()).pathname.endsWith('.js')) {
      scripts.push(request.sizes().then(({ responseBodySize }) => responseBodySize));
    }
  });
  await guest.page.goto(`${server.origin}/identity/login`);
  await guest.page.getByRole('heading', { name: 'Log in' }).waitFor();
  await guest.page.waitForLoadState('networkidle');
  const bytes = (await Promise.all(scripts)).reduce((sum, size) => sum + size, 0);
  expect(bytes).toBeGreaterThan(10_000);
  expect(bytes).toBeLessThan(100_000);
  expect(guest.complaints()).toEqual([]);
  await guest.context.close();
});

test('a pressed button stays distinguishable in forced colours', async () => {
  await page.emulateMedia({ forcedColors: 'active' });
  await home();
  const log = screen.button('Activity log');
  const colour = () => log.evaluate((button) => getComputedStyle(button).backgroundColor);
  const resting = await colour();
  await log.click();
  await expect.poll(colour).not.toBe(resting);
  await log.click();
  await page.emulateMedia({ forcedColors: 'none' });
});

describe('the theme', () => {
  const shown = (there: Page) => there.locator('html').getAttribute('data-theme');
  const bar = (there: Page) => there.locator('meta[name=theme-color]').getAttribute('content');
  const toggle = (there: Page) => there.getByRole('button', { name: 'Toggle light and dark theme' }).first();

  test.each(['light', 'dark'] as const)(
    'is dark from the first paint of the first visit, with a %s system theme; the toggle is remembered',
    async (scheme) => {
      const fresh = await openPage(browser, { scheme });
      await fresh.page.addInitScript(() => {
        const seen: (string | null)[] = [];
        Object.assign(globalThis, { seenThemes: seen });
        const look = () => seen.push(document.documentElement?.getAttribute('data-theme') ?? null);
        requestAnimationFrame(function again() {
          look();
          requestAnimationFrame(again);
        });
      });
      await fresh.page.goto(server.origin);
      await toggle(fresh.page).waitFor();
      const seen = await fresh.page.evaluate(() => (globalThis as unknown as { seenThemes: string[] }).seenThemes);
      expect([...new Set(seen)]).toEqual(['dark']);
      expect(await bar(fresh.page)).toBe('#12110f');
      await toggle(fresh.page).click();
      expect([await shown(fresh.page), await bar(fresh.page)]).toEqual(['light', '#f4f2ed']);
      await fresh.page.reload();
      expect([await shown(fresh.page), await bar(fresh.page)]).toEqual(['light', '#f4f2ed']);
      expect(fresh.complaints()).toEqual([]);
      await fresh.context.close();
    },
  );
});
