/**
 * From Enter after the master password to the tree of an offline copy with 10,000 entries and 30,000 fields, including
 * Argon2id; and the switch of a page whose keys are open. Baselines in the same browser: the derivation alone in
 * a worker, and AES-GCM of as many bytes.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { Browser, Page } from 'playwright-core';
import { KDF_PROFILES } from '@passwordbroker/core/crypto/kdf';
import { launchBrowser, openPage } from '../../e2e/testing/browser/browser.ts';
import { PERSON, screenOf } from '../../e2e/testing/vault/screen.ts';
import { startServer } from '../../e2e/testing/server/server.ts';
import { bareSealing, importEntries, keptBytes, lastOf, waitForCalls, watchWorkers } from './offline-page.ts';
import { watchMachineSpeed } from '../tools/machine-speed.ts';
import { percentile, printTable } from '../tools/table.ts';

const ENTRIES = 10_000;
const ROUNDS = 5;
const LIMIT_MS = 500;
/** Made by `npm run build`. */
const ASSETS = new URL('../../web/dist/assets/', import.meta.url);

/** The derivation alone on an empty page, with the worker file of the client. */
async function derivationAlone(browser: Browser): Promise<{ take(): Promise<number>; close(): void }> {
  const file = readdirSync(ASSETS).find((name) => /^kdf-worker-.*\.js$/.test(name)) ?? '';
  const code = readFileSync(new URL(file, ASSETS));
  const files = createServer(({ url }, answer) => {
    const isWorker = url === `/${file}`;
    answer.writeHead(200, { 'content-type': isWorker ? 'text/javascript' : 'text/html' });
    answer.end(isWorker ? code : '<!doctype html>');
  });
  await new Promise<void>((resolve) => files.listen(0, '127.0.0.1', resolve));
  const address = files.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  const page = await (await browser.newContext()).newPage();
  await page.goto(`http://127.0.0.1:${port}/`);
  const take = () =>
    page.evaluate(
      async ([url, profile]) => {
        const worker = new Worker(url, { type: 'module' });
        // The client prepares the worker while the password is typed.
        await new Promise((resolve) => setTimeout(resolve, 1000));
        const started = performance.now();
        const [password, salt] = [new Uint8Array(24).fill(7), new Uint8Array(16).fill(9)];
        const answer = await new Promise<{ failure?: string }>((resolve, reject) => {
          worker.onmessage = ({ data }: MessageEvent<{ failure?: string }>) => resolve(data);
          worker.onerror = () => reject(new Error('the derivation could not start'));
          worker.postMessage({ password, salt, profile });
        });
        const took = performance.now() - started;
        worker.terminate();
        if (answer.failure !== undefined) throw new Error(answer.failure);
        return took;
      },
      [`/${file}`, KDF_PROFILES.A1] as const,
    );
  return { take, close: () => files.close() };
}

/** From the next key or click until `selector` exists, both by the page's clock. */
async function timed(page: Page, selector: string, act: () => Promise<void>): Promise<number> {
  await page.evaluate((wanted) => {
    const took = new Promise<number>((resolve) => {
      let began = Number.NaN;
      const begin = () => {
        began = performance.now();
        removeEventListener('keydown', begin, true);
        removeEventListener('click', begin, true);
        const look = () => {
          if (document.querySelector(wanted) === null) requestAnimationFrame(look);
          else resolve(performance.now() - began);
        };
        look();
      };
      addEventListener('keydown', begin, true);
      addEventListener('click', begin, true);
    });
    Object.assign(globalThis, { took });
  }, selector);
  await act();
  return page.evaluate(() => (globalThis as unknown as { took: Promise<number> }).took);
}

const TREE_ROW = 'aside [role=treegrid] [role=row]';
const BANNER = '[role=status] svg.lucide-database-x';
const p50 = (samples: readonly number[]) => percentile(samples, 0.5);

const speed = watchMachineSpeed();
await speed.measure();
const server = await startServer({ env: { LOG_LEVEL: 'warn' } });
const browser = await launchBrowser();
try {
  const { page, context } = await openPage(browser, { serviceWorkers: 'allow' });
  await watchWorkers(context);
  page.setDefaultTimeout(180_000);
  const screen = screenOf(page);
  await screen.signUp(server.origin);
  await importEntries(page, ENTRIES);
  await screen.button('Offline database').click();
  const panel = page.getByRole('dialog', { name: 'Offline database' });
  await panel.waitFor();
  await panel.getByRole('switch').focus();
  await page.keyboard.press('Space');
  await waitForCalls(page, 'takeCopy', 1);
  for (const name of ['key', 'database', 'salt'])
    await panel.locator(`[data-part=${name}]`).getByText('synchronized').waitFor();
  const stored = await keptBytes(page);
  const derivation = await derivationAlone(browser);

  const switches: number[] = [];
  const banner = page.getByRole('status').filter({ hasText: 'Database is offline.' });
  for (let round = 0; round < ROUNDS; round += 1) {
    const button = screen.button('Switch to offline', panel);
    if (!(await panel.isVisible())) await screen.button('Offline database').click();
    await button.waitFor();
    switches.push(await timed(page, BANNER, () => button.click()));
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
    await screen.button('Switch to online', banner).click();
    await banner.waitFor({ state: 'detached' });
  }

  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await server.kill();
  const rounds: { all: number; unlock: number; open: number; kdf: number; bare: number }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    await page.reload();
    await page.getByRole('heading', { name: 'Work offline', level: 1 }).waitFor();
    await screen.box('Master password').fill(PERSON.masterPassword);
    // As long as typing the password takes.
    await page.waitForTimeout(1000);
    const all = await timed(page, TREE_ROW, () => page.keyboard.press('Enter'));
    const [unlock, open] = [await lastOf(page, 'unlock'), await lastOf(page, 'openCopy')];
    rounds.push({ all, unlock, open, kdf: await derivation.take(), bare: (await bareSealing(page, stored)).open });
  }
  derivation.close();
  await speed.measure();
  const slowness = speed.slowness();
  const [all, kdf] = [p50(rounds.map((one) => one.all)), p50(rounds.map((one) => one.kdf))];
  const row = (what: string, ms: number, limit: number | string = '') => ({
    what,
    ms,
    'there ms': ms / slowness,
    limit,
    ratio: ms / kdf,
  });
  printTable(
    `Offline switch: ${ENTRIES} entries, ${3 * ENTRIES} fields, ${(stored / 1e6).toFixed(1)} MB sealed (median of ${ROUNDS}; at ${slowness.toFixed(2)} times the milliseconds of the machine of the limits)`,
    [
      row('Enter to a usable tree, with the derivation', all, LIMIT_MS),
      row('its calls: unlock', p50(rounds.map((one) => one.unlock))),
      row('its calls: the copy opened', p50(rounds.map((one) => one.open))),
      row('Argon2id alone', kdf),
      row('bare AES-GCM of as many bytes', p50(rounds.map((one) => one.bare))),
      row('beside Argon2id', p50(rounds.map((one) => one.all - one.kdf))),
      row('“Switch to offline”, keys open already', p50(switches), LIMIT_MS),
    ],
  );
} finally {
  await browser.close();
  await server.stop();
}
