/**
 * A vault of 20,000 entries in 2,000 groups in Chromium: from "Log in" to a usable tree, a group of 5,000 entries,
 * frames while scrolling, memory of the page. The baseline is to draw 5,000 bare table rows.
 */
import type { CDPSession, Page } from 'playwright-core';
import { launchBrowser, openPage } from '../../e2e/testing/browser/browser.ts';
import { PERSON, screenOf } from '../../e2e/testing/vault/screen.ts';
import { startServer } from '../../e2e/testing/server/server.ts';
import { openDatabase } from '../../server/src/db/open.ts';
import { seedLargeVault } from '../data/large-vault.ts';
import { percentile, printTable } from '../tools/table.ts';

const [GROUPS, ENTRIES, FULL_GROUP] = [2_000, 20_000, 5_000];
const ROUNDS = 5;
const SCROLL_MS = 3_000;

/** Milliseconds to lay out a bare table of as many rows. */
const bareRows = (page: Page) =>
  page.evaluate((count) => {
    const started = performance.now();
    const table = document.createElement('table');
    for (let at = 0; at < count; at += 1) {
      const row = table.insertRow();
      for (const text of [`Entry ${at}`, '2026.03.01 09:30', '2026.03.01 09:30']) row.insertCell().textContent = text;
    }
    document.body.append(table);
    const height = table.offsetHeight;
    table.remove();
    return height > 0 ? performance.now() - started : Number.NaN;
  }, FULL_GROUP);

/** Scrolls down and up, one step per frame. @returns milliseconds of each frame */
const framesWhileScrolling = (page: Page, selector: string) =>
  page.evaluate(
    async ([name, length]) => {
      let scroller = document.querySelector(name);
      while (scroller !== null && scroller.scrollHeight <= scroller.clientHeight + 4) scroller = scroller.parentElement;
      const target = scroller ?? document.documentElement;
      const frames: number[] = [];
      let step = 120;
      const begun = await new Promise<number>((resolve) => requestAnimationFrame(resolve));
      for (let last = begun; last - begun < length;) {
        target.scrollTop += step;
        if (target.scrollTop + target.clientHeight >= target.scrollHeight - 1) step = -120;
        const now = await new Promise<number>((resolve) => requestAnimationFrame(resolve));
        frames.push(now - last);
        last = now;
      }
      return frames;
    },
    [selector, SCROLL_MS] as const,
  );

async function heapOf(session: CDPSession): Promise<number> {
  await session.send('HeapProfiler.collectGarbage');
  const { metrics } = (await session.send('Performance.getMetrics')) as { metrics: { name: string; value: number }[] };
  return (metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? Number.NaN) / 1e6;
}

const server = await startServer({ env: { LOG_LEVEL: 'warn' } });
const browser = await launchBrowser();
try {
  const { page, context } = await openPage(browser);
  page.setDefaultTimeout(60_000);
  const screen = screenOf(page);
  await screen.signUp(server.origin);
  const { user } = await screen.call<{ user: { user_id: string } }>('GET', '/identity/api/me');
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
  // All groups expanded: the longest tree.
  await page.evaluate((ids) => localStorage.setItem('pb-expanded-groups', JSON.stringify(ids)), vault.groupIds);
  const cdp = await context.newCDPSession(page);
  await cdp.send('Performance.enable');

  const logins: number[] = [];
  const openings: number[] = [];
  const bare: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    await page.goto(`${server.origin}/identity/logout`);
    await screen.box('Email').fill(PERSON.email);
    await screen.box('Password').fill(PERSON.password);
    const started = performance.now();
    await screen.button('Log in').click();
    await page.getByRole('treegrid').getByRole('row').first().waitFor();
    logins.push(performance.now() - started);
    bare.push(await bareRows(page));
    const opened = performance.now();
    await page.evaluate((path) => {
      history.pushState({}, '', path);
      dispatchEvent(new PopStateEvent('popstate'));
    }, `/entryGroup/${vault.fullGroup}`);
    await page.getByRole('table', { name: 'Entries' }).getByRole('row').nth(2).waitFor();
    openings.push(performance.now() - opened);
  }
  const p50 = (samples: readonly number[]) => percentile(samples, 0.5);
  printTable(`${ENTRIES} entries in ${GROUPS} groups, times (median of ${ROUNDS})`, [
    { what: '"Log in" to a usable tree', ms: p50(logins), 'limit ms': 1000, ratio: p50(logins) / p50(bare) },
    { what: `a group of ${FULL_GROUP} entries`, ms: p50(openings), 'limit ms': 300, ratio: p50(openings) / p50(bare) },
    { what: `${FULL_GROUP} bare table rows`, ms: p50(bare), 'limit ms': '', ratio: 1 },
  ]);
  const scrolled = [];
  for (const [what, selector] of [
    ['entries', 'main table'],
    ['tree', '[role=treegrid]'],
  ] as const) {
    const frames = await framesWhileScrolling(page, selector);
    const total = frames.reduce((sum, ms) => sum + ms, 0);
    scrolled.push({
      what,
      'frames per second': (frames.length / total) * 1000,
      'at least': 50,
      'frame p95 ms': percentile(frames, 0.95),
      'longest ms': Math.max(...frames),
    });
  }
  printTable('Scrolling', scrolled);
  printTable('Memory of the page', [{ 'JS heap MB': await heapOf(cdp), 'limit MB': 200 }]);
} finally {
  await browser.close();
  await server.stop();
}
