/**
 * Workers that get secrets have no network access, and only files of our own build can become
 * workers (M58).
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser, Page, Worker } from 'playwright-core';
import { closePages, openPage, policyViolations, sharedBrowser } from './testing/browser/browser.ts';
import { keepassFile } from './testing/vault/keepass-file.ts';
import { PERSON, screenOf, type Screen } from './testing/vault/screen.ts';
import { startServer, type RunningServer } from './testing/server/server.ts';

let server: RunningServer;
let browser: Browser;
let page: Page;
let screen: Screen;
/** Results of the attempts to connect, by worker name; each worker is tested when it starts. */
const tried = new Map<string, Promise<unknown>>();
const NAMES = ['keyring', 'strength'];

/** Tries every way in which a script can send data, and returns the results. */
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
  // Keeps workers alive: a terminated one cannot be tested.
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

test('M58 F6c the keyring and strength workers cannot fetch, request or open a socket', async () => {
  await screen.signUp(server.origin);
  await screen.button('import a file of another program').click();
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'vault.xml', mimeType: 'text/xml', buffer: keepassFile({ more: 600 }) });
  await screen.box('Master password', screen.dialog()).fill(PERSON.masterPassword);
  await screen.button('Continue', screen.dialog()).click();
  await screen
    .dialog()
    .getByRole('button', { name: /^Import \d+ entr/ })
    .click();
  await screen.dialog().getByRole('heading', { name: 'Import finished' }).waitFor();
  expect([...tried.keys()].toSorted()).toEqual(NAMES);
  for (const name of NAMES) {
    const refused = { fetched: 'TypeError', requested: 'error', socket: expect.stringMatching(/error|SecurityError/) };
    expect([name, await tried.get(name)]).toEqual([name, refused]);
  }
});

test('M58 F6d no other URL of the origin can become a worker, and the policy cannot be created twice', async () => {
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
