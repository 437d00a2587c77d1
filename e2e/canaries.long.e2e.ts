/**
 * T100: after a journey through every input that takes a secret, no secret is found in the database, stored
 * bodies, log, backups, temporary files, core files, arguments and environment of the process, browser
 * storage or browser profile.
 */
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { keysOf } from '../server/src/testing/account-keys.ts';
import { storageOf } from './testing/browser/browser-storage.ts';
import { filesBelow } from './testing/browser/files-below.ts';
import { findLeaks } from '../server/src/testing/leaks.ts';
import { keepCopy, LEDGER, offlineBrowser } from './testing/offline/offline-copy.ts';
import { PERSON } from './testing/vault/screen.ts';

const API = '/passwordBroker/api/entryGroups';
/** No eight consecutive characters of these occur anywhere else. */
const ARCHIVE_PASSWORD = 'rQ6}wzK+4vXd9_Jh';
/** Secrets typed in the wrong place or sent in invalid requests. */
const MISTYPED = {
  'a wrong master password': 'Zt8(nWb3=kLq7_Fy',
  'a wrong account password': 'Hx2]pGv9+mSc5_Rd',
  'a value in a refused call': 'Jd4)sKy6=bNf1_Wt',
  'a master password in a query': 'Vm7-cPz3_gTr8-Xq',
} as const;
const PLAIN_FORM = {
  'a value in the API form': 'Bw5[hLn2+xDj6_Kz',
  'its former value': 'Fs9{rQm4=yVg7_Tb',
  'a value of an import': 'Gk3]dZw8+tHp5_Nc',
} as const;
const temporary = mkdtempSync(join(tmpdir(), 'passwordbroker-temporary-'));

const { browser, start, stop, profile } = offlineBrowser();
const text = (value: string) => new TextEncoder().encode(value);
/** Bytes by name. */
let keys: Record<string, Uint8Array>;
let bearer: string;
let invite: string;

const secrets = (): Record<string, Uint8Array> => ({
  'master password': text(PERSON.masterPassword),
  'account password': text(PERSON.password),
  'archive password': text(ARCHIVE_PASSWORD),
  'a password': text(LEDGER.password),
  'a link': text(LEDGER.link),
  'a note': text(LEDGER.note),
  'a TOTP secret': text(LEDGER.totp),
  'a file': new Uint8Array(LEDGER.file.buffer.subarray(3000, 3200)),
  ...Object.fromEntries(Object.entries({ ...MISTYPED, ...PLAIN_FORM }).map(([name, value]) => [name, text(value)])),
  ...keys,
});

beforeAll(async () => {
  await start({ TMPDIR: temporary, LOG_LEVEL: 'debug' });
  const { at } = browser;
  await keepCopy(browser);
  for (const field of [LEDGER.account, 'Runbook']) await at.shownIn(field);
  await at.button('Show', at.row('Console')).click();
  await at.row('Console').getByText(LEDGER.link).waitFor();
  await at.button('Copy password', at.row(LEDGER.account)).click();
  const group = new URL(browser.groupUrl).pathname.split('/').at(-1) ?? '';
  const master_password = PERSON.masterPassword;
  const { entry_id } = await at.call<{ entry_id: string }>('POST', `${API}/${group}/entries`, { title: 'By API' });
  const fields = `${API}/${group}/entries/${entry_id}/fields`;
  const first = {
    type: 'password',
    title: 'API',
    login: 'api',
    value: PLAIN_FORM['its former value'],
    master_password,
  };
  const { field_id } = await at.call<{ field_id: string }>('POST', fields, first);
  await at.call('PUT', `${fields}/${field_id}`, { ...first, value: PLAIN_FORM['a value in the API form'] });
  expect(await decrypted(`${fields}/${field_id}/decrypted`)).toBe(PLAIN_FORM['a value in the API form']);
  await importInApiForm(group);
  const refused = async (method: string, path: string, body?: unknown) =>
    expect(
      await at.call(method, path, body).then(
        () => 'accepted',
        () => 'refused',
      ),
    ).toBe('refused');
  const wrong = MISTYPED['a value in a refused call'];
  await refused('POST', `${fields}/${field_id}/decrypted`, { master_password: MISTYPED['a wrong master password'] });
  await refused('POST', fields, { type: 'password', title: '', value: wrong, master_password: 7 });
  await refused('POST', fields, { type: wrong, title: [wrong], value: { x: wrong }, master_password });
  await refused('GET', `${fields}?master_password=${MISTYPED['a master password in a query']}`);
  await refused('POST', '/identity/api/login', { email: PERSON.email, password: MISTYPED['a wrong account password'] });
  await refused('POST', '/identity/api/login', { email: wrong, password: [wrong] });
  ({ token: bearer } = await at.call<{ token: string }>('POST', '/identity/api/token', {
    token_name: 'script',
    scopes: ['read', 'write'],
  }));
  ({ inviteLinkUrl: invite } = await at.call<{ inviteLinkUrl: string }>('POST', '/identity/api/invite', {
    user: { email: 'bob@example.org' },
  }));
  await makeBackup();
  await at.call('POST', '/system/api/setting/backupSetting/backup', {
    schedule: [3],
    enable: false,
    email_enable: false,
    archive_password: ARCHIVE_PASSWORD,
  });
  await makeBackup();
  keys = await keysOf({ get: (path) => at.call('GET', path), masterPassword: PERSON.masterPassword });
});
afterAll(async () => {
  await stop();
  rmSync(temporary, { recursive: true, force: true });
});

