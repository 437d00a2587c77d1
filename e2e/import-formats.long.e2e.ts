/**
 * Imports of other programs' files: a KDBX database whose key needs WebAssembly, a protected export of Bitwarden, and a table;
 * by keyboard, at a desk and on a phone. A proxy records that nothing but reads is sent before the last press, and no value ever.
 */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { utf8 } from '@passwordbroker/core/crypto/bytes';
import { sealProtected } from '@passwordbroker/core/domain/exchange/bitwarden/protected';
import { credentialsOf, writtenByKdbxweb } from '@passwordbroker/core/testing/exchange/kdbxweb-files';
import { findLeaks } from '../server/src/testing/leaks.ts';
import { findings } from './testing/accessibility/accessibility.ts';
import { reflowFaults } from './testing/accessibility/reflow.ts';
import { closePages, openPage, sharedBrowser, type WatchedPage } from './testing/browser/browser.ts';
import { signIn } from './testing/people/people.ts';
import { startRecordingProxy, type RecordingProxy } from './testing/server/recording-proxy.ts';
import { freePort, startServer, type RunningServer } from './testing/server/server.ts';
import { PERSON, screenOf, type Screen } from './testing/vault/screen.ts';

const FILE_PASSWORD = 'Uj4☂nS8eKx0vLh2';
/** Values of all files; no words, because leaks are looked for in windows of eight bytes. */
const CANARIES = {
  kdbx: '9Qm4vTkdR2xW',
  'kdbx before': '7ZrP0wLq3Nc8',
  bitwarden: '2Xw8GtYb5RsA',
  'bitwarden note': '5JkV1oEu6MfD',
  table: '3Hd6CzTi9BpQ',
};

async function kdbxFile(): Promise<Buffer> {
  const form = { major: 4, cipher: 'ChaCha20', kdf: 'argon2d', isCompressed: true } as const;
  const bytes = await writtenByKdbxweb(form, credentialsOf(FILE_PASSWORD), (database) => {
    const servers = database.createGroup(database.getDefaultGroup(), 'Servers');
    for (const [at, title] of ['Ledger', 'Mail', 'Backup'].entries()) {
      const entry = database.createEntry(servers);
      entry.fields.set('Title', title);
      entry.fields.set('UserName', `user${at}`);
      if (at === 0) {
        entry.fields.set('Password', CANARIES['kdbx before']);
        entry.pushHistory();
      }
      entry.fields.set('Password', CANARIES.kdbx);
    }
    database.createRecycleBin();
    const bin = database.getGroup(database.meta.recycleBinUuid ?? '');
    if (bin !== undefined) database.createEntry(bin).fields.set('Title', 'Thrown away');
  });
  return Buffer.from(bytes);
}

async function bitwardenFile(): Promise<Buffer> {
  const items = [
    {
      type: 1,
      name: 'Registrar',
      folderId: 'f1',
      notes: CANARIES['bitwarden note'],
      login: {
        username: 'ops',
        password: CANARIES.bitwarden,
        uris: [{ match: null, uri: 'https://registrar.example' }],
      },
    },
    { type: 2, name: 'Runbook', notes: CANARIES['bitwarden note'], secureNote: { type: 0 } },
  ];
  const content = JSON.stringify({ encrypted: false, folders: [{ id: 'f1', name: 'Web/Domains' }], items });
  return Buffer.from(JSON.stringify(await sealProtected(utf8(content), FILE_PASSWORD)));
}

const tableFile = () =>
  Buffer.from(`Machine;Who;Magic words;Rack\ndb1;root;${CANARIES.table};A\ndb2;root;${CANARIES.table};B\n`);

interface Journey {
  readonly name: string;
  readonly make: () => Promise<Buffer> | Buffer;
  readonly label: string;
  readonly entries: string;
  /** A group and an entry of the preview. */
  readonly group: RegExp;
  readonly entry: string;
  readonly kind: 'password' | 'columns';
}

const JOURNEYS: readonly Journey[] = [
  {
    name: 'vault.kdbx',
    make: kdbxFile,
    label: 'KeePass (KDBX)',
    entries: '3 entries',
    group: /^Servers, 3 entries$/,
    entry: 'Ledger, Password',
    kind: 'password',
  },
  {
    name: 'bitwarden.json',
    make: bitwardenFile,
    label: 'Bitwarden JSON',
    entries: '2 entries',
    group: /^Domains, 1 entry$/,
    entry: 'Registrar, Password, Link, Note',
    kind: 'password',
  },
  {
    name: 'machines.csv',
    make: tableFile,
    label: 'Any table (CSV)',
    entries: '2 entries',
    group: /^machines(?: \(2\))?, 2 entries$/,
    entry: 'db1, Password, Note',
    kind: 'columns',
  },
];

