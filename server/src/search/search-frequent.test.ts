/** Searches with frequent and rare words over thousands of entries find exactly the matching ones. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { indexEntries } from '../db/text-search/search-index.ts';
import { makeGroup } from '../operations/testing/vault.ts';
import { startTestApp } from '../testing/test-app.ts';
import type { SignedIn, TestApp } from '../testing/test-app.ts';
import { search } from './search.ts';

const COUNT = 3200;
const SYLLABLES = 'ka mo ra tel fin dor ves lu bran ost'.split(' ');
/** Three syllables chosen by the entry's number, so words are the same in every run and share parts. */
const wordOf = (at: number) => [at % 10, Math.floor(at / 10) % 10, (at * 7 + 3) % 10].map((n) => SYLLABLES[n]).join('');
const titles = [
  ...Array.from({ length: COUNT - 1 }, (_, at) => `common ${wordOf(at)} 50%_"${at % 7}"`),
  // All trigrams of `xyzwxq`, but not the word.
  'common xyzw yzwx zwxq',
];

let app: TestApp;
let ada: SignedIn;
beforeAll(async () => {
  app = await startTestApp();
  ada = await app.signUp('ada');
  const g = await makeGroup(ada, 'Shelf');
  const now = app.clock.now();
  const rows = titles.map((title) => ({ entry_id: crypto.randomUUID(), title }));
  const common = { entry_group_id: g, created_by: null, created_at: now, updated_at: now, trashed_by: null };
  await app.deps.db.transact(async (tx) => {
    for (let at = 0; at < COUNT; at += 400) {
      const portion = rows.slice(at, at + 400).map((row) => ({ ...row, ...common }));
      await tx.insertInto('entries').values(portion).execute();
    }
    await indexEntries(
      tx,
      rows.map(({ entry_id }) => entry_id),
    );
  });
});
afterAll(() => app.stop());

/** The number of titles that contain all of `has` and none of `hasNot`. */
const plainly = (has: readonly string[], hasNot: readonly string[] = []) =>
  titles.filter((title) => has.every((word) => title.includes(word)) && !hasNot.some((word) => title.includes(word)))
    .length;

test.each([
  ['common', ['common']],
  ['branost', ['branost']],
  ['common branost', ['common', 'branost']],
  ['telfin common dorves', ['common', 'telfin', 'dorves']],
  ['nost ommo', ['nost', 'ommo']],
  ['"common kamora"', ['common kamora']],
  ['"mon bran" 50%_', ['mon bran', '50%_']],
  ['title:common title:ostlu', ['common', 'ostlu']],
  ['login:common ostlu', ['nowhere']],
  ['common -branost ost', ['common', 'ost'], ['branost']],
  ['common kamorb', ['kamorb']],
  ['common ka', ['common', 'ka']],
] as const)('%s', async (q, has, hasNot: readonly string[] = []) => {
  const expected = plainly(has, hasNot);
  expect((await search(app.deps, ada.userId, { q, perPage: 100 })).total).toBe(expected);
});

test('an entry with all trigrams of a word, but not the word, is not found', async () => {
  const totalOf = async (q: string) => (await search(app.deps, ada.userId, { q })).total;
  expect([await totalOf('common xyzwxq'), await totalOf('common xyzw zwxq')]).toEqual([0, 1]);
});
