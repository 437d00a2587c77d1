/**
 * The sign-in page in Chromium, from the start of the navigation to a focused field, without and with a cache. The
 * baseline is a page with nothing but such a field, loaded alternately. Also prints the weight of the scripts.
 */
import { createServer } from 'node:http';
import type { BrowserContext } from 'playwright-core';
import { launchBrowser } from '../../e2e/testing/browser/browser.ts';
import { screenOf } from '../../e2e/testing/vault/screen.ts';
import { startServer } from '../../e2e/testing/server/server.ts';
import { watchMachineSpeed } from '../tools/machine-speed.ts';
import { untilAtRest } from '../tools/process.ts';
import { percentile, printTable } from '../tools/table.ts';

const ROUNDS = 15;
const LIMIT_MS = 200;
const EMPTY = '<!doctype html><meta charset="utf-8"><title>Empty</title><input name="email" autofocus>';

/** Runs in the page; records the frame after the field gets the focus. An event, because polling would load the page. */
const sayWhenUsable = () => {
  document.addEventListener('focusin', ({ target }) => {
    if (!(target instanceof HTMLInputElement) || target.name !== 'email') return;
    requestAnimationFrame(() => console.debug(`usable ${performance.now()}`));
  });
};

/** Milliseconds since the start of the navigation. */
async function usable(context: BrowserContext, url: string) {
  const page = await context.newPage();
  const weights: Promise<number>[] = [];
  page.on('requestfinished', (request) => {
    if (new URL(request.url()).pathname.endsWith('.js'))
      weights.push(request.sizes().then(({ responseBodySize }) => responseBodySize));
  });
  // Chromium prepares its own window for more than a second first.
  await untilAtRest();
  const usable = page.waitForEvent('console', (message) => message.text().startsWith('usable '));
  await page.goto(url);
  const ms = Number((await usable).text().split(' ')[1]);
  const bytes = (await Promise.all(weights)).reduce((sum, weight) => sum + weight, 0);
  await page.close();
  return { ms, bytes };
}

const bare = createServer((_, answer) => answer.writeHead(200, { 'content-type': 'text/html' }).end(EMPTY));
await new Promise<void>((resolve) => bare.listen(0, '127.0.0.1', resolve));
const address = bare.address();
const emptyPage = `http://127.0.0.1:${address !== null && typeof address === 'object' ? address.port : 0}/`;
const speed = watchMachineSpeed();
await speed.measure();
const server = await startServer({ env: { LOG_LEVEL: 'warn' } });
const browser = await launchBrowser();
try {
  const first = await browser.newPage();
  await screenOf(first).signUp(server.origin);
  await first.close();
  const login = `${server.origin}/identity/login`;
  const rounds: { cold: number; again: number; empty: number; bytes: number }[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const context = await browser.newContext();
    // tsx wraps named functions in a helper that the page does not have.
    await context.addInitScript({ content: 'globalThis.__name = (made) => made;' });
    await context.addInitScript(sayWhenUsable);
    const empty = await usable(context, emptyPage);
    const cold = await usable(context, login);
    const again = await usable(context, login);
    await context.close();
    // The first round warms up the browser.
    if (round > 0) rounds.push({ cold: cold.ms, again: again.ms, empty: empty.ms, bytes: cold.bytes });
  }
  const of = (name: keyof (typeof rounds)[number], share: number) =>
    percentile(
      rounds.map((one) => one[name]),
      share,
    );
  await speed.measure();
  const row = (what: string, name: 'cold' | 'again' | 'empty', limit: number | string = '') => ({
    what,
    'p50 ms': of(name, 0.5),
    'there ms': of(name, 0.5) / speed.slowness(),
    'p90 ms': of(name, 0.9),
    'limit ms': limit,
    'to the empty page': of(name, 0.5) / of('empty', 0.5),
  });
  printTable(
    `The sign-in page, ${(of('bytes', 0.5) / 1000).toFixed(1)} kB of script as sent (${ROUNDS} rounds; at ${speed.slowness().toFixed(2)} times the milliseconds of the machine of the limits)`,
    [
      row('usable, nothing of it here yet', 'cold', LIMIT_MS),
      row('usable, been here before', 'again', LIMIT_MS),
      row('a page of one field alone', 'empty'),
    ],
  );
} finally {
  bare.close();
  await browser.close();
  await server.stop();
}