let server: RunningServer;
let proxy: RecordingProxy;
let browser: Browser;
const pages: WatchedPage[] = [];

beforeAll(async () => {
  const port = await freePort();
  server = await startServer({ publicUrl: `http://localhost:${port}` });
  proxy = await startRecordingProxy(port, () => server.port);
  browser = await sharedBrowser();
});
afterAll(async () => {
  await closePages(browser);
  await proxy.close();
  await server.stop();
});
afterEach(() => {
  for (const page of pages) expect(page.complaints()).toEqual([]);
});

/** Presses Tab until this control has the focus. */
async function tabTo(page: Page, name: string | RegExp, role: 'button' | 'tree' | 'textbox' | 'combobox') {
  const control = page.getByRole('dialog').last().getByRole(role, { name });
  for (let press = 0; press < 30; press += 1) {
    if (await control.evaluate((element) => element === document.activeElement)) return control;
    await page.keyboard.press('Tab');
  }
  throw new Error(`No Tab reaches ${String(name)}`);
}

describe.each([
  ['at a desk', 1440, 900],
  ['on a phone', 390, 844],
] as const)('%s', (_, width, height) => {
  let page: Page;
  let screen: Screen;

  beforeAll(async () => {
    const watched = await openPage(browser, height < 900 ? { theme: 'light' } : {});
    pages.push(watched);
    ({ page } = watched);
    page.setDefaultTimeout(20_000);
    screen = screenOf(page);
    if (pages.length === 1) await screen.signUp(proxy.origin);
    else await signIn(page, proxy.origin, PERSON);
    await page.setViewportSize({ width, height });
  });

  test.each(JOURNEYS)('$name', async ({ name, make, label, entries, group, entry, kind }) => {
    await page.goto(proxy.origin);
    const buffer = await make();
    if (width < 720) await screen.button('Open groups').click();
    await screen.button('import data').click();
    await screen.dialog().getByRole('heading', { name: 'Import data' }).waitFor();
    const before = proxy.requests().length;
    await page.locator('input[type=file]').first().setInputFiles({ name, mimeType: '', buffer });
    await screen.dialog().getByText(label).first().waitFor();
    const master = screen.box('Master password', screen.dialog());
    if ((await master.getAttribute('readonly')) === null) await master.fill(PERSON.masterPassword);

    if (kind === 'password') {
      // Wrong at first: it is said at the field, and the file stays.
      const field = screen.box('Password of the file', screen.dialog());
      await field.fill('not that one');
      await page.keyboard.press('Enter');
      await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true');
      await screen.dialog().getByText(name).waitFor();
      expect(await findings(page)).toEqual([]);
      await field.fill(FILE_PASSWORD);
      await page.keyboard.press('Enter');
    } else {
      await screen.dialog().getByRole('heading', { name: 'Say what the columns mean' }).waitFor();
      expect(await screen.dialog().innerText()).not.toContain(CANARIES.table);
      await screen.button('Show the cells', screen.dialog()).click();
      await screen.dialog().getByText(CANARIES.table).first().waitFor();
      await screen.button('Hide the cells', screen.dialog()).click();
      const meanings = { Machine: 'Title', Who: 'User name', 'Magic words': 'Password', Rack: 'Text field' };
      for (const [column, meaning] of Object.entries(meanings))
        await screen.dialog().getByLabel(`Meaning of ${column}`).selectOption(meaning);
      expect([await findings(page), await reflowFaults(page)]).toEqual([[], []]);
      await (await tabTo(page, 'Continue', 'button')).press('Enter');
    }

    await screen.dialog().getByRole('heading', { name: 'Look before you import' }).waitFor();
    expect([await findings(page), await reflowFaults(page)]).toEqual([[], []]);
    const text = await screen.dialog().innerText();
    expect(text).toContain(label);
    expect(text).toContain(entries);
    expect(text.includes('is not encrypted')).toBe(kind === 'columns');
    for (const canary of Object.values(CANARIES)) expect(await page.content()).not.toContain(canary);

    const tree = await tabTo(page, 'Groups and entries of the file', 'tree');
    await page.keyboard.press('End');
    await page.keyboard.press('Home');
    const present = () =>
      tree.evaluate((box) => document.getElementById(box.getAttribute('aria-activedescendant') ?? '')?.ariaLabel ?? '');
    const seen = new Set<string>();
    for (let press = 0; press < 12; press += 1) {
      seen.add(await present());
      await page.keyboard.press('ArrowDown');
    }
    expect([...seen]).toEqual(expect.arrayContaining([expect.stringMatching(group), entry]));
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowLeft');
    expect(await tree.getByRole('treeitem').count()).toBe(1);
    await page.keyboard.press('ArrowRight');
    expect(await tree.getByRole('treeitem').count()).toBeGreaterThan(1);

    // The proof of the unlock and the copy of the trust record are no data of the file.
    const sent = proxy.requests().slice(before);
    const writes = sent.filter(({ method, url }) => method !== 'GET' && !/\/documents\/|\/users\/me/.test(url));
    expect(writes.map(({ method, url }) => `${method} ${url}`)).toEqual([]);

    await (await tabTo(page, /^Import \d+ entr/, 'button')).press('Enter');
    await screen.dialog().getByRole('heading', { name: 'Import finished' }).waitFor();
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      screen.button('Save the report', screen.dialog()).click(),
    ]);
    const report = await readFile((await saved.path()) ?? '', 'utf8');
    expect(report).toContain(name);
    expect(report).toContain(entries);
    for (const canary of Object.values(CANARIES)) expect(report).not.toContain(canary);
    await screen.button('Open the tree', screen.dialog()).click();
  });

  test('the same file again, into its group: what is there already is found, skipped or added by choice', async () => {
    await page.goto(proxy.origin);
    if (width < 720) await screen.button('Open groups').click();
    await screen.button('import data').click();
    const buffer = await kdbxFile();
    await page.locator('input[type=file]').first().setInputFiles({ name: 'vault.kdbx', mimeType: '', buffer });
    const master = screen.box('Master password', screen.dialog());
    if ((await master.getAttribute('readonly')) === null) await master.fill(PERSON.masterPassword);
    await screen.box('Password of the file', screen.dialog()).fill(FILE_PASSWORD);
    await page.keyboard.press('Enter');
    await screen.dialog().getByRole('heading', { name: 'Look before you import' }).waitFor();
    await screen.dialog().getByText('Into a group').click();
    const before = proxy.requests().length;
    await screen
      .dialog()
      .getByRole('option', { name: /^keepass(?:,|$)/ })
      .first()
      .click();
    await screen.dialog().getByRole('heading', { name: '3 entries look like ones you have' }).waitFor();
    expect(
      proxy
        .requests()
        .slice(before)
        .filter(({ method }) => method !== 'GET'),
    ).toEqual([]);
    await screen.button('Import 0 entries', screen.dialog()).waitFor();
    await screen.dialog().getByText('Decide one by one').click();
    await screen.dialog().getByRole('combobox', { name: 'Servers / Mail' }).selectOption('Add as new');
    const tree = screen.dialog().getByRole('tree');
    await tree.getByRole('treeitem', { name: 'Mail, Password, duplicate' }).waitFor();
    await tree.getByRole('treeitem', { name: 'Servers, 3 entries, exists' }).waitFor();
    expect([await findings(page), await reflowFaults(page)]).toEqual([[], []]);
    await (await tabTo(page, 'Import 1 entry', 'button')).press('Enter');
    await screen.dialog().getByText('Added to “keepass”.').waitFor();
    await page.keyboard.press('Escape');
    await screen.button('Undo').last().click();
    await page.getByText('Import into "keepass" undone').first().waitFor();
  });

  test('nothing of the files stays in the browser', async () => {
    const stored = await page.evaluate(async () => {
      const bases = await indexedDB.databases();
      return JSON.stringify([
        { ...localStorage },
        { ...sessionStorage },
        bases.map(({ name }) => name),
        await caches.keys(),
      ]);
    });
    for (const canary of [...Object.values(CANARIES), FILE_PASSWORD]) expect(stored).not.toContain(canary);
  });
});

test('no value and no password of a file was sent, stored or logged (IM14)', async () => {
  const recorded = proxy.requests();
  expect(recorded.filter(({ url }) => url.endsWith('/import'))).toHaveLength((JOURNEYS.length + 1) * 2);
  const secrets = Object.fromEntries(
    Object.entries({ ...CANARIES, file: FILE_PASSWORD }).map(([at, text]) => [at, utf8(text)]),
  );
  const places: Record<string, Buffer> = {
    requests: Buffer.concat(recorded.map(({ bytes }) => bytes)),
    log: Buffer.from(server.output()),
  };
  const files = await readdir(server.dataDir, { recursive: true, withFileTypes: true });
  for (const file of files.filter((one) => one.isFile()))
    places[file.name] = await readFile(join(file.parentPath, file.name));
  expect(findLeaks(secrets, places)).toEqual([]);
});
