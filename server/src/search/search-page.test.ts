/** Pages of results: size, order, and the content of a row (docs/spec/api.md §1.2, §3.10; T71). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as entries from '@passwordbroker/core/contract/entries/entries';
import * as fields from '@passwordbroker/core/contract/entries/fields';
import { utf8 } from '@passwordbroker/core/crypto/bytes';
import type { FieldContent } from '@passwordbroker/core/domain/fields/payload';
import { createEntryIn, createSealedPlace, sealedField } from '../testing/sealed-place.ts';
import type { SealedPlace } from '../testing/sealed-place.ts';
import { startTestApp } from '../testing/test-app.ts';
import type { SignedIn, TestApp } from '../testing/test-app.ts';

const PATH = '/passwordBroker/api/entrySearch';
let app: TestApp;
let ada: SignedIn;
let place: SealedPlace;

beforeAll(async () => {
  app = await startTestApp();
  ada = await app.signUp('ada');
  place = await createSealedPlace(ada, { name: 'Group', entry: 'Page 0' });
  for (let at = 1; at < 45; at += 1) await createEntryIn(ada, place.g, `Page ${at}`);
});
afterAll(() => app.stop());

const get = (query: string) => ada.request({ path: `${PATH}${query}` });
const find = async (q: string) => (await ada.call(entries.search, { query: { q } })).data;

describe('pages', () => {
  const empty = { data: [], current_page: 1, last_page: 1, per_page: 20, total: 0 };
  test.each([
    ['no words', ''],
    ['an empty text', '?q='],
    ['blanks', '?q=%20%09%0a'],
    ['blanks outside ASCII', '?q=%c2%a0%e3%80%80'],
    ['an accent without a letter', '?q=%cc%81'],
    ['an unknown word', '?q=nowhere'],
  ])('%s: an empty page', async (_, query) => {
    const answer = await get(query);
    expect([answer.status, answer.json()]).toEqual([200, empty]);
  });

  test('a page beyond the last of no results', async () => {
    expect((await get('?q=nowhere&page=3')).json()).toEqual({ ...empty, current_page: 3 });
  });

  test.each([
    ['the first of twenty', '', 1, 3, 20, 20],
    ['the last page, which is not full', '&page=3', 3, 3, 20, 5],
    ['one page beyond the last', '&page=4', 4, 3, 20, 0],
    ['many pages beyond the last', '&page=1000000000', 1_000_000_000, 3, 20, 0],
    ['one result a page', '&perPage=1&page=45', 45, 45, 1, 1],
    ['the largest page', '&perPage=100', 1, 1, 100, 45],
    ['empty numbers', '&page=&perPage=', 1, 3, 20, 20],
  ])('%s', async (_, query, current_page, last_page, per_page, length) => {
    const { data, ...page } = (await get(`?q=page${query}`)).json<{ data: unknown[] }>();
    expect(page).toEqual({ current_page, last_page, per_page, total: 45 });
    expect(data).toHaveLength(length);
  });

  test('all pages together show each entry once', async () => {
    const pages = await Promise.all(
      [1, 2, 3, 4, 5, 6, 7].map((page) => ada.call(entries.search, { query: { q: 'page', page, perPage: 7 } })),
    );
    const ids = pages.flatMap(({ data }) => data.map((row) => row.entry_id));
    expect(ids).toHaveLength(45);
    expect(new Set(ids).size).toBe(45);
  });

  const range = (max: string) => `between 1 and ${max}.`;
  test.each([
    ['page=0', 'page', `The page must be ${range('1000000000')}`],
    ['page=-1', 'page', `The page must be ${range('1000000000')}`],
    ['page=abc', 'page', 'The page must be a whole number.'],
    ['page=1.5', 'page', 'The page must be a whole number.'],
    ['page=1e3', 'page', 'The page must be a whole number.'],
    ['page=99999999999999999999', 'page', 'The page must be a whole number.'],
    ['perPage=0', 'perPage', `The perPage must be ${range('100')}`],
    ['perPage=101', 'perPage', `The perPage must be ${range('100')}`],
    ['perPage=1000000', 'perPage', `The perPage must be ${range('100')}`],
    ['perPage=many', 'perPage', 'The perPage must be a whole number.'],
    [`q=${'x'.repeat(1025)}`, 'q', 'The q is too long (at most 1024 characters).'],
    ['q=a%00b', 'q', 'The q is malformed.'],
  ])('%.30s is refused', async (query, member, text) => {
    const answer = await get(`?${query}`);
    expect([answer.status, answer.json()['code'], answer.json()['errors']]).toEqual([
      422,
      'validation',
      { [member]: [text] },
    ]);
  });

  test.each([
    ['a thousand letters', 'x'.repeat(1024)],
    ['the same word 200 times', 'page '.repeat(200)],
    [
      'hundreds of different words',
      Array.from({ length: 250 }, (_, at) => `w${at}`)
        .join(' ')
        .slice(0, 1024),
    ],
    ['hundreds of wildcards', '%_'.repeat(512)],
  ])('%s are searched within the time limit', async (_, q) => {
    const started = performance.now();
    expect((await get(`?q=${encodeURIComponent(q)}`)).status).toBe(200);
    expect(performance.now() - started).toBeLessThan(5000);
  });
});

describe('order', () => {
  test('titles that begin with the text, titles that contain it, the rest; newest change first in each', async () => {
    const other = await createSealedPlace(ada, { name: 'About zebras', entry: 'By the name of its group' });
    for (const title of ['Old in: a zebra', 'Zebra, old', 'By a field', 'New in: a zebra', 'ZEBRA, new']) {
      app.clock.advance(1000);
      const e = await createEntryIn(ada, place.g, title);
      if (title !== 'By a field') continue;
      const content = { type: 'password' as const, title: '', login: 'zébra', value: utf8('x') };
      await ada.call(fields.create, { params: { g: place.g, e }, body: await sealedField({ ...place, e }, content) });
    }
    const titles = async () => (await find('zebra')).map((row) => row.title);
    const [first, second] = [
      ['ZEBRA, new', 'Zebra, old'],
      ['New in: a zebra', 'Old in: a zebra'],
    ];
    expect(await titles()).toEqual([...first, ...second, 'By a field', 'By the name of its group']);

    app.clock.advance(1000);
    await ada.call(fields.create, { params: other, body: await sealedField(other) });
    expect(await titles()).toEqual([...first, ...second, 'By the name of its group', 'By a field']);
  });

  test('equal results are ordered by id', async () => {
    const ids = Array.from({ length: 5 }, () => crypto.randomUUID());
    for (const entry_id of ids)
      await ada.call(entries.create, { params: { g: place.g }, body: { title: 'Equal', entry_id } });
    expect((await find('equal')).map((row) => row.entry_id)).toEqual([...ids].sort());
  });
});

test('a row contains the entry, its group, and all its fields by kind, without a value', async () => {
  const { g, e, groupKey } = await createSealedPlace(ada, { name: 'Shelf', entry: 'Row' });
  const texts = ['note', 'link'] as const;
  const contents: FieldContent[] = [
    { type: 'TOTP', title: 't', value: utf8('JBSWY3DP'), totp: { algorithm: 'sha1', period: 30 } },
    ...texts.map((type) => ({ type, title: type, value: utf8('x') })),
    { type: 'password', title: 'b', login: 'l', value: utf8('x') },
    { type: 'password', title: 'A', login: 'l', value: utf8('x') },
  ];
  for (const content of contents) {
    const totp = content.type === 'TOTP' ? { totp_hash_algorithm: 'sha1', totp_timeout: 30 } : {};
    const body = { ...(await sealedField({ g, e, groupKey }, content)), ...totp };
    await ada.call(fields.create, { params: { g, e }, body });
  }
  const [row] = await find('row shelf');
  const list = await ada.call(fields.listAll, { params: { g, e } });
  const of = (type: string) => list.filter((field) => field.type === type);
  expect(row).toEqual({
    ...(await ada.call(entries.get, { params: { g, e } })),
    entry_group: { entry_group_id: g, name: 'Shelf' },
    passwords: of('password'),
    links: of('link'),
    notes: of('note'),
    files: [],
    TOTPs: of('TOTP'),
  });
  expect(row?.passwords.map((field) => field.title)).toEqual(['A', 'b']);
  // The response schema strips nothing from it.
  const answer = (await get('?q=row%20shelf')).json();
  expect(entries.search.answer.schema.parse(answer)).toEqual(answer);
});
