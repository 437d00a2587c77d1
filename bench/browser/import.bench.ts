/**
 * Import of 10,000 entries (30,000 fields) in Chromium, from the button to the summary: phases as the dialog names
 * them, main-thread tasks above 50 ms, processor time. The first round derives the master key. The baseline is
 * SHA-256 + HKDF + AES-GCM of as many values in Node.
 */
import { hkdfSync, createCipheriv, createHash, randomBytes } from 'node:crypto';
import { launchBrowser, openPage } from '../../e2e/testing/browser/browser.ts';
import { PERSON, screenOf } from '../../e2e/testing/vault/screen.ts';
import { startServer } from '../../e2e/testing/server/server.ts';
import { largeKeepassXml } from '../../server/src/import/testing/keepass-xml.ts';
import { memoryOf, processorTime } from '../tools/process.ts';
import { printTable } from '../tools/table.ts';

const ENTRIES = 10_000;
const ROUNDS = 3;

function bareSealing(values: number): number {
  const started = performance.now();
  const [key, payload] = [randomBytes(32), randomBytes(192)];
  for (let at = 0; at < values; at += 1) {
    const okm = Buffer.from(
      hkdfSync('sha256', key, randomBytes(32), createHash('sha256').update(payload).digest(), 76),
    );
    const cipher = createCipheriv('aes-256-gcm', okm.subarray(0, 32), okm.subarray(64));
    cipher.update(payload);
    cipher.final();
  }
  return performance.now() - started;
}

interface Seen {
  /** Main-thread tasks above 50 ms. */
  longTasks: { readonly at: number; readonly ms: number }[];
  /** When the progress bar got this name. */
  phases: { readonly name: string; readonly at: number }[];
}

/** Runs in the page; records long tasks and names of the progress bar. */
function watch() {
  const seen: Seen = { longTasks: [], phases: [] };
  Object.assign(globalThis, { seen });
  new PerformanceObserver((list) => {
    seen.longTasks.push(...list.getEntries().map(({ startTime, duration }) => ({ at: startTime, ms: duration })));
  }).observe({ type: 'longtask' });
  // No named functions here: tsx would call a helper that the page does not have.
  new MutationObserver(() => {
    const name = document.querySelector('[role=progressbar]')?.getAttribute('aria-label') ?? '';
    if (name !== (seen.phases.at(-1)?.name ?? '')) seen.phases.push({ name, at: performance.now() });
  }).observe(document.body, { subtree: true, childList: true, attributes: true, attributeFilter: ['aria-label'] });
}

/** Seconds of each phase, by name. */
function partsOf(phases: Seen['phases']): Record<string, number> {
  const named = phases.map(({ name, at }, index) => [name, (phases[index + 1]?.at ?? at) - at] as const);
  return Object.fromEntries(
    named.filter(([name]) => name !== '').map(([name, ms]) => [`${name.toLowerCase()} s`, ms / 1000]),
  );
}

const file = Buffer.from(largeKeepassXml(ENTRIES));
const server = await startServer({ env: { LOG_LEVEL: 'warn' } });
const browser = await launchBrowser();
try {
  const { page } = await openPage(browser);
  page.setDefaultTimeout(120_000);
  const screen = screenOf(page);
  await screen.signUp(server.origin);
  await page.evaluate(watch);
  const rows = [];
  for (let round = 1; round <= ROUNDS; round += 1) {
    const baseline = bareSealing(ENTRIES * 6);
    await screen.button('import data').click();
    const password = screen.box('Master password', screen.dialog());
    await password.waitFor();
    if (await password.isEditable()) await password.fill(PERSON.masterPassword);
    await page.locator('input[type=file]').setInputFiles({ name: 'large.xml', mimeType: 'text/xml', buffer: file });
    // Setting the file is a long task of Playwright, reported late. Only later tasks count.
    const begun = await page.evaluate(() => {
      (globalThis as unknown as { seen: Seen }).seen.phases.length = 0;
      return performance.now();
    });
    const processor = { all: processorTime(process.pid), server: processorTime(server.pid()) };
    const started = performance.now();
    await screen.button('Continue', screen.dialog()).click();
    await screen
      .dialog()
      .getByRole('button', { name: /^Import \d+ entr/ })
      .click();
    // A plain selector: Playwright's search by role would load the thread that is measured.
    await page.waitForFunction(
      () => [...document.querySelectorAll('h2')].some((heading) => heading.textContent === 'Import finished'),
      undefined,
      { polling: 20 },
    );
    const ms = performance.now() - started;
    const used = processorTime(server.pid()) - processor.server;
    const all = processorTime(process.pid) - processor.all;
    const { longTasks, phases } = await page.evaluate(() => (globalThis as unknown as { seen: Seen }).seen);
    const tasks = longTasks.filter(({ at }) => at >= begun).map((task) => task.ms);
    await page.keyboard.press('Escape');
    const { now, peak } = await memoryOf(server.pid());
    rows.push({
      round,
      'import s': ms / 1000,
      'limit s': 6,
      ...partsOf(phases),
      'bare sealing s': baseline / 1000,
      'ratio to it': ms / baseline,
      'processor s': all / 1000,
      'of the server': used / 1000,
      'tasks > 50 ms': tasks.length,
      'longest task ms': Math.max(0, ...tasks),
      'server MB now': now,
      'server MB peak': peak,
    });
  }
  printTable(
    `${ENTRIES} entries, ${ENTRIES * 3} fields in the browser (file of ${(file.length / 1e6).toFixed(1)} MB)`,
    rows,
  );
} finally {
  await browser.close();
  await server.stop();
}
