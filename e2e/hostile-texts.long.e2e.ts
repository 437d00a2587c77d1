/**
 * M26, M29: markup in every text of a response, in errors and in sealed values is shown as text: nothing
 * runs, loads or navigates, and the content security policy reports nothing. Files that a browser could
 * render are downloaded only.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { openBehindProxy, type BrowserBehindProxy } from './testing/server/behind-proxy.ts';
import type { WatchedPage } from './testing/browser/browser.ts';
import { fieldsOf } from './testing/vault/fields.ts';
import type { LyingProxy } from './testing/lies/lying-proxy.ts';
import { PERSON } from './testing/vault/screen.ts';

const API = '/passwordBroker/api/entryGroups';
/** Each is detectable: it calls `hit`, requests /hit, or becomes an element with `data-hit`. */
const CORPUS = [
  '<script>hit()</script>',
  '<img src=/hit onerror=hit() data-hit>',
  '<svg onload=hit() data-hit><script>hit()</script></svg>',
  '"><iframe srcdoc="<script>parent.hit()</script>" data-hit></iframe>',
  "'-hit()-'",
  'javascript:hit()',
  '<a href="javascript:hit()" data-hit>x</a>',
  '<style data-hit>@import "/hit"</style><link rel=stylesheet href=/hit data-hit>',
  '<base href=/hit data-hit><meta http-equiv=refresh content="0;url=/hit" data-hit>',
  '{{constructor.constructor("hit()")()}}${hit()}<%= hit() %>',
  '<form action=/hit data-hit><input autofocus onfocus=hit()></form>',
  '<math><mtext></form><form><mglyph><style></math><img src=/hit onerror=hit() data-hit>',
  '\u202E<b data-hit>gnp.exe\u202C\u0000\u2028',
] as const;
/** Members of responses that hold free text. */
const TEXTS = new Set([
  'title',
  'name',
  'login',
  'email',
  'username',
  'file_name',
  'file_mime',
  'error_message',
  'address',
  'browser',
  'user_agent',
  'agent',
  'client_name',
  'description',
  'reason',
  'label',
  'from',
  'to',
]);
/** `name` is an identifier of a document here. */
const NO_TEXTS = '/identity/api/keyBundle';

let opened: BrowserBehindProxy;
let proxy: LyingProxy;
let watched: WatchedPage;
let page: Page;
let ui: ReturnType<typeof fieldsOf>;
let group: string;
let entry: string;
let count = 0;

const markup = () => {
  count += 1;
  return CORPUS[count % CORPUS.length] ?? '';
};

/** The response with its texts replaced by markup; ids and other values stay. */
function spoiled(value: unknown, member = ''): unknown {
  if (typeof value === 'string') return TEXTS.has(member) || member === 'errors' ? markup() : value;
  if (Array.isArray(value)) return value.map((one) => spoiled(one, member));
  if (typeof value !== 'object' || value === null) return value;
  const spoil = ([name, one]: [string, unknown]) => [name, spoiled(one, member === 'errors' ? 'errors' : name)];
  const all = Object.fromEntries(Object.entries(value).map(spoil)) as Record<string, unknown>;
  // Only errors have a free text in `message`.
  return 'code' in value ? { ...all, message: markup() } : all;
}

beforeAll(async () => {
  opened = await openBehindProxy();
  ({ proxy, watched, page } = opened);
  ui = fieldsOf(page);
  await page.addInitScript(() =>
    Object.assign(window, { hits: 0, hit: () => ((window as never as { hits: number }).hits += 1) }),
  );
  await ui.signUp(proxy.origin);
  const master_password = PERSON.masterPassword;
  const made = await ui.call<{ entryGroup: { entry_group_id: string } }>('POST', API, {
    name: CORPUS[0],
    master_password,
  });
  group = made.entryGroup.entry_group_id;
  entry = (await ui.call<{ entry_id: string }>('POST', `${API}/${group}/entries`, { title: CORPUS[1] })).entry_id;
  for (const [at, type] of ['password', 'link', 'note', 'link', 'note'].entries()) {
    const field = { type, title: `Field ${at}`, login: CORPUS[at] ?? '', value: CORPUS[at + 5] ?? '', master_password };
    await ui.call('POST', `${API}/${group}/entries/${entry}/fields`, field);
  }
});
afterAll(() => opened.stop());

/** Markup that is visible on the page or in an input. */
async function markupShown(): Promise<readonly string[]> {
  const shown = await page.locator('body').innerText();
  const typed = await page
    .locator('input')
    .evaluateAll((all) => all.map((one) => (one as HTMLInputElement).value).join('\n'));
  return CORPUS.filter((text) => `${shown}\n${typed}`.includes(text.slice(0, 20)));
}

