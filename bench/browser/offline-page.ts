/** Helpers of the offline benches: calls to the keyring worker, a vault to copy, bare AES-GCM as the baseline. */
import type { BrowserContext, Page } from 'playwright-core';
import { PERSON, screenOf } from '../../e2e/testing/vault/screen.ts';
import { largeKeepassXml } from '../../server/src/import/testing/keepass-xml.ts';

interface WorkerCall {
  readonly name: string;
  readonly started: number;
  readonly ended: number;
}

/** Runs in the page; records each call to a worker. */
const noteWorkerCalls = () => {
  const calls: WorkerCall[] = [];
  const send = Reflect.get(Worker.prototype, 'postMessage') as (...message: unknown[]) => void;
  const seen = new WeakMap<Worker, Map<number, { name: string; started: number }>>();
  interface Message {
    readonly id?: number;
    readonly name?: string;
    readonly progress?: unknown;
  }
  // A message to the keyring holds several calls; messages to other workers are no lists.
  const listOf = (data: Message | readonly Message[]) => (Array.isArray(data) ? (data as readonly Message[]) : []);
  Worker.prototype.postMessage = function post(this: Worker, message: Message | readonly Message[], ...rest) {
    let waiting = seen.get(this);
    if (waiting === undefined) {
      const open = new Map<number, { name: string; started: number }>();
      waiting = open;
      seen.set(this, open);
      this.addEventListener('message', ({ data }: MessageEvent<Message | readonly Message[]>) => {
        for (const { id = -1, progress } of listOf(data)) {
          const call = open.get(id);
          if (call === undefined || progress !== undefined) continue;
          open.delete(id);
          calls.push({ ...call, ended: performance.now() });
        }
      });
    }
    for (const { id, name } of listOf(message))
      if (id !== undefined && name !== undefined) waiting.set(id, { name, started: performance.now() });
    Reflect.apply(send, this, [message, ...rest]);
  };
  Object.assign(globalThis, { workerCalls: calls });
};

export const callsOf = async (page: Page, name: string): Promise<readonly WorkerCall[]> =>
  (await page.evaluate(() => (globalThis as unknown as { workerCalls: WorkerCall[] }).workerCalls)).filter(
    (call) => call.name === name,
  );
export const lastOf = async (page: Page, name: string): Promise<number> => {
  const call = (await callsOf(page, name)).at(-1);
  return call === undefined ? Number.NaN : call.ended - call.started;
};
export const waitForCalls = async (page: Page, name: string, count: number) => {
  await page.waitForFunction(
    ([wanted, least]) =>
      (globalThis as unknown as { workerCalls: WorkerCall[] }).workerCalls.filter((call) => call.name === wanted)
        .length >= least,
    [name, count] as const,
    { polling: 10, timeout: 120_000 },
  );
};

/** Call it before the first page opens. */
export async function watchWorkers(context: BrowserContext): Promise<void> {
  // tsx wraps named functions in a helper that the page does not have.
  await context.addInitScript({ content: 'globalThis.__name = (made) => made;' });
  await context.addInitScript(noteWorkerCalls);
}

/** Imports a tree of `count` entries with three fields each through the dialog. */
export async function importEntries(page: Page, count: number): Promise<void> {
  const screen = screenOf(page);
  await screen.button('import data').click();
  const password = screen.box('Master password', screen.dialog());
  await password.waitFor();
  if (await password.isEditable()) await password.fill(PERSON.masterPassword);
  const file = { name: 'large.xml', mimeType: 'text/xml', buffer: Buffer.from(largeKeepassXml(count)) };
  await page.locator('input[type=file]').setInputFiles(file);
  await screen.button('Continue', screen.dialog()).click();
  await screen
    .dialog()
    .getByRole('button', { name: /^Import \d+ entr/ })
    .click();
  await page.getByRole('heading', { name: 'Import finished' }).waitFor();
  await page.keyboard.press('Escape');
  await screen.dialog().waitFor({ state: 'detached' });
  // The dialog returns the focus a moment later, which would close anything opened before.
  await page.waitForTimeout(1000);
}

/** Total size of the stored pieces. */
export const keptBytes = (page: Page) =>
  page.evaluate(async () => {
    const database = await new Promise<IDBDatabase>((resolve) => {
      const opening = indexedDB.open('passwordbroker-offline');
      opening.onsuccess = () => resolve(opening.result);
    });
    const pieces = await new Promise<{ blob: Uint8Array }[]>((resolve) => {
      const reading = database.transaction('pieces').objectStore('pieces').getAll();
      reading.onsuccess = () => resolve(reading.result as { blob: Uint8Array }[]);
    });
    database.close();
    return pieces.reduce((sum, { blob }) => sum + blob.length, 0);
  });

/** Milliseconds of one AES-GCM call for as many bytes. */
export const bareSealing = (page: Page, bytes: number) =>
  page.evaluate(async (length) => {
    const key = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']);
    const algorithm = { name: 'AES-GCM', iv: new Uint8Array(12) };
    const started = performance.now();
    const sealed = await crypto.subtle.encrypt(algorithm, key, new Uint8Array(length));
    const between = performance.now();
    await crypto.subtle.decrypt(algorithm, key, sealed);
    return { seal: between - started, open: performance.now() - between };
  }, bytes);
