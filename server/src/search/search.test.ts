/** Results by text, by person and by order (docs/spec/decisions.md H8, docs/spec/api.md §3.10; T56, T71). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listById, search } from '@passwordbroker/core/contract/entries/entries';
import * as fields from '@passwordbroker/core/contract/entries/fields';
import { utf8 } from '@passwordbroker/core/crypto/bytes';
import { joinGroup } from '../testing/join-group.ts';
import { createSealedPlace, sealedField, sealedFileField } from '../testing/sealed-place.ts';
import { startTestApp } from '../testing/test-app.ts';
import type { SignedIn, TestApp } from '../testing/test-app.ts';
import { putIntoTrash } from '../testing/trash.ts';

let app: TestApp;
let ada: SignedIn;
let bob: SignedIn;

interface Content {
  readonly title?: string;
  readonly login?: string;
  readonly value?: string;
}

/** An entry in its own group, with one password field if given. */
async function make(title: string, { group = 'Group', field }: { group?: string; field?: Content } = {}) {
  const place = await createSealedPlace(ada, { name: group, entry: title });
  if (field === undefined) return { ...place, f: '' };
  const { title: name = '', login = '', value = 'secret value' } = field;
  const body = await sealedField(place, { type: 'password', title: name, login, value: utf8(value) });
  const { field_id: f } = await ada.call(fields.create, { params: place, body });
  return { ...place, f };
}

beforeAll(async () => {
  app = await startTestApp();
  ada = await app.signUp('ada');
  bob = await app.signUp('bob');
  await make('PostgreSQL primary', { group: 'Operations', field: { title: 'Superuser', login: 'postgres@db' } });
  await make('Müller & Söhne GmbH', { group: 'Straße' });
  await make('100% done_now');
  await make('100x donexnow');
  await make(`it's "quoted" \\back`);
  await make('NEAR OR NOT (AND) a*b ^c {d} -e f:g');
  await make('emoji 🔑 key');
  await make('東京タワー');
  await make('VPN');
  await make('cafe\u0301 noir', { field: { login: 'ЁЛКА' } });
  const file = await make('Contract');
  const sealed = await sealedFileField(file);
  const multipart = new FormData();
  for (const [name, value] of Object.entries(sealed.members)) multipart.append(name, String(value));
  multipart.set('file_name', 'Unterschrift.PDF');
  multipart.append('file', new Blob([sealed.body]), 'sealed');
  await ada.call(fields.create, { params: file, multipart });
});
afterAll(() => app.stop());

const titlesFor = async (client: SignedIn, q: string) => {
  const { data, total } = await client.call(search, { query: { q, perPage: 100 } });
  expect(total).toBe(data.length);
  return data.map((row) => row.title);
};

describe('texts', () => {
  test.each([
    ['a title', 'PostgreSQL primary', ['PostgreSQL primary']],
    ['the middle of a title', 'stgresq', ['PostgreSQL primary']],
    ['another case', 'pOSTGRESql', ['PostgreSQL primary']],
    ['the title of a field', 'superuser', ['PostgreSQL primary']],
    ['a login', 'postgres@db', ['PostgreSQL primary']],
    ['the name of a file', 'unterschrift.pdf', ['Contract']],
    ['the name of a group', 'operations', ['PostgreSQL primary']],
    ['two words of the same text', 'primary postgre', ['PostgreSQL primary']],
    ['two words of different texts', 'primary superuser', ['PostgreSQL primary']],
    ['words of a title and of the group', 'operations postgresql', ['PostgreSQL primary']],
    ['two words, one of them unknown', 'primary nowhere', []],
    ['two words that no entry contains together', 'primary contract', []],
    ['spaces of every kind around words', '\t primary \u00a0 postgresql \n', ['PostgreSQL primary']],
    ['the same word twice', 'vpn VPN', ['VPN']],
    ['a title of three letters', 'vpn', ['VPN']],
    ['two letters', 'vp', ['VPN']],
    ['one letter that occurs, one that does not', 'v ż', []],
    ['a text without its accents', 'muller sohne', ['Müller & Söhne GmbH']],
    ['accents added', 'pöstgrésql', ['PostgreSQL primary']],
    ['a combining accent', 'CAFÉ', ['cafe\u0301 noir']],
    ['ß as ss, in the name of a group', 'STRASSE', ['Müller & Söhne GmbH']],
    ['a Cyrillic text without its diaeresis', 'елка', ['cafe\u0301 noir']],
    ['a sign outside words', '&', ['Müller & Söhne GmbH']],
    ['a language without spaces', '京タワ', ['東京タワー']],
    ['two characters of it', '東京', ['東京タワー']],
    ['an emoji', '🔑', ['emoji 🔑 key']],
    ['an emoji with a word', '🔑 key', ['emoji 🔑 key']],
    ['another emoji of the same plane', '🔒', []],
  ])('%s', async (_, q, titles) => {
    expect(await titlesFor(ada, q)).toEqual(titles);
  });

  test('values are never searched', async () => {
    await make('Silent', { field: { value: 'unguessable canary' } });
    for (const q of ['unguessable', 'canary', Buffer.from('unguessable').toString('base64')]) {
      expect(await titlesFor(ada, q)).toEqual([]);
    }
  });
});

