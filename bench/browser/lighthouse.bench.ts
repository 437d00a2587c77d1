/**
 * Lighthouse on the sign-in page and the vault, in both themes, as phone and desktop. Install it elsewhere with
 * `npm install lighthouse` and set `LIGHTHOUSE` to that folder: it needs 200 packages. Shows blocking time by the clock and
 * by processor time, which other load does not change. Exits with 1 if a score is below 95, with 2 without Lighthouse.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium, type BrowserContext, type Page } from 'playwright-core';
import { browserOptions } from '../../e2e/testing/browser/browser.ts';
import { fieldsOf } from '../../e2e/testing/vault/fields.ts';
import { startServer } from '../../e2e/testing/server/server.ts';
import { printTable } from '../tools/table.ts';

const LEAST = 95;
const CATEGORIES = ['performance', 'accessibility', 'best-practices'] as const;
const THEMES = ['dark', 'light'] as const;
const DEVICES = ['mobile', 'desktop'] as const;

/** An event of a Chromium trace; microseconds. */
interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  /** Processor time of the thread. */
  readonly tdur?: number;
  readonly args: { readonly name?: string };
}

interface Audit {
  readonly id: string;
  readonly title: string;
  readonly score: number | null;
  readonly displayValue?: string;
  readonly numericValue?: number;
}
interface Report {
  readonly finalDisplayedUrl: string;
  readonly categories: Readonly<
    Record<
      string,
      { readonly score: number | null; readonly auditRefs: readonly { readonly id: string; readonly weight: number }[] }
    >
  >;
  readonly audits: Readonly<Record<string, Audit>>;
}
interface Result {
  readonly lhr: Report;
  readonly artifacts: { readonly Trace: { readonly traceEvents: readonly TraceEvent[] } };
}
type Cookies = Awaited<ReturnType<BrowserContext['cookies']>>;
type Lighthouse = (url: string, flags: object, config?: object) => Promise<Result | undefined>;

interface Launched {
  readonly port: number;
  kill(): void;
}

interface Program {
  readonly run: Lighthouse;
  readonly desktop: object;
  /** `chrome-launcher`, which Lighthouse uses. */
  readonly launch: (options: object) => Promise<Launched>;
}

/** @returns null if it is not installed */
async function findLighthouse(): Promise<Program | null> {
  const folder = resolve(process.env['LIGHTHOUSE'] ?? '.', 'package.json');
  try {
    const { resolve: find } = createRequire(folder);
    const load = async (name: string) => (await import(pathToFileURL(find(name)).href)) as object;
    const { default: run, desktopConfig } = (await load('lighthouse')) as {
      default: Lighthouse;
      desktopConfig: object;
    };
    const { launch } = (await load('chrome-launcher')) as Pick<Program, 'launch'>;
    return { run, desktop: desktopConfig, launch };
  } catch (failure) {
    if ((failure as { code?: string }).code === 'MODULE_NOT_FOUND') return null;
    throw failure;
  }
}

/** Lighthouse's factor between this machine and a phone. */
const SLOWER = 4;
/** Tasks up to this length do not count. */
const UNFELT_MS = 50;

/** Total blocking time by processor time: milliseconds of the busiest page, including tasks after the last paint. */
function blockingTime(trace: readonly TraceEvent[]): number {
  const thread = ({ pid, tid }: TraceEvent) => `${pid}/${tid}`;
  const pages = new Set(
    trace.filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain').map(thread),
  );
  const tasks = new Map<string, number[]>();
  for (const event of trace) {
    if (event.ph !== 'X' || event.name !== 'RunTask' || !pages.has(thread(event))) continue;
    const own = tasks.get(thread(event)) ?? [];
    own.push(((event.tdur ?? 0) / 1000) * SLOWER);
    tasks.set(thread(event), own);
  }
  const total = (times: readonly number[]) => times.reduce((sum, time) => sum + time, 0);
  const [busiest = []] = [...tasks.values()].sort((a, b) => total(b) - total(a));
  return Math.round(total(busiest.map((time) => Math.max(0, time - UNFELT_MS))));
}

/** A group with an entry that has a password. */
async function fillVault(page: Page): Promise<string> {
  const at = fieldsOf(page);
  await at.addTree('Production');
  await at.addEntry('Billing ledger');
  await at.openEntry('Billing ledger');
  await at.addField('Password', 'Root account', () => at.box('Login', at.dialog()).fill('ledger_root'));
  return new URL(page.url()).pathname;
}

