/**
 * An offline copy of 20,000 entries with 60,000 fields in Chromium: first sync, the work of the worker, a change of
 * a field and of an entry, searches in the copy, and a new page without the server. The baseline is AES-GCM of
 * as many bytes in the same browser.
 */
import type { Page } from 'playwright-core';
import type { Field } from '@passwordbroker/core/contract/entities';
import { launchBrowser, openPage } from '../../e2e/testing/browser/browser.ts';
import { PERSON, screenOf } from '../../e2e/testing/vault/screen.ts';
import { startServer } from '../../e2e/testing/server/server.ts';
import { bareSealing, callsOf, importEntries, keptBytes, lastOf, waitForCalls, watchWorkers } from './offline-page.ts';
import { forgetPeak, memoryOf } from '../tools/process.ts';
import { percentile, printTable } from '../tools/table.ts';

const API = '/passwordBroker/api';
const ENTRIES = 20_000;
const CHANGES = 5;
/** Several queries of each kind, because the page caches results. */
const SEARCHES = [
  ['a word', ['mail', 'entry', 'user', 'note', 'group']],
  ['two words', ['entry 777', 'entry 778', 'entry 1777', 'entry 2777', 'entry 3777']],
  ['two places', [12, 13, 14, 15, 16].map((at) => `login:user title:${at}`)],
  ['a kind and a word', [1995, 1996, 1997, 1998, 1999].map((at) => `type:note ${at}`)],
  ['a word with an accent', ['zürich', 'zürich 1', 'zürich 2', 'zürich 3', 'zürich 4']],
  ['a letter', ['e', 'a', 'n', 't', 'r']],
] as const;

/** Start, end and transferred bytes of each download of the copy. */
const downloadsOf = (page: Page) =>
  page.evaluate(() =>
    (performance.getEntriesByType('resource') as PerformanceResourceTiming[])
      .filter(({ name }) => name.includes('/entryGroupsWithFields'))
      .map(({ name, startTime, responseEnd, transferSize }) => ({ name, startTime, responseEnd, transferSize })),
  );

/** From the request for changes to the stored piece. */
async function deltaOf(page: Page, change: () => Promise<unknown>): Promise<{ ms: number; bytes: number }> {
  const taken = (await callsOf(page, 'takeCopy')).length;
  await change();
  await waitForCalls(page, 'takeCopy', taken + 1);
  const asked = (await downloadsOf(page)).at(-1);
  const call = (await callsOf(page, 'takeCopy')).at(-1);
  if (asked === undefined || call === undefined) throw new Error('no change came');
  return { ms: call.ended - asked.startTime, bytes: asked.transferSize };
}

