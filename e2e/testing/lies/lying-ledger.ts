/** An entry with every type of field behind a lying server, and checks of a client that detects the lies. */
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import type { APIResponse, Page } from 'playwright-core';
import { openBehindProxy, type BrowserBehindProxy } from '../server/behind-proxy.ts';
import type { WatchedPage } from '../browser/browser.ts';
import { fieldsOf } from '../vault/fields.ts';
import type { Asked, Lie, LyingProxy } from './lying-proxy.ts';
import { signUpAtOnce } from '../people/people.ts';
import { PERSON } from '../vault/screen.ts';

export const API = '/passwordBroker/api/entryGroups';
export const VALUES = {
  Root: 'wG7-kestrel-41',
  Backup: 'hollow.birch/93',
  Console: 'https://console.example.test/42',
  Runbook: 'Pause billing before the switch.',
  Code: 'JBSWY3DPEHPK3PXP',
  Elsewhere: 'amber+quarry+77',
} as const;
const FILES = { 'first.bin': Buffer.alloc(3000, 0x41), 'second.bin': Buffer.alloc(3000, 0x42) } as const;

export interface Envelope {
  readonly crypto_profile: string;
  readonly type: string;
  readonly rev: number;
  readonly cek_wrapped_base64: string;
  readonly encrypted_value_base64: string;
  readonly initialization_vector_base64: string;
}
interface LyingField {
  readonly group: string;
  readonly entry: string;
  readonly field: string;
}

/** Flips one bit of the byte at `at`; negative counts from the end. */
export const flipped = (base64: string, at: number): string => {
  const bytes = Buffer.from(base64, 'base64');
  const index = at < 0 ? bytes.length + at : at;
  bytes[index] = (bytes[index] ?? 0) ^ 1;
  return bytes.toString('base64');
};