/** Does something in a page, then disconnects: an attached debugger adds a task of 250 ms to the next page. */
async function byHand<T>({ port }: Launched, work: (page: Page) => Promise<T>): Promise<T> {
  const browser = await chromium.connectOverCDP(`http://127.0.0.1:${port}`);
  try {
    const page = await (browser.contexts()[0] as BrowserContext).newPage();
    page.setDefaultTimeout(30_000);
    const result = await work(page);
    await page.close();
    return result;
  } finally {
    await browser.close();
  }
}

async function measure(lighthouse: Program): Promise<boolean> {
  const server = await startServer();
  const userDataDir = mkdtempSync(join(tmpdir(), 'passwordbroker-lighthouse-'));
  const { executablePath: chromePath, args } = browserOptions();
  const chromeFlags = [...args, '--headless=new', '--no-sandbox', '--window-size=1440,900'];
  /** In a new browser process with the profile of the ones before. */
  const inBrowser = async <T>(work: (browser: Launched) => Promise<T>): Promise<T> => {
    const browser = await lighthouse.launch({ chromePath, chromeFlags, userDataDir });
    try {
      return await work(browser);
    } finally {
      browser.kill();
    }
  };
  const rows: Record<string, string | number>[] = [];
  const findings = new Set<string>();
  const look = async (what: string, path: string, cookies: Cookies) => {
    for (const theme of THEMES) {
      for (const device of DEVICES) {
        await inBrowser(async (browser) => {
          await byHand(browser, async (page) => {
            await page.context().clearCookies();
            await page.context().addCookies(cookies);
            // An empty page of the same origin, whose process Lighthouse's page may reuse.
            await page.goto(`${server.origin}/theme.js`);
            await page.evaluate((name) => localStorage.setItem('theme', name), theme);
          });
          const flags = {
            port: browser.port,
            disableStorageReset: true,
            onlyCategories: CATEGORIES,
            logLevel: 'error',
          };
          const config = device === 'desktop' ? lighthouse.desktop : undefined;
          const result = await lighthouse.run(`${server.origin}${path}`, flags, config);
          if (result === undefined) throw new Error('Lighthouse gave no result.');
          const { lhr, artifacts } = result;
          if (new URL(lhr.finalDisplayedUrl).pathname !== path) throw new Error(`It saw ${lhr.finalDisplayedUrl}.`);
          const scores = CATEGORIES.map(
            (name) => [name, Math.round((lhr.categories[name]?.score ?? 0) * 100)] as const,
          );
          const time = (id: string) => String(Math.round(lhr.audits[id]?.numericValue ?? 0));
          rows.push({
            page: what,
            theme,
            device,
            ...Object.fromEntries(scores),
            'LCP ms': time('largest-contentful-paint'),
            'blocking ms': time('total-blocking-time'),
            // `blockingTime` slows down by a factor for phones only.
            ...(device === 'mobile'
              ? { 'by processor': String(blockingTime(artifacts.Trace.traceEvents)) }
              : { 'by processor': '–' }),
          });
          for (const name of CATEGORIES)
            for (const { id, weight } of lhr.categories[name]?.auditRefs ?? []) {
              const audit = lhr.audits[id];
              if (weight > 0 && audit?.score !== null && audit !== undefined && audit.score < 0.9)
                findings.add(`${what}, ${device}: ${audit.title} ${audit.displayValue ?? ''}`.trim());
            }
        });
      }
    }
  };
  try {
    const { vaultPath, cookies } = await inBrowser((browser) =>
      byHand(browser, async (page) => {
        await fieldsOf(page).signUp(server.origin);
        return { vaultPath: await fillVault(page), cookies: await page.context().cookies() };
      }),
    );
    await look('vault', vaultPath, cookies);
    await look('login', '/identity/login', []);
  } finally {
    await server.stop();
    rmSync(userDataDir, { recursive: true, force: true });
  }
  printTable('Lighthouse', rows);
  for (const finding of findings) console.log(`below 0.9: ${finding}`);
  return rows.every((row) => CATEGORIES.every((name) => Number(row[name]) >= LEAST));
}

const lighthouse = await findLighthouse();
if (lighthouse === null) {
  console.error(
    'No Lighthouse: `npm install lighthouse` in an empty folder, then set LIGHTHOUSE to the path of that folder.',
  );
  process.exit(2);
}
process.exit((await measure(lighthouse)) ? 0 : 1);
