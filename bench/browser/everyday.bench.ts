/**
 * Everyday use with 20,000 entries in 2,000 groups in Chromium: a key in quick access until it is painted (at most 16 ms
 * longer than in a bare input), Home with favourites and recent entries (at most 1.2 times a group's page), and a new
 * entry with five fields (at most 3 times one with one field).
 */
import type { Page } from 'playwright-core';
import { launchBrowser, openPage } from '../../e2e/testing/browser/browser.ts';
import { startServer } from '../../e2e/testing/server/server.ts';
import { fieldsOf } from '../../e2e/testing/vault/fields.ts';
import { openDatabase } from '../../server/src/db/open.ts';
import { seedLargeVault } from '../data/large-vault.ts';
import { percentile, printTable } from '../tools/table.ts';

const [GROUPS, ENTRIES, FULL_GROUP] = [2_000, 20_000, 100];
const FAVOURITES = 12;
const ROUNDS = 5;
const TERM = 'grafana primary';
const p50 = (samples: readonly number[]) => percentile(samples, 0.5);

/** Records the time from each key to the end of the frame that shows it. */
const watchKeys = (page: Page) =>
  page.evaluate(() => {
    const painted: number[] = [];
    Object.assign(globalThis, { painted });
    const channel = new MessageChannel();
    const pressed: number[] = [];
    // A message after the callback of a frame arrives when the frame is drawn.
    channel.port1.onmessage = () => painted.push(performance.now() - (pressed.shift() ?? 0));
    addEventListener(
      'keydown',
      () => {
        pressed.push(performance.now());
        requestAnimationFrame(() => channel.port2.postMessage(null));
      },
      true,
    );
  });
const paintedKeys = (page: Page) =>
  page.evaluate(() => (globalThis as unknown as { painted: number[] }).painted.splice(0));

/** @returns milliseconds of each key until it is painted */
async function typed(page: Page): Promise<number[]> {
  await paintedKeys(page);
  for (const key of TERM) await page.keyboard.press(key === ' ' ? 'Space' : key, { delay: 20 });
  await page.waitForTimeout(500);
  return paintedKeys(page);
}

async function timed(act: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await act();
  return performance.now() - started;
}

const server = await startServer({ env: { LOG_LEVEL: 'warn' } });
const browser = await launchBrowser();
try {
  const { page } = await openPage(browser);
  page.setDefaultTimeout(60_000);
  const at = fieldsOf(page);
  await at.signUp(server.origin);
  const { user } = await at.call<{ user: { user_id: string } }>('GET', '/identity/api/me');
  await at.addTree('Production');
  await server.kill();
  const db = await openDatabase({ dataDir: server.dataDir, now: Date.now() });
  const vault = await seedLargeVault(db, {
    groups: GROUPS,
    entries: ENTRIES,
    fullGroup: FULL_GROUP,
    now: Date.now(),
    membersOf: () => [{ userId: user.user_id, role: 'admin' }],
  });
  await db.close();
  await server.restart();
  await page.goto(`${server.origin}/entryGroup/${vault.fullGroup}`);
  const rows = page.getByRole('table', { name: 'Entries' }).getByRole('row');
  await rows.nth(FAVOURITES).waitFor();

  // A bare input on the same page.
  await page.evaluate(() => {
    const bare = Object.assign(document.createElement('input'), { id: 'bare' });
    document.body.prepend(bare);
    bare.focus();
  });
  await watchKeys(page);
  const bare = await typed(page);
  await page.evaluate(() => document.querySelector('#bare')?.remove());
  await page.locator('body').press('Control+k');
  await page.getByRole('combobox', { name: 'Search entries' }).waitFor();
  const keys: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Delete');
    keys.push(...(await typed(page)));
  }
  await page.keyboard.press('Escape');

  const stars = page.getByRole('button', { name: /^Favourite: / });
  await stars.nth(1).click();
  await at.remember();
  for (let star = 2; star <= FAVOURITES; star += 1) await stars.nth(star).click();
  const home: number[] = [];
  const group: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    home.push(
      await timed(async () => {
        await page.getByRole('link', { name: 'PasswordBroker, home' }).click();
        await page
          .getByRole('list', { name: 'Favourites', exact: true })
          .getByRole('link')
          .nth(FAVOURITES - 1)
          .waitFor();
      }),
    );
    group.push(
      await timed(async () => {
        await page.goBack();
        await rows.nth(2).waitFor();
      }),
    );
  }

  const saved: Record<'one' | 'five', number[]> = { one: [], five: [] };
  await at.treeRow('Production, Admin').click();
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const fields of ['one', 'five'] as const) {
      await at
        .button(/add new Entry/)
        .first()
        .click();
      const { box, dialog } = at;
      await box('Title', dialog()).fill(`Ledger ${round} ${fields}`);
      await box('Password', dialog()).fill('first-Value_1');
      if (fields === 'five') {
        await box('Login', dialog()).fill('root');
        await box('Link', dialog()).fill('https://console.ledger.internal:8443/primary');
        await box('TOTP secret', dialog()).fill('JBSWY3DPEHPK3PXP');
        await dialog().getByRole('textbox', { name: 'Note' }).fill('For the auditors.');
        await dialog()
          .locator('input[type=file]:not([accept])')
          .setInputFiles({ name: 'ledger.pem', mimeType: 'text/plain', buffer: Buffer.alloc(2_000, 7) });
      }
      await box('Title', dialog()).focus();
      const ms = await timed(async () => {
        await page.keyboard.press('Enter');
        await at.closed();
      });
      if (round > 0) saved[fields].push(ms);
    }
  }
  printTable(`Everyday use with ${ENTRIES} entries in ${GROUPS} groups (medians)`, [
    { what: 'a key in a bare input, ms', value: p50(bare), limit: '' },
    { what: 'a key in quick access, ms', value: p50(keys), limit: p50(bare) + 16 },
    { what: 'a key in quick access, p95, ms', value: percentile(keys, 0.95), limit: '' },
    { what: 'back to a group’s page, ms', value: p50(group), limit: '' },
    { what: 'to Home, ms', value: p50(home), limit: 1.2 * p50(group) },
    { what: 'new entry with one field, ms', value: p50(saved.one), limit: '' },
    { what: 'new entry with five fields, ms', value: p50(saved.five), limit: 3 * p50(saved.one) },
  ]);
} finally {
  await browser.close();
  await server.stop();
}
