/** Firefox with the built extension, driven by WebDriver BiDi. */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WebSocket } from 'ws';

const BUILD = join(import.meta.dirname, '../../../build/build-extension.mjs');
const PROGRAMS = [process.env['FIREFOX'] ?? '', '/usr/bin/firefox-esr', '/usr/bin/firefox'];
/** Firefox draws one for each installation, unless the profile names it. */
const UUID = '7f3c0b52-1d1e-4d8e-9d55-0a4f6c2b9e10';
/** Deriving a key takes long on a busy machine. */
const WAIT_MS = 60_000;

export const firefoxProgram = () => PROGRAMS.find((path) => path !== '' && existsSync(path)) ?? null;

export interface FirefoxTab {
  /** The value of an expression, which may be a promise of a text. */
  run(expression: string): Promise<string>;
  /** Waits until this address is shown. */
  loaded(url: string): Promise<void>;
  /** Waits for a text on the page. */
  sees(text: string): Promise<void>;
  /** Types into the input with this label. */
  fill(label: string, value: string): Promise<void>;
  press(button: string): Promise<void>;
  front(): Promise<void>;
  go(address: string): Promise<void>;
}

export interface Firefox {
  /** The popup in a tab. */
  popup(): Promise<FirefoxTab>;
  open(address: string): Promise<FirefoxTab>;
  close(): Promise<void>;
}

interface FirefoxOptions {
  /** That a test may reach without the question of the browser. */
  readonly hosts: readonly string[];
  readonly language?: string;
  /** What an administrator prescribes for the extension. */
  readonly policy?: Readonly<Record<string, unknown>>;
}

