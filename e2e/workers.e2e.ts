/** Workers that get secrets reach nothing, and only files of our own build become workers (M58). */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser, Page, Worker } from 'playwright-core';
import { closePages, openPage, policyViolations, sharedBrowser } from './testing/browser.ts';
import { keepassFile } from './testing/keepass-file.ts';
import { PERSON, screenOf, type Screen } from './testing/screen.ts';
import { startServer, type RunningServer } from './testing/server.ts';

let server: RunningServer;
let browser: Browser;
let page: Page;
let screen: Screen;
/** What the workers of each name could reach, asked as soon as one starts. */
const tried = new Map<string, Promise<unknown>>();
const NAMES = ['keyring', 'seal', 'strength'];

/** Every way by which a script can send something, and what became of it. */
const tryToSend = (worker: Worker, origin: string) =>
  worker.evaluate(async (own) => {
    const caught = (work: () => unknown) => {
      try {
        return work();
      } catch (error) {
        return (error as Error).name;
      }
    };
    const fetched = await fetch(`${own}/health`).then(
      ({ status }) => status,
      (error: Error) => error.name,
    );
    const requested = await new Promise((resolve) => {
      const request = new XMLHttpRequest();
      request.onload = () => resolve(request.status);
      request.onerror = () => resolve('error');
      caught(() => {
        request.open('GET', `${own}/health`);
        request.send();
      });
    });
    const socket = await new Promise((resolve) => {
      const failed = caught(() => {
        const opened = new WebSocket(own.replace('http', 'ws'));
        opened.onopen = () => resolve('open');
        opened.onerror = () => resolve('error');
        return 'waiting';
      });
      if (failed !== 'waiting') resolve(failed);
    });
    return { fetched, requested, socket };
  }, origin);

beforeAll(async () => {
  server = await startServer();
  browser = await sharedBrowser();
  ({ page } = await openPage(browser));
  screen = screenOf(page);
  // A worker that was ended cannot be asked any more.
  await page.addInitScript(() => {
    Worker.prototype.terminate = () => undefined;
  });
  page.on('worker', (worker) => {
    const name = NAMES.find((one) => worker.url().includes(`/${one}-worker-`));
    if (name === undefined || tried.has(name)) return;
    const attempt = tryToSend(worker, server.origin);
    attempt.catch(() => undefined);
    tried.set(name, attempt);
  });
});
afterAll(async () => {
  await closePages(browser);
  await server.stop();
  policyViolations();
});

test('M58 F6c keyring, seal and strength worker can fetch, request and connect to nothing', async () => {
  await screen.signUp(server.origin);
  await screen.button('import a KeePass XML file').click();
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'vault.xml', mimeType: 'text/xml', buffer: keepassFile({ more: 600 }) });
  await screen.box('Master password', screen.dialog()).fill(PERSON.masterPassword);
  await screen.button('Import', screen.dialog()).click();
  await screen.dialog().getByRole('heading', { name: 'Import finished' }).waitFor();
  expect([...tried.keys()].toSorted()).toEqual(NAMES);
  for (const name of NAMES) {
    const refused = { fetched: 'TypeError', requested: 'error', socket: expect.stringMatching(/error|SecurityError/) };
    expect([name, await tried.get(name)]).toEqual([name, refused]);
  }
});

test('M58 F6d another address of this origin is no worker, and nobody else makes the policy for it', async () => {
  const refusal = (work: string) =>
    page.evaluate((name) => {
      const { trustedTypes } = globalThis as unknown as {
        trustedTypes: { createPolicy(name: string, rules: object): { createScriptURL(url: string): string } };
      };
      try {
        if (name === 'worker') void new Worker('/health');
        else {
          const policy = trustedTypes.createPolicy('pb-worker', { createScriptURL: (url: string) => url });
          void new Worker(policy.createScriptURL('/health'));
        }
        return 'allowed';
      } catch (error) {
        return (error as Error).name;
      }
    }, work);
  expect([await refusal('worker'), await refusal('policy')]).toEqual(['TypeError', 'TypeError']);
  expect(policyViolations().length).toBeGreaterThan(0);
});
