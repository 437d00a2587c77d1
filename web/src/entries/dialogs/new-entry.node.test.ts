/** A new entry with its fields, stored on the real server, also when the connection breaks. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { NetworkError } from '@passwordbroker/client/transport/exchange';
import { vaultOf, type RealVault } from '@passwordbroker/client/testing/real-vault.node';
import { newEntrySaving } from '@passwordbroker/client/vault/entries/new-entry';
import type { VaultWrite } from '@passwordbroker/client/vault/vault';
import { startTestApp, type TestApp } from '../../../../server/src/testing/test-app.ts';
import { type Draft, FRESH_DRAFT } from '../../fields/edit/new-field.ts';
import { ENTRY_TEXTS } from '../../texts/entries/entries.ts';
import { readFields } from './new-entry.ts';
import { kindOf, TEMPLATE_NAMES, TEMPLATES } from '../templates/templates.ts';

let app: TestApp;
let real: RealVault;
let write: VaultWrite;
let groupId: string;
beforeAll(async () => {
  app = await startTestApp();
  const ada = await app.signUp('ada');
  real = vaultOf(ada);
  await real.keyring.unlock(ada.masterPassword);
  if (real.vault.write === null) throw new Error('The online vault writes');
  ({ write } = real.vault);
  groupId = (await write.createGroup({ name: 'G', parentId: null, sameMembers: false })).entryGroup.entry_group_id;
});
afterAll(async () => {
  await app.stop();
});

const LOGIN = {
  ...FRESH_DRAFT,
  login: 'root',
  password: 'first-Value_1',
  link: 'https://ledger.internal',
  secret: 'JBSWY3DPEHPK3PXP',
};
const NONE = new Set<never>();
const OFFERED = TEMPLATES.login.fields;
/** The same draft for each field: each takes its own part. */
const draftsOf = (draft: Draft) => Object.fromEntries(OFFERED.map(({ key }) => [key, draft]));
const fieldsOf = (draft: Draft) => {
  const read = readFields(OFFERED, draftsOf(draft), NONE);
  if ('errors' in read) throw new Error(JSON.stringify(read.errors));
  return read.fields;
};
const kindsOf = async (entryId: string) =>
  (await real.vault.read.fields({ entryGroupId: groupId, entryId })).map(({ type, title }) => `${type} ${title}`);
const entriesNamed = async (title: string) =>
  (await real.vault.read.entries(groupId)).filter((entry) => entry.title === title).length;

describe('reads the filled fields', () => {
  test('nothing typed is no field', () => {
    expect(readFields(OFFERED, {}, NONE)).toEqual({ fields: [] });
  });
  test('a login needs a password', () => {
    expect(readFields(OFFERED, draftsOf({ ...FRESH_DRAFT, login: 'root' }), NONE)).toEqual({
      errors: { password: { value: ENTRY_TEXTS.passwordMissing } },
    });
  });
  test('an error belongs to its field, and a saved field has none', () => {
    const drafts = draftsOf({ ...FRESH_DRAFT, secret: '0189', note: 'Pause' });
    expect(readFields(OFFERED, drafts, NONE)).toMatchObject({ errors: { TOTP: { value: expect.any(String) } } });
    expect(readFields(OFFERED, drafts, new Set(['TOTP']))).toMatchObject({
      fields: [{ key: 'note', field: { type: 'note', title: 'Note' } }],
    });
  });
  test.each(TEMPLATE_NAMES)('the template %s has a key for each field and at most one file', (name) => {
    const keys = TEMPLATES[name].fields.map(({ key }) => key);
    expect(new Set(keys).size).toBe(keys.length);
    expect(TEMPLATES[name].fields.filter(({ type }) => type === 'file').length).toBeLessThanOrEqual(1);
  });
});

test('a kind of a group has a key for each field, the first of each type as in the built-in kinds', () => {
  const field = (type: 'password' | 'note' | 'file', login: string | null = null) => ({ type, title: 'Same', login });
  const fields = [field('note'), field('password', 'Operator'), field('note'), field('password'), field('file')];
  const kind = kindOf({ template_id: 't', entry_group_id: groupId, name: 'Router', icon: 'gone', fields });
  expect(kind.icon).toBe('');
  expect(kind.fields).toEqual([
    { key: 'note', type: 'note', title: 'Same' },
    { key: 'password', type: 'password', title: 'Same', login: 'Operator' },
    { key: 'note 2', type: 'note', title: 'Same' },
    { key: 'password 2', type: 'password', title: 'Same' },
    { key: 'file', type: 'file', title: 'Same' },
  ]);
});