/** Nothing ran, loaded, became an element, opened a page or violated the policy. */
async function expectInert(where: string) {
  const found = await page.evaluate(() => ({
    hits: (window as never as { hits: number }).hits,
    elements: document.querySelectorAll('[data-hit], iframe, object, embed, base').length,
    hostile: [...document.querySelectorAll('a[href]')].filter(
      (link) => !/^https?:|^mailto:/.test((link as HTMLAnchorElement).href),
    ).length,
  }));
  expect(found, where).toEqual({ hits: 0, elements: 0, hostile: 0 });
  expect(
    proxy.asked().filter(({ url }) => url.includes('/hit')),
    where,
  ).toEqual([]);
  expect([new URL(page.url()).origin, watched.context.pages().length], where).toEqual([proxy.origin, 1]);
  expect(watched.complaints(), where).toEqual([]);
}

/** The tree beside each page has texts as well; if the page rejected them, it would be empty. */
const PAGES = [
  '/',
  '/entryGroup/GROUP',
  '/entryGroup/GROUP?entry=ENTRY',
  '/entryGroup/GROUP?tab=users',
  '/entryGroup/GROUP?tab=history',
  '/entrySearch/Field',
  '/trash',
  '/leavers',
  '/notices',
  '/account',
  '/admin/user_control/',
  '/admin/user_control/invite',
  '/admin/logs',
  '/admin/settings',
  '/admin/backup',
];

test.each(PAGES)('markup in any text of a response is shown as text on %s (M26)', async (path) => {
  proxy.tell(({ url }, body) => (Buffer.isBuffer(body) || url === NO_TEXTS ? undefined : spoiled(body)));
  await page.goto(proxy.origin + path.replace('GROUP', group).replace('ENTRY', entry));
  await page.getByRole('main').first().waitFor();
  await page.waitForLoadState('networkidle');
  // An idle network does not mean that the page is rendered.
  await expect.poll(markupShown, { message: path }).not.toEqual([]);
  expect(proxy.told()).toBeGreaterThan(0);
  await expectInert(path);
});

test('markup in a sealed value is shown as text (M26)', async () => {
  proxy.tell(null);
  await page.goto(`${proxy.origin}/entryGroup/${group}?entry=${entry}`);
  await ui.row('Field 0').waitFor();
  await ui.button('Show', ui.row('Field 0')).click();
  await ui.remember();
  await ui.row('Field 0').getByText(CORPUS[5], { exact: true }).waitFor();
  for (const at of [1, 2, 3, 4]) {
    await ui.button('Show', ui.row(`Field ${at}`)).click();
    await ui.row(`Field ${at}`).locator('[data-secret]').first().waitFor();
  }
  await expectInert('values');
});

test('markup in an error response is shown as text (M26)', async () => {
  proxy.tell(({ method }) =>
    method === 'GET'
      ? undefined
      : spoiled({ message: '', code: 'validation', errors: { title: [''], name: [''] }, request_id: 'r' }),
  );
  await page.goto(proxy.origin);
  await ui.button('add new tree').click();
  await ui.box('Title', ui.dialog()).fill('Anything');
  await page.keyboard.press('Enter');
  await ui.remember();
  await ui.dialog().getByRole('alert').first().waitFor();
  await expectInert('a refused form');
  await page.keyboard.press('Escape');
});

test('HTML, SVG and PDF files are downloaded and never rendered (M29)', async () => {
  proxy.tell(null);
  const bodies = {
    'page.html': '<script>opener?.hit();parent.hit()</script>',
    'picture.svg': '<svg xmlns="http://www.w3.org/2000/svg" onload="parent.hit()"><script>parent.hit()</script></svg>',
    'paper.pdf': '%PDF-1.7\n1 0 obj<</OpenAction<</S/JavaScript/JS(app.alert(1))>>>>endobj',
  };
  await page.goto(`${proxy.origin}/entryGroup/${group}?entry=${entry}`);
  await ui.button('Show', ui.row('Field 0')).click();
  await ui.remember();
  await ui.row('Field 0').getByText(CORPUS[5], { exact: true }).waitFor();
  for (const [name, content] of Object.entries(bodies)) {
    await ui.addField('File', name, async () => {
      const mimeType =
        { html: 'text/html', svg: 'image/svg+xml', pdf: 'application/pdf' }[name.split('.')[1] ?? ''] ?? '';
      await ui
        .dialog()
        .locator('input[type=file]')
        .setInputFiles({ name, mimeType, buffer: Buffer.from(content) });
    });
    const saving = page.waitForEvent('download');
    await ui.button('Download file', ui.row(name)).click();
    const saved = await saving;
    expect([saved.suggestedFilename(), saved.url().startsWith('blob:')]).toEqual([name, true]);
    await expectInert(name);
  }
  // The server sends the files with a type that no browser renders.
  const answers = proxy.asked().filter(({ method, url }) => method === 'GET' && url.endsWith('/file'));
  for (const { url } of answers) {
    const answer = await watched.context.request.get(proxy.origin + url);
    expect(answer.headers()).toMatchObject({
      'content-type': 'application/octet-stream',
      'x-content-type-options': 'nosniff',
    });
  }
});