const server = await startServer({ env: { LOG_LEVEL: 'warn' } });
const browser = await launchBrowser();
try {
  const { page, context } = await openPage(browser, { serviceWorkers: 'allow' });
  await watchWorkers(context);
  page.setDefaultTimeout(180_000);
  const screen = screenOf(page);
  await screen.signUp(server.origin);
  await importEntries(page, ENTRIES);
  const afterImport = await memoryOf(server.pid());
  await forgetPeak(server.pid());

  await screen.button('Offline database').click();
  const panel = page.getByRole('dialog', { name: 'Offline database' });
  await panel.waitFor();
  const started = await page.evaluate(() => performance.now());
  await page.evaluate(() => {
    const seen: number[] = [];
    Object.assign(globalThis, { shownProgress: seen });
    setInterval(() => {
      const value = document.querySelector('[role=dialog] [role=progressbar]')?.getAttribute('aria-valuenow');
      if (value !== null && value !== undefined) seen.push(Number(value));
    }, 50);
  });
  await panel.getByRole('switch').focus();
  await page.keyboard.press('Space');
  await waitForCalls(page, 'takeCopy', 1);
  for (const name of ['key', 'database', 'salt'])
    await panel.locator(`[data-part=${name}]`).getByText('synchronized').waitFor();
  const [first] = await callsOf(page, 'takeCopy');
  const [download] = await downloadsOf(page);
  if (first === undefined || download === undefined) throw new Error('nothing was downloaded');
  const shown = new Set(
    await page.evaluate(() => (globalThis as unknown as { shownProgress: number[] }).shownProgress),
  );
  const afterSync = await memoryOf(server.pid());
  const stored = await keptBytes(page);
  const bare = await bareSealing(page, stored);
  const firstSync = first.ended - started;
  printTable(`First sync: ${ENTRIES} entries, ${3 * ENTRIES} fields, ${(stored / 1e6).toFixed(1)} MB sealed`, [
    { what: 'switched on to stored', ms: firstSync, limit: 20_000, ratio: firstSync / bare.seal },
    { what: 'download', ms: download.responseEnd - download.startTime, limit: '', ratio: '' },
    { what: 'checked, sealed, stored', ms: first.ended - first.started, limit: '', ratio: '' },
    { what: 'bare AES-GCM of as many bytes', ms: bare.seal, limit: '', ratio: 1 },
    { what: 'steps of progress that were shown', ms: shown.size, limit: '', ratio: '' },
  ]);

  const group = await screen.call<{ trees: { entry_group_id: string; children: { entry_group_id: string }[] }[] }>(
    'GET',
    `${API}/entryGroupsAsTree`,
  );
  const root = group.trees[0];
  const groupPath = `${API}/entryGroups/${root?.children[0]?.entry_group_id ?? root?.entry_group_id ?? ''}/entries`;
  const [edited] = await screen.call<{ entry_id: string }[]>('GET', groupPath);
  const fieldsPath = `${groupPath}/${edited?.entry_id}/fields`;
  const [field] = (await screen.call<Field[]>('GET', fieldsPath)).filter((one) => one.type === 'password');
  const p50 = (samples: readonly number[]) => percentile(samples, 0.5);
  const changes = [
    [
      'a value of an entry that has three fields',
      (at: number) =>
        screen.call('PUT', `${fieldsPath}/${field?.field_id}`, {
          type: 'password',
          title: field?.title,
          login: field?.login,
          value: `changed ${at}`,
          master_password: PERSON.masterPassword,
        }),
    ],
    ['a new entry without fields', (at: number) => screen.call('POST', groupPath, { title: `Changed ${at}` })],
  ] as const;
  for (const [what, change] of changes) {
    const deltas: { ms: number; bytes: number }[] = [];
    for (let at = 1; at <= CHANGES; at += 1) deltas.push(await deltaOf(page, () => change(at)));
    printTable(`A change: ${what} (median of ${CHANGES})`, [
      { what: 'asked for to stored', value: p50(deltas.map(({ ms }) => ms)), limit: 300, unit: 'ms' },
      { what: 'on the wire', value: p50(deltas.map(({ bytes }) => bytes)) / 1000, limit: 20, unit: 'kB' },
    ]);
  }

  // The service worker has cached the client: end the server and open a new page.
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  const memory = await memoryOf(server.pid());
  await server.kill();
  await page.reload();
  await page.getByRole('heading', { name: 'Work offline', level: 1 }).waitFor();
  await screen.box('Master password').fill(PERSON.masterPassword);
  const typed = performance.now();
  await page.keyboard.press('Enter');
  await page.getByRole('treegrid').getByRole('row').first().waitFor();
  const toTree = performance.now() - typed;
  const [unlock, opening] = [await lastOf(page, 'unlock'), await lastOf(page, 'openCopy')];
  const searches: { kind: string; ms: number }[] = [];
  for (const [kind, queries] of SEARCHES) {
    const samples: number[] = [];
    for (const query of queries) {
      const before = (await callsOf(page, 'copiedSearch')).length;
      await page.evaluate(
        (path) => {
          history.pushState({}, '', path);
          dispatchEvent(new PopStateEvent('popstate'));
        },
        `/entrySearch/${encodeURIComponent(query)}`,
      );
      await waitForCalls(page, 'copiedSearch', before + 1);
      samples.push(await lastOf(page, 'copiedSearch'));
    }
    searches.push({ kind, ms: p50(samples) });
  }
  printTable('Without the server', [
    { what: 'copy opened after unlock', ms: opening, limit: 2000, ratio: opening / bare.open },
    { what: 'unlock (Argon2id)', ms: unlock, limit: '', ratio: '' },
    { what: 'Enter to a usable tree', ms: toTree, limit: '', ratio: '' },
    { what: 'bare AES-GCM of as many bytes', ms: bare.open, limit: '', ratio: 1 },
    ...searches.map(({ kind, ms }) => ({
      what: `search: ${kind} (median of 5)`,
      ms,
      limit: 50,
      ratio: ms / bare.open,
    })),
  ]);
  const row = (what: string, { now, peak, share }: typeof memory) => ({
    what,
    MB: now,
    'MB peak': peak,
    'MB PSS': share,
  });
  printTable('Memory of the server (limits: 300 at the peak of the import, 200 PSS at the end)', [
    row('import', afterImport),
    row('first sync', afterSync),
    row('at the end', memory),
  ]);
} finally {
  await browser.close();
  await server.stop();
}