const OPERATORS = 'NEAR OR NOT (AND) a*b ^c {d} -e f:g';
describe('characters with a meaning in the database (T56)', () => {
  test.each([
    ['%', ['100% done_now']],
    ['100%', ['100% done_now']],
    ['done_now', ['100% done_now']],
    ['_', ['100% done_now']],
    ['1__', []],
    ['%%%', []],
    ["'", [`it's "quoted" \\back`]],
    ["it's", [`it's "quoted" \\back`]],
    ['"', [`it's "quoted" \\back`]],
    ['"quoted"', [`it's "quoted" \\back`]],
    ['"""', [`it's "quoted" \\back`]],
    ['\\', [`it's "quoted" \\back`]],
    ['\\back', [`it's "quoted" \\back`]],
    ['\\%', []],
    ['NEAR', [OPERATORS]],
    ['NEAR OR', [OPERATORS]],
    ['vpn OR contract', []],
    ['NOT vpn', []],
    ['(AND)', [OPERATORS]],
    ['a*b', [OPERATORS]],
    ['vpn*', []],
    ['*', [OPERATORS]],
    ['^c', [OPERATORS]],
    ['^vpn', []],
    ['{d}', [OPERATORS]],
    ['"-e"', [OPERATORS]],
    ['f:g', [OPERATORS]],
    ['text_folded:vpn', []],
    ['title_folded : vpn', []],
    ["'; drop table entries; --", []],
    ['?', []],
    [':q', []],
  ])('%s', async (q, titles) => {
    expect(await titlesFor(ada, q)).toEqual(titles);
  });
});

describe('visibility of results', () => {
  test('only members of the group, as soon as they join', async () => {
    const { g } = await make('Shared thing', { group: 'Shared group' });
    expect(await titlesFor(bob, 'shared')).toEqual([]);
    await joinGroup(app, g, bob, 'member');
    expect(await titlesFor(bob, 'shared')).toEqual(['Shared thing']);
    expect(await titlesFor(bob, 'group')).toEqual(['Shared thing']);
  });

  test('a role in a subgroup shows nothing above it', async () => {
    const { g } = await make('Above all');
    const below = await createSealedPlace(ada, { parent: g, entry: 'Below all' });
    await joinGroup(app, below.g, bob, 'admin');
    expect(await titlesFor(bob, 'all')).toEqual(['Below all']);
  });

  test('no results without a session', async () => {
    expect((await app.guest().request({ path: '/passwordBroker/api/entrySearch?q=vpn' })).status).toBe(401);
  });

  test('nothing in the trash: groups, entries, texts of fields', async () => {
    const [first, second] = [await make('Rubbish one'), await make('Rubbish two')];
    const third = await make('Rubbish three', { field: { title: 'Peel', login: 'banana' } });
    expect(await titlesFor(ada, 'rubbish')).toHaveLength(3);
    await putIntoTrash(app, 'entry_group', first.g);
    await putIntoTrash(app, 'entry', second.e);
    expect(await titlesFor(ada, 'rubbish')).toEqual(['Rubbish three']);
    expect(await titlesFor(ada, 'peel banana')).toEqual(['Rubbish three']);
    await putIntoTrash(app, 'field', third.f);
    for (const q of ['peel', 'banana']) expect(await titlesFor(ada, q)).toEqual([]);
  });
});

describe('entries by id', () => {
  const titlesOf = async (client: SignedIn, entry_ids: string[]) =>
    (await client.call(listById, { query: { entry_ids } })).map(({ title }) => title);

  test('only members read them, in the order of the ids, and nothing tells whether another one exists', async () => {
    const [first, second] = [await make('By id, first'), await make('By id, second', { field: { login: 'root' } })];
    const ids = [second.e, '00000000-0000-4000-8000-000000000000', first.e, second.e];
    expect(await titlesOf(ada, ids)).toEqual(['By id, second', 'By id, first']);
    const [row] = await ada.call(listById, { query: { entry_ids: [second.e] } });
    expect(row).toMatchObject({ entry_group: { entry_group_id: second.g }, passwords: [{ login: 'root' }], notes: [] });
    expect(await titlesOf(bob, ids)).toEqual([]);
    await joinGroup(app, second.g, bob, 'member');
    expect(await titlesOf(bob, ids)).toEqual(['By id, second']);
    await putIntoTrash(app, 'entry', second.e);
    await putIntoTrash(app, 'entry_group', first.g);
    expect(await titlesOf(ada, ids)).toEqual([]);
  });

  test('more than a hundred ids, none, and malformed ones are refused', async () => {
    const problemOf = async (query: string) =>
      (await ada.request({ path: `/passwordBroker/api/entries${query}` })).json()['errors'];
    const many = Array.from({ length: 101 }, () => crypto.randomUUID()).join(',');
    expect(await problemOf(`?entry_ids=${many}`)).toEqual({
      entry_ids: ['The entry ids is too long (at most 100).'],
    });
    expect(await problemOf('')).toEqual({ entry_ids: ['The entry ids is required.'] });
    expect(await problemOf("?entry_ids=1' or '1'='1")).toEqual({ 'entry_ids.0': [expect.any(String)] });
  });
});