/** Call once per file: server, proxy, browser and entry. One value has been shown and hidden again. */
export function lyingLedger() {
  let opened: BrowserBehindProxy;
  let proxy: LyingProxy;
  let watched: WatchedPage;
  let page: Page;
  let ui: ReturnType<typeof fieldsOf>;
  const places = new Map<string, LyingField>();

  const place = (title: string): LyingField => {
    const found = places.get(title);
    if (found === undefined) throw new Error(`no field ${title}`);
    return found;
  };
  const pathOf = ({ group, entry, field }: LyingField) => `${API}/${group}/entries/${entry}/fields/${field}`;

  async function post(path: string, body: Record<string, unknown>, isForm = false): Promise<Record<string, unknown>> {
    const cookies = await watched.context.cookies();
    const token = decodeURIComponent(cookies.find(({ name }) => name === 'XSRF-TOKEN')?.value ?? '');
    const answer: APIResponse = await watched.context.request.post(`${proxy.origin}${path}`, {
      headers: { 'X-XSRF-TOKEN': token },
      ...(isForm ? { multipart: body as Record<string, string> } : { data: body }),
    });
    if (!answer.ok()) throw new Error(`${path}: ${answer.status()} ${await answer.text()}`);
    return (await answer.json()) as Record<string, unknown>;
  }
  const read = async <T>(path: string): Promise<T> =>
    (await (await watched.context.request.get(`${proxy.origin}${path}`)).json()) as T;

  const master_password = PERSON.masterPassword;
  const addGroup = async (name: string) =>
    String(((await post(API, { name, master_password }))['entryGroup'] as { entry_group_id: string }).entry_group_id);
  const addEntry = async (group: string, title: string) =>
    String((await post(`${API}/${group}/entries`, { title }))['entry_id']);
  async function addField(
    group: string,
    entry: string,
    title: string,
    members: Record<string, unknown>,
    isForm = false,
  ) {
    const path = `${API}/${group}/entries/${entry}/fields`;
    const { field_id } = await post(path, { title, master_password, ...members }, isForm);
    places.set(title, { group, entry, field: String(field_id) });
  }

  beforeAll(async () => {
    opened = await openBehindProxy();
    ({ proxy, watched, page } = opened);
    ui = fieldsOf(page);
    await signUpAtOnce(page, proxy.origin);
    const [group, other] = [await addGroup('Production'), await addGroup('Archive')];
    const entry = await addEntry(group, 'Ledger');
    await addField(group, entry, 'Root', { type: 'password', login: 'root', value: VALUES.Root });
    await addField(group, entry, 'Backup', { type: 'password', login: 'root', value: VALUES.Backup });
    await addField(group, entry, 'Console', { type: 'link', value: VALUES.Console });
    await addField(group, entry, 'Runbook', { type: 'note', value: VALUES.Runbook });
    await addField(group, entry, 'Code', { type: 'TOTP', value: VALUES.Code });
    for (const [name, buffer] of Object.entries(FILES)) {
      const file = { name, mimeType: 'application/octet-stream', buffer };
      await addField(group, entry, name, { type: 'file', file }, true);
    }
    await addField(other, await addEntry(other, 'Old ledger'), 'Elsewhere', {
      type: 'password',
      login: 'root',
      value: VALUES.Elsewhere,
    });
    await openLedger();
    await ui.button('Show', ui.row('Root')).click();
    await ui.remember();
    await ui.row('Root').getByText(VALUES.Root).waitFor();
    await ui.button('Hide', ui.row('Root')).click();
  });
  afterAll(() => opened.stop());
  beforeEach(() => proxy.tell(null));

  async function openLedger() {
    const { group, entry } = place('Root');
    await page.goto(`${proxy.origin}/entryGroup/${group}?entry=${entry}`);
    await page.getByRole('table', { name: 'Fields of Ledger' }).waitFor();
  }

  /** Reloads, which locks the vault: every list and key is requested again. */
  async function openAnew(lie: Lie) {
    proxy.tell(lie);
    await openLedger();
  }

  const envelopeOf = (title: string) => read<Envelope>(`${pathOf(place(title))}/envelope`);
  const isEnvelopeOf = (title: string, { method, url }: Asked) =>
    method === 'GET' && url === `${pathOf(place(title))}/envelope`;
  /** Forges only the envelope of that field. */
  const about =
    (title: string, forge: (envelope: Envelope) => unknown): Lie =>
    (asked, body) =>
      isEnvelopeOf(title, asked) ? forge(body as Envelope) : undefined;

  /** No sealed value is on the page. */
  async function expectNothingShown() {
    const text = await page.locator('body').innerText();
    for (const value of Object.values(VALUES)) expect(text).not.toContain(value);
  }

  /** Requests that change something. The sealed trust record may be written after an unlock. */
  const changes = () =>
    proxy.asked().filter(({ method, url }) => method !== 'GET' && !url.endsWith('/keyBundle/documents/trust'));

  /** Since the lie the client has changed nothing, and no URL contains a value. */
  function expectNothingSent() {
    expect(proxy.told()).toBeGreaterThan(0);
    expect(changes()).toEqual([]);
    const addresses = proxy.asked().map(({ url }) => decodeURIComponent(url));
    for (const value of Object.values(VALUES)) expect(addresses.filter((url) => url.includes(value))).toEqual([]);
  }

  async function refuses(title: string, problem: string, show: 'Show' | 'Show code' = 'Show') {
    const hide = ui.button(/^Hide/, ui.row(title));
    if ((await hide.count()) > 0) await hide.click();
    await ui.button(show, ui.row(title)).click();
    if (await isAsked()) await ui.remember();
    await ui.row(title).getByRole('alert').getByText(problem).waitFor();
    await expectNothingShown();
    expectNothingSent();
  }

  /** Waits for the prompt or an error. True if the master password is asked for. */
  async function isAsked(): Promise<boolean> {
    const modal = page.getByRole('dialog').getByLabel('Master password', { exact: true });
    const answer = page.getByRole('table', { name: 'Fields of Ledger' }).getByRole('alert');
    await modal.or(answer).first().waitFor();
    return (await modal.count()) > 0;
  }

  return {
    page: () => page,
    ui: () => ui,
    proxy: () => proxy,
    complaints: () => watched.complaints(),
    read,
    post,
    addField,
    place,
    pathOf,
    openAnew,
    envelopeOf,
    about,
    expectNothingShown,
    changes,
    expectNothingSent,
    refuses,
  };
}