export async function startFirefox(
  program: string,
  { hosts, language = 'en-US', policy }: FirefoxOptions,
): Promise<Firefox> {
  const folder = mkdtempSync(join(tmpdir(), 'passwordbroker-firefox-'));
  execFileSync(process.execPath, [BUILD, '--unpacked', '--target=firefox', `--out=${folder}`]);
  const unpacked = join(folder, 'firefox');
  const path = join(unpacked, 'manifest.json');
  const manifest = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
  writeFileSync(path, JSON.stringify({ ...manifest, host_permissions: hosts }));
  const profile = mkdtempSync(join(folder, 'profile-'));
  const uuids = JSON.stringify(JSON.stringify({ 'extension@passwordbroker': UUID }));
  writeFileSync(
    join(profile, 'user.js'),
    `user_pref("extensions.webextensions.uuids", ${uuids});\nuser_pref("intl.accept_languages", "${language}");\n`,
  );
  if (policy !== undefined) {
    const managed = join(folder, '.mozilla', 'managed-storage');
    mkdirSync(managed, { recursive: true });
    const id = 'extension@passwordbroker';
    writeFileSync(
      join(managed, `${id}.json`),
      JSON.stringify({ name: id, description: 'For a test', type: 'storage', data: policy }),
    );
  }
  const child = spawn(
    program,
    ['--headless', '--remote-allow-system-access', '--remote-debugging-port=0', '--no-remote', '--profile', profile],
    { stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, HOME: folder } },
  );
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const address = await new Promise<string>((resolve, reject) => {
    const late = setTimeout(() => reject(new Error('Firefox does not start')), WAIT_MS);
    child.stderr.on('data', (chunk: Buffer) => {
      const found = /BiDi listening on (ws:\S+)/.exec(chunk.toString())?.[1];
      if (found === undefined) return;
      clearTimeout(late);
      resolve(`${found}/session`);
    });
  });
  const bidi = await connect(address);
  await bidi.send('session.new', { capabilities: {} });
  await bidi.send('webExtension.install', { extensionData: { type: 'path', path: unpacked } });

  const open = async (url: string): Promise<FirefoxTab> => {
    const { context } = await bidi.send<{ context: string }>('browsingContext.create', { type: 'tab' });
    // Firefox does not always tell that a page of an extension is complete: the page is asked.
    await bidi.send('browsingContext.navigate', { context, url, wait: 'none' });
    const tab = tabOf(bidi, context);
    await tab.loaded(url);
    return tab;
  };
  return {
    popup: () => open(`moz-extension://${UUID}/popup.html`),
    open,
    async close() {
      await bidi.send('browser.close', {}).catch(() => undefined);
      bidi.end();
      child.kill('SIGKILL');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

interface Bidi {
  send<Result>(method: string, params: object): Promise<Result>;
  end(): void;
}

interface Reply {
  readonly id?: number;
  readonly type: 'success' | 'error' | 'event';
  readonly result?: unknown;
  readonly message?: string;
}

async function connect(address: string): Promise<Bidi> {
  const socket = new WebSocket(address);
  await new Promise((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
  });
  const waiting = new Map<number, (reply: Reply) => void>();
  socket.on('message', (data) => {
    const reply = JSON.parse(String(data as Buffer)) as Reply;
    if (reply.id !== undefined) waiting.get(reply.id)?.(reply);
  });
  let last = 0;
  return {
    async send<Result>(method: string, params: object) {
      last += 1;
      const id = last;
      const reply = await new Promise<Reply>((resolve, reject) => {
        waiting.set(id, resolve);
        setTimeout(() => reject(new Error(`${method}: no answer`)), WAIT_MS).unref();
        socket.send(JSON.stringify({ id, method, params }));
      });
      if (reply.type === 'error') throw new Error(`${method}: ${reply.message}`);
      return reply.result as Result;
    },
    end: () => socket.close(),
  };
}

/** In the page: an input by the text of its label, a button by its name. */
const FIND = `const input = (label) => [...document.querySelectorAll('label')].find((one) => one.textContent === label)?.control ?? document.querySelector('[aria-label=' + JSON.stringify(label) + ']');
const button = (name) => [...document.querySelectorAll('button')].find((one) => (one.getAttribute('aria-label') ?? one.textContent) === name);`;

function tabOf(bidi: Bidi, context: string): FirefoxTab {
  const run = async (expression: string) => {
    const { result, exceptionDetails } = await bidi.send<{
      result?: { value?: string | number | boolean };
      exceptionDetails?: { text: string };
    }>('script.evaluate', { expression, target: { context }, awaitPromise: true });
    if (exceptionDetails !== undefined) throw new Error(exceptionDetails.text);
    return String(result?.value ?? '');
  };
  const until = async (expression: string, what: string) => {
    const last = Date.now() + WAIT_MS;
    while (Date.now() < last) {
      // While a page is loaded nothing can be asked.
      if ((await run(expression).catch(() => '')) === 'true') return;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    throw new Error(`Not there: ${what}. The page says: ${await run('document.body.innerText')}`);
  };
  return {
    run,
    loaded: (url) => until(`document.readyState === 'complete' && location.href === ${JSON.stringify(url)}`, url),
    sees: (text) => until(`document.body?.innerText.includes(${JSON.stringify(text)})`, text),
    async fill(label, value) {
      await until(`{${FIND} input(${JSON.stringify(label)}) != null}`, label);
      await run(`{${FIND} const found = input(${JSON.stringify(label)});
        Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(found, ${JSON.stringify(value)});
        found.dispatchEvent(new Event('input', { bubbles: true })); ''}`);
    },
    async press(name) {
      await until(`{${FIND} button(${JSON.stringify(name)}) != null}`, name);
      const at = await run(`{${FIND} const found = button(${JSON.stringify(name)}); found.scrollIntoView();
        const { x, y, width, height } = found.getBoundingClientRect();
        JSON.stringify({ x: Math.round(x + width / 2), y: Math.round(y + height / 2) })}`);
      // A real click: only in its handler may an extension ask for a permission.
      await bidi.send('input.performActions', {
        context,
        actions: [
          {
            type: 'pointer',
            id: 'mouse',
            actions: [
              { type: 'pointerMove', ...(JSON.parse(at) as object) },
              { type: 'pointerDown', button: 0 },
              { type: 'pointerUp', button: 0 },
            ],
          },
        ],
      });
    },
    front: () => bidi.send('browsingContext.activate', { context }),
    go: (url) => bidi.send('browsingContext.navigate', { context, url, wait: 'complete' }),
  };
}
