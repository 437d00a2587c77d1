/**
 * A tree is exported from a real browser, and the downloaded files are read with our own readers: every value of the
 * imported file is in them. The page itself never has a plain value of an encrypted kind.
 */
import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import type { ExchangeTree } from '@passwordbroker/core/domain/exchange/tree';
import { WRITERS } from '@passwordbroker/core/domain/exchange/writers';
import { readFile } from '../core/src/testing/exchange/read-file.ts';
import { findLeaks } from '../server/src/testing/leaks.ts';
import { findings } from './testing/accessibility/accessibility.ts';
import { closePages, openPage, sharedBrowser, type WatchedPage } from './testing/browser/browser.ts';
import { type RecordingProxy, startRecordingProxy } from './testing/server/recording-proxy.ts';
import { freePort, type RunningServer, startServer } from './testing/server/server.ts';
import { KNOWN } from './testing/vault/keepass-file.ts';
import { PERSON, type Screen, screenOf } from './testing/vault/screen.ts';

const SOURCE = new Uint8Array(readFileSync(new URL('./fixtures/keepassxc-export.xml', import.meta.url)));
const FILE_PASSWORD = 'cobalt reef 19 of the file';
const CHANGED = { before: 'granite 41 before', after: 'granite 42 after' };

let server: RunningServer;
let proxy: RecordingProxy;
let browser: Browser;
let watched: WatchedPage;
let page: Page;
let screen: Screen;
let source: ExchangeTree;

beforeAll(async () => {
  source = (await readFile(SOURCE)).tree;
  const port = await freePort();
  server = await startServer({ publicUrl: `http://localhost:${port}` });
  proxy = await startRecordingProxy(port, () => server.port);
  browser = await sharedBrowser();
  watched = await openPage(browser);
  page = watched.page;
  page.setDefaultTimeout(15_000);
  screen = screenOf(page);
  await screen.signUp(proxy.origin);
  await screen.button('import data').click();
  const buffer = Buffer.from(SOURCE);
  await page.locator('input[type=file]').setInputFiles({ name: 'vault.xml', mimeType: 'text/xml', buffer });
  await screen.box('Master password', screen.dialog()).fill(PERSON.masterPassword);
  await screen.button('Continue', screen.dialog()).click();
  await screen.button(/^Import \d+ entr/, screen.dialog()).click();
  await screen.button('Open the tree', screen.dialog()).click();
  await screen.heading('keepass').waitFor();
  await screen.call('PUT', '/system/api/setting/site', { export_plain: true });
  // A new page without anything that the import left in memory; the vault is locked.
  await page.reload();
  await screen.heading('keepass').waitFor();
});
afterAll(async () => {
  await closePages(browser);
  await proxy.close();
  await server.stop();
});
afterEach(() => {
  expect(watched.complaints()).toEqual([]);
});

/** To the numbers, with the kind chosen. */
async function prepare(kind: RegExp, isEncrypted: boolean) {
  await screen.button('Export…').first().click();
  const dialog = screen.dialog();
  const option = dialog.getByRole('option', { name: kind });
  await screen.box('Kind of file', dialog).selectOption((await option.getAttribute('value')) ?? '');
  if (isEncrypted) {
    await screen.box('Password of the file', dialog).fill(FILE_PASSWORD);
    await screen.box('Repeat the password', dialog).fill(FILE_PASSWORD);
  }
  await screen.button('Continue', dialog).click();
  const asked = page.getByRole('heading', { name: 'Master password' });
  await asked
    .or(page.getByRole('heading', { name: 'Export these values?' }))
    .first()
    .waitFor();
  if ((await asked.count()) > 0) await screen.remember();
  await dialog.getByRole('heading', { name: 'Export these values?' }).waitFor();
  return dialog;
}