/** The response is the value itself, not JSON. */
async function decrypted(path: string): Promise<string> {
  const answer = await browser.page.evaluate(
    async ([url, master_password]) => {
      const token = /XSRF-TOKEN=([^;]+)/.exec(document.cookie)?.[1] ?? '';
      const headers = { 'Content-Type': 'application/json', 'X-XSRF-TOKEN': decodeURIComponent(token) };
      return (await fetch(url, { method: 'POST', headers, body: JSON.stringify({ master_password }) })).text();
    },
    [path, PERSON.masterPassword] as const,
  );
  return Buffer.from(answer, 'base64').toString();
}

async function importInApiForm(group: string) {
  const status = await browser.page.evaluate(
    async ([path, value, password]) => {
      const uuid = (n: number) => btoa(String.fromCharCode(...new Uint8Array(16).fill(n)));
      const string = (key: string, content: string) => `<String><Key>${key}</Key><Value>${content}</Value></String>`;
      const entry = `<Entry><UUID>${uuid(3)}</UUID>${string('Title', 'Imported')}${string('Password', value)}</Entry>`;
      const xml = `<?xml version="1.0"?><KeePassFile><Root><Group><UUID>${uuid(4)}</UUID><Name>Import</Name>${entry}</Group></Root></KeePassFile>`;
      const form = new FormData();
      form.append('master_password', password);
      form.append('file', new Blob([xml]), 'vault.xml');
      const token = /XSRF-TOKEN=([^;]+)/.exec(document.cookie)?.[1] ?? '';
      const headers = { 'X-XSRF-TOKEN': decodeURIComponent(token) };
      return (await fetch(path, { method: 'POST', headers, body: form })).status;
    },
    ['/passwordBroker/api/import', PLAIN_FORM['a value of an import'], PERSON.masterPassword] as const,
  );
  expect(status, group).toBe(201);
}

async function makeBackup() {
  const { at } = browser;
  const { backup_id } = await at.call<{ backup_id: string }>('POST', '/system/api/backups', {});
  const state = async () => (await at.call<{ state: string }>('GET', `/system/api/backups/${backup_id}`)).state;
  await vi.waitFor(async () => expect(await state()).toBe('created'), { timeout: 60_000, interval: 200 });
}

test('files, log, process data and unpacked backups of the server contain no secret (T100)', () => {
  const { server } = browser;
  const kept = filesBelow(server.dataDir);
  const archives = Object.entries(kept).filter(([name]) => name.endsWith('.tar.gz'));
  expect(archives).toHaveLength(1);
  expect(Object.keys(kept).filter((name) => name.endsWith('.age'))).toHaveLength(1);
  const places: Record<string, Buffer> = {
    ...kept,
    ...Object.fromEntries(archives.map(([name, bytes]) => [`${name}, unpacked`, gunzipSync(bytes)])),
    ...Object.fromEntries(Object.entries(filesBelow(temporary)).map(([name, bytes]) => [`temporary ${name}`, bytes])),
    log: Buffer.from(server.output()),
    arguments: readFileSync(`/proc/${server.pid()}/cmdline`),
    environment: readFileSync(`/proc/${server.pid()}/environ`),
  };
  const ofTheServer = {
    'secret of a token': text(/^pbt_[0-9a-f]{32}_(.+)$/.exec(bearer)?.[1] ?? ''),
    'secret of an invitation': text(invite.split('/').at(-1) ?? invite),
  };
  expect(Object.keys(kept).some((name) => /[0-9a-f]{64}/.test(name))).toBe(true);
  expect(server.output().length).toBeGreaterThan(1000);
  expect(findLeaks({ ...secrets(), ...ofTheServer }, places)).toEqual([]);
  // The search works: titles are stored in plain text.
  expect(findLeaks({ title: text(LEDGER.entry) }, places).length).toBeGreaterThan(0);
  for (const folder of [process.cwd(), server.dataDir, temporary]) {
    const files = readdirSync(folder, { withFileTypes: true }).filter((one) => one.isFile());
    expect(files.filter(({ name }) => /^core(\.\d+)?$/.test(name))).toEqual([]);
  }
});

test('the storage of the browser contains no secret and no title, with a local copy and after a lock (T100)', async () => {
  const { page, at } = browser;
  const look = async () => {
    const { kept, client } = await storageOf(page);
    expect(Math.min(kept.length, client.length)).toBeGreaterThan(10_000);
    expect(kept.includes('an extractable key')).toBe(false);
    const sealed = { title: text(LEDGER.entry), login: text(LEDGER.login) };
    expect(findLeaks({ ...secrets(), ...sealed }, { kept })).toEqual([]);
    // The client files contain word lists, which include parts of the passphrase.
    expect(findLeaks({ ...secrets(), ...sealed }, { client }, { isWhole: true })).toEqual([]);
  };
  await look();
  await at.button('Master password menu').click();
  await page.getByRole('menuitem', { name: 'Lock now' }).click();
  await look();
});

test('the profile of a closed browser on the disk contains no secret (T100)', async () => {
  const { context, server } = browser;
  await context.close();
  // Large files of the browser itself.
  const places = filesBelow(profile, /^(component_crx_cache|GrShaderCache|ShaderCache|Crashpad\/settings)/);
  expect(Object.keys(places).length).toBeGreaterThan(20);
  expect(findLeaks(secrets(), places, { isWhole: true })).toEqual([]);
  // The search works: page addresses are in the history.
  expect(
    findLeaks({ address: text(server.origin.replace(/\d+$/, '')) }, places, { isWhole: true }).length,
  ).toBeGreaterThan(0);
});
