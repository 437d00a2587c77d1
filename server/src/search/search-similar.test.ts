/** The second attempt of a search that found nothing (ADR 5). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { search } from '@passwordbroker/core/contract/entries/entries';
import * as fields from '@passwordbroker/core/contract/entries/fields';
import { utf8 } from '@passwordbroker/core/crypto/bytes';
import { joinGroup } from '../testing/join-group.ts';
import { createEntryIn, createSealedPlace, sealedField } from '../testing/sealed-place.ts';
import { startTestApp, type SignedIn, type TestApp } from '../testing/test-app.ts';
import { putIntoTrash } from '../testing/trash.ts';

let app: TestApp;
let ada: SignedIn;
let bob: SignedIn;
let ledger: string;

beforeAll(async () => {
  app = await startTestApp();
  [ada, bob] = [await app.signUp('ada'), await app.signUp('bob')];
  const place = await createSealedPlace(ada, { name: 'Operations', entry: 'Business ledger' });
  ledger = place.g;
  const content = { type: 'password' as const, title: 'Superuser', login: 'postgres@db', value: utf8('a value') };
  await ada.call(fields.create, { params: place, body: await sealedField(place, content) });
  for (const title of ['Mongo', 'Mongo archive', 'Müller & Söhne', '100% done'])
    await createEntryIn(ada, place.g, title);
  await createSealedPlace(ada, { name: 'Staging', entry: 'Wiki' });
});
afterAll(() => app.stop());

const find = async (q: string, query: object = {}, who = ada) => {
  const { data, total, similar } = await who.call(search, { query: { q, perPage: 100, ...query } });
  return { titles: data.map(({ title }) => title), total, similar };
};
const similarTo = async (q: string, who = ada) => {
  const { titles, total, similar } = await find(q, {}, who);
  expect(similar).toBe(total > 0 ? true : undefined);
  return titles.sort();
};

test.each([
  ['two swapped letters', 'buisness', ['Business ledger']],
  ['a missing letter', 'busines ledgr', ['Business ledger']],
  ['an additional letter', 'monggo', ['Mongo', 'Mongo archive']],
  ['the middle letter of five', 'mokgo', ['Mongo', 'Mongo archive']],
  ['the first letter', 'xongo', ['Mongo', 'Mongo archive']],
  ['accents and case', 'MÜLLRE', ['Müller & Söhne']],
  ['the title of a field', 'supersuer', ['Business ledger']],
  ['a login', 'postgers', ['Business ledger']],
  ['the name of a group', 'stagign', ['Wiki']],
  ['with a word as written', 'mongp archive', ['Mongo archive']],
  ['with a short word, which must be as written', 'mongp arch', ['Mongo archive']],
  ['with a short misspelt word', 'mongp arhc', []],
  ['with an excluded word', 'mongp -archive', ['Mongo']],
  ['in titles', 'title:mongp', ['Mongo', 'Mongo archive']],
  ['in logins only', 'login:mongp', []],
  ['in names of groups', 'group:operatoins ledger', ['Business ledger']],
  ['with a kind of field', 'type:password buisness', ['Business ledger']],
  ['with another kind of field', 'type:TOTP buisness', []],
  ['an exact phrase', '"buisness ledger"', []],
  ['four letters', 'wkii', []],
  ['two wrong letters of eight', 'bxisnexs', []],
  ['no word', 'mon%o', []],
  ['an operator of the database', 'mongp" OR "wiki', []],
])('%s: %s', async (_, q, titles) => {
  expect(await similarTo(q)).toEqual(titles);
});

test('a search that finds something has no similar results', async () => {
  await createEntryIn(ada, ledger, 'Mongp exactly');
  expect(await find('mongp')).toEqual({ titles: ['Mongp exactly'], total: 1, similar: undefined });
});

test('newest first, and pages agree', async () => {
  const titles = Array.from({ length: 5 }, (_, at) => `Kubernetes ${at}`);
  for (const title of titles) {
    app.clock.advance(1000);
    await createEntryIn(ada, ledger, title);
  }
  const pages = await Promise.all([1, 2, 3, 4].map((page) => find('kubernetis', { page, perPage: 2 })));
  expect(pages.map(({ total }) => total)).toEqual([5, 5, 5, 5]);
  expect(pages.map(({ similar }) => similar)).toEqual([true, true, true, true]);
  expect(pages.flatMap((page) => page.titles)).toEqual(titles.toReversed());
});

describe('only what the person may read', () => {
  test('nothing of other groups, and everything after joining', async () => {
    expect(await similarTo('buisness', bob)).toEqual([]);
    await joinGroup(app, ledger, bob, 'member');
    expect(await similarTo('buisness', bob)).toEqual(['Business ledger']);
    expect(await similarTo('stagign', bob)).toEqual([]);
  });

  test('nothing in the trash', async () => {
    const place = await createSealedPlace(ada, { name: 'Old', entry: 'Firewall' });
    expect(await similarTo('firewlal')).toEqual(['Firewall']);
    await putIntoTrash(app, 'entry_group', place.g);
    expect(await similarTo('firewlal')).toEqual([]);
    const other = await createSealedPlace(ada, { name: 'Newer', entry: 'Firewall' });
    await putIntoTrash(app, 'entry', other.e);
    expect(await similarTo('firewlal')).toEqual([]);
  });
});

test('of more candidates than the limit the newest are compared, and nothing else', async () => {
  const place = await createSealedPlace(bob, { name: 'Many' });
  const now = app.clock.now();
  const rows = Array.from({ length: 6_000 }, (_, at) => ({
    entry_id: crypto.randomUUID(),
    entry_group_id: place.g,
    updated_at: now + at,
    title_folded: at < 500 ? 'prometheus' : 'promotion',
    names_folded: '',
    logins_folded: '',
    files_folded: '',
    group_folded: 'many',
  }));
  await app.deps.db.transact(async (tx) => {
    for (let at = 0; at < rows.length; at += 500) {
      const portion = rows.slice(at, at + 500);
      const common = { created_by: null, created_at: now, updated_at: now, trashed_by: null };
      await tx
        .insertInto('entries')
        .values(portion.map(({ entry_id }) => ({ entry_id, entry_group_id: place.g, title: 'T', ...common })))
        .execute();
      await tx.insertInto('entry_search').values(portion).execute();
    }
  });
  expect((await find('promotoin', {}, bob)).total).toBe(5_000);
  expect((await find('prometheos', {}, bob)).total).toBe(500);
});

test('long texts and many words are compared up to a limit', async () => {
  const eve = await app.signUp('eve');
  const place = await createSealedPlace(eve, { name: 'Long' });
  const now = app.clock.now();
  const names_folded = `${'kubxyzetes '.repeat(1_400)}kubernetes`;
  const common = { created_by: null, created_at: now, updated_at: now, trashed_by: null };
  const empty = { title_folded: '', logins_folded: '', files_folded: '', group_folded: 'long' };
  for (let at = 0; at < 300; at += 1) {
    const ids = { entry_id: crypto.randomUUID(), entry_group_id: place.g };
    await app.deps.db.transact(async (tx) => {
      await tx
        .insertInto('entries')
        .values({ ...ids, title: 'T', ...common })
        .execute();
      await tx
        .insertInto('entry_search')
        .values({ ...ids, ...empty, names_folded, updated_at: now })
        .execute();
    });
  }
  // Two million characters are 130 of these rows for one word, and 33 for four.
  expect((await find('kubernetse', {}, eve)).total).toBeGreaterThan(100);
  expect((await find('kubernetse', {}, eve)).total).toBeLessThan(140);
  const four = 'kubernetse kubernteks kubrenetes ukbernetes'.split(' ');
  const many = Array.from({ length: 15 }, () => four).flat();
  expect((await find(many.join(' '), {}, eve)).total).toBeLessThan(40);
});