async function save(): Promise<{ name: string; bytes: Uint8Array<ArrayBuffer> }> {
  await screen.dialog().getByRole('heading', { name: 'The file is ready' }).waitFor({ timeout: 60_000 });
  const downloading = page.waitForEvent('download');
  await screen.button('Save the file', screen.dialog()).click();
  const download = await downloading;
  return { name: download.suggestedFilename(), bytes: new Uint8Array(readFileSync(await download.path())) };
}

/** 'entry › type title: values', the oldest first. The root has another name in each file. */
const valuesOf = ({ entries }: ExchangeTree) =>
  entries
    .flatMap(({ title, fields }) =>
      fields.map(({ type, revisions }) => {
        const values = revisions.map(({ content }) =>
          content.type === 'file'
            ? `${content.name} ${Buffer.from(content.bytes).toString('base64')}`
            : `${content.type === 'password' ? content.login : ''} ${content.value}`,
        );
        return `${title} › ${type} ${revisions.at(-1)?.content.title}: ${values.join(' | ')}`;
      }),
    )
    .toSorted();

/** Which of these texts the page holds anywhere in its memory; workers are not part of it. */
async function heldByPage(texts: readonly string[]): Promise<readonly string[]> {
  const session = await watched.context.newCDPSession(page);
  const parts: string[] = [];
  session.on('HeapProfiler.addHeapSnapshotChunk', ({ chunk }) => void parts.push(chunk));
  await session.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false });
  await session.detach();
  const heap = parts.join('');
  // A snapshot does not keep every other sign as it is.
  const plainest = (text: string) =>
    text.split(/[^\w .:/-]+/).reduce((longest, part) => (part.length > longest.length ? part : longest), '');
  return texts.filter((text) => plainest(text).length > 5 && heap.includes(plainest(text)));
}

const KINDS = [
  ['kdbx', /KDBX/],
  ['pbx', /archive/],
] as const;

test.each(KINDS.filter(([id]) => WRITERS.some((writer) => writer.id === id)))(
  'a tree is exported as %s, with every value, and the page has none of them (EX7)',
  async (id, kind) => {
    const dialog = await prepare(kind, true);
    expect(await dialog.innerText()).toMatch(/\d+ values will be recorded as opened by you/);
    expect(await findings(page)).toEqual([]);
    await screen.button(/^Export \d+ values$/, dialog).click();
    const { name, bytes } = await save();
    expect(name).toMatch(new RegExp(`^passwordbroker-keepass-\\d{4}-\\d\\d-\\d\\d\\.${id}$`));
    const { tree } = await readFile(bytes, { password: FILE_PASSWORD });
    expect(valuesOf(tree)).toEqual(valuesOf(source));
    // Names prove that the search finds something.
    const secrets = [KNOWN.password, KNOWN.notes, KNOWN.url];
    expect(await heldByPage([KNOWN.group, 'Host 19', ...secrets])).toEqual([KNOWN.group, 'Host 19']);
    expect(await findings(page)).toEqual([]);
    await screen.button('Close', screen.dialog()).last().click();
  },
  120_000,
);

test('a plain file is exported after a warning only, and read back', async () => {
  const dialog = await prepare(/CSV for other/, false);
  const go = screen.button(/^Export \d+ values$/, dialog);
  expect(await dialog.innerText()).toMatch(/Everybody who gets this file can read \d+ passwords/);
  expect(await go.isDisabled()).toBe(true);
  expect(await findings(page)).toEqual([]);
  await dialog.getByRole('checkbox', { name: 'I understand' }).check();
  await go.click();
  const { bytes } = await save();
  const passwords = (tree: ExchangeTree) =>
    new Set(
      tree.entries.flatMap(({ fields }) =>
        fields.flatMap(({ revisions }) => {
          const last = revisions.at(-1)?.content;
          return last?.type === 'password' && last.value !== '' ? [last.value] : [];
        }),
      ),
    );
  const { tree } = await readFile(bytes);
  for (const password of passwords(source)) expect(passwords(tree)).toContain(password);
  await screen
    .dialog()
    .getByText(/is not encrypted\. Delete it/)
    .waitFor();
  await screen.button('Close', screen.dialog()).last().click();
});