test('a card is stored with its three passwords, also when it is interrupted at each field', async () => {
  const drafts = {
    password: { ...FRESH_DRAFT, login: 'Ada Lovelace', password: '4111 1111 1111 1111' },
    'security code': { ...FRESH_DRAFT, password: '123', login: 'ignored' },
    pin: { ...FRESH_DRAFT, password: '0000' },
    note: { ...FRESH_DRAFT, note: 'Bank' },
  };
  const read = readFields(TEMPLATES.card.fields, drafts, NONE);
  if ('errors' in read) throw new Error(JSON.stringify(read.errors));
  const saving = newEntrySaving(groupId, { read: real.vault.read, write });
  let calls = 0;
  for (let at = 1; at <= read.fields.length; at += 1) {
    calls = 0;
    real.before = async (request) => {
      if (!request.startsWith('POST') || !request.endsWith('/fields')) return;
      calls += 1;
      if (calls === 2) throw new NetworkError('lost');
    };
    const isLast = at === read.fields.length;
    const saved = saving.save('Card', read.fields);
    await (isLast ? saved : expect(saved).rejects.toThrow(NetworkError));
    expect(saving.saved.size).toBe(at);
  }
  real.before = null;
  const entryId = saving.entry()?.entry_id ?? '';
  const stored = await real.vault.read.fields({ entryGroupId: groupId, entryId });
  expect(stored.map((field) => [field.title, field.type === 'password' ? field.login : null])).toEqual([
    ['Number', 'Ada Lovelace'],
    ['PIN', ''],
    ['Security code', ''],
    ['Bank', null],
  ]);
});

test('stores the entry with each field once', async () => {
  const saving = newEntrySaving(groupId, { read: real.vault.read, write });
  const entry = await saving.save('Whole', fieldsOf(LOGIN));
  expect(await kindsOf(entry.entry_id)).toEqual(['password Password', 'link Link', 'TOTP TOTP']);
});

test('goes on with the missing fields', async () => {
  const saving = newEntrySaving(groupId, { read: real.vault.read, write });
  let calls = 0;
  real.before = async (request) => {
    if (!request.startsWith('POST') || !request.endsWith('/fields')) return;
    calls += 1;
    if (calls === 2) throw new NetworkError('lost');
  };
  await expect(saving.save('Broken', fieldsOf(LOGIN))).rejects.toThrow(NetworkError);
  expect([...saving.saved]).toEqual(['password']);
  real.before = null;
  const entry = await saving.save('Broken', fieldsOf(LOGIN));
  expect(await kindsOf(entry.entry_id)).toEqual(['password Password', 'link Link', 'TOTP TOTP']);
  expect(await entriesNamed('Broken')).toBe(1);
});

test('adds nothing twice when the answers are lost, and takes changes over', async () => {
  const lost = new Set<string>();
  const lossy = {
    ...write,
    createEntry: async (...args: Parameters<VaultWrite['createEntry']>) => {
      const entry = await write.createEntry(...args);
      if (!lost.has('entry')) throwOnce('entry');
      return entry;
    },
    createField: async (...args: Parameters<VaultWrite['createField']>) => {
      const field = await write.createField(...args);
      if (!lost.has(field.type)) throwOnce(field.type);
      return field;
    },
  };
  const throwOnce = (what: string): never => {
    lost.add(what);
    throw new NetworkError('lost');
  };
  const saving = newEntrySaving(groupId, { read: real.vault.read, write: lossy });
  await expect(saving.save('Lost', fieldsOf(LOGIN))).rejects.toThrow(NetworkError);
  for (let at = 0; at < 3; at += 1) {
    await expect(saving.save('Renamed', fieldsOf(LOGIN))).rejects.toThrow(NetworkError);
  }
  const entry = await saving.save('Renamed', fieldsOf({ ...LOGIN, secret: 'JBSWY3DPEHPK3PXQ' }));
  const fields = await real.vault.read.fields({ entryGroupId: groupId, entryId: entry.entry_id });
  expect(fields.map(({ type, rev }) => `${type} ${rev}`)).toEqual(['password 1', 'link 1', 'TOTP 2']);
  expect([await entriesNamed('Lost'), await entriesNamed('Renamed')]).toEqual([0, 1]);
});