test('an export that is cancelled ends on the server, and says how many values were opened (EX8)', async () => {
  let release = () => undefined as void;
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/exports/*/releases', async (route) => {
    await held;
    await route.continue().catch(() => undefined);
  });
  const dialog = await prepare(/KDBX/, true);
  await screen.button(/^Export \d+ values$/, dialog).click();
  await screen.button('Cancel', screen.dialog()).click();
  await screen.dialog().getByText('The export was cancelled. No value had been opened.').waitFor();
  release();
  await page.unroute('**/exports/*/releases');
  await screen.button('Cancel', screen.dialog()).click();
  // Another one may begin at once.
  const next = await prepare(/KDBX/, true);
  await page.keyboard.press('Escape');
  await next.waitFor({ state: 'hidden' });
});

test('duplicates of an import into the group get new versions of the values that differ, and undo takes them back', async () => {
  const importing = async (password: string) => {
    await screen.button('import data').click();
    const table = `name,url,username,password\nFresh entry,https://fresh.example,ada,${password}\n`;
    const file = { name: 'fresh.csv', mimeType: 'text/csv', buffer: Buffer.from(table) };
    await page.locator('input[type=file]').first().setInputFiles(file);
    await screen.button('Continue', screen.dialog()).click();
    await screen.dialog().getByText('Into a group').click();
    await screen
      .dialog()
      .getByRole('option', { name: /^keepass(?:,|$)/ })
      .first()
      .click();
  };
  const ended = async (button: string) => {
    await screen.button(button, screen.dialog()).click();
    await screen.dialog().getByText('Added to “keepass”.').waitFor();
    const said = await screen.dialog().innerText();
    await page.keyboard.press('Escape');
    return said;
  };
  await importing(CHANGED.before);
  await ended('Import 1 entry');
  await importing(CHANGED.after);
  await screen.dialog().getByText('New version', { exact: true }).click();
  await screen
    .dialog()
    .getByText(/Equal values are skipped, others get a new version/)
    .waitFor();
  await screen
    .dialog()
    .getByText('This opens up to 2 values here; each is recorded in its history.', { exact: true })
    .waitFor();
  await screen.button('Compare values first', screen.dialog()).press('Enter');
  await screen.dialog().getByText('0 are equal and will be skipped. 1 differs.').waitFor();
  await screen.dialog().getByText('Decide one by one').click();
  await screen.dialog().getByText('differs: Password', { exact: true }).waitFor();
  expect(await screen.dialog().getByRole('combobox', { name: 'Fresh entry' }).inputValue()).toBe('revise');
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await findings(page)).toEqual([]);
  }
  expect(await ended('Import 1 entry')).toContain('1 value with a new version');
  await screen.button('Undo').last().click();
  await page.getByText('Import into "keepass" undone').first().waitFor();
});

test('the history of a field says how it was exported, and no request has a plain value', async () => {
  const { data } = await screen.call<{ data: { event_type: string; details: { values?: number } }[] }>(
    'GET',
    '/system/api/auditLog?event_type=export_released&perPage=100',
  );
  expect(data.length).toBeGreaterThan(1);
  const text = (value: string) => new TextEncoder().encode(value);
  const secrets = {
    'master password': text(PERSON.masterPassword),
    'the password of the file': text(FILE_PASSWORD),
    'a password': text(KNOWN.password),
    'a note': text(KNOWN.notes),
    'a value before an import': text(CHANGED.before),
    'a value after an import': text(CHANGED.after),
  };
  const sent = { requests: Buffer.concat(proxy.requests().map(({ bytes }) => bytes)) };
  expect(findLeaks(secrets, sent)).toEqual([]);
});
