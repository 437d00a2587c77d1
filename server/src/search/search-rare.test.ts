/** Where some letters are in thousands of entries, rare ones choose what is compared (`db/rare-trigrams.ts`): found is what has the words, all of it and nothing else. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { rareTrigrams } from '../db/rare-trigrams.ts';
import { indexEntries } from '../db/search-index.ts';
import { makeGroup } from '../operations/testing/vault.ts';
import { startTestApp } from '../testing/test-app.ts';
import type { SignedIn, TestApp } from '../testing/test-app.ts';
import { isOnPostgres } from '../testing/test-database.ts';
import { search } from './search.ts';

const COUNT = 3200;
const SYLLABLES = 'ka mo ra tel fin dor ves lu bran ost'.split(' ');
/** The same in every run: three syllables by the entry's number, so that parts of words meet everywhere. */
const wordOf = (at: number) => [at % 10, Math.floor(at / 10) % 10, (at * 7 + 3) % 10].map((n) => SYLLABLES[n]).join('');
const titles = [
  ...Array.from({ length: COUNT - 1 }, (_, at) => `common ${wordOf(at)} 50%_"${at % 7}"`),
  // All letters of `xyzwxq`, three by three, and not the word.
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

/** How many titles have all that is said, and nothing that is excluded. */
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
  // The second time the letters are known.
  for (let time = 0; time < 2; time += 1)
    expect((await search(app.deps.db, ada.userId, { q, perPage: 100 })).total).toBe(expected);
});

test('letters that meet in an entry and are not the word are not found', async () => {
  const totalOf = async (q: string) => (await search(app.deps.db, ada.userId, { q })).total;
  expect([await totalOf('common xyzwxq'), await totalOf('common xyzw zwxq')]).toEqual([0, 1]);
});

test.skipIf(isOnPostgres)(
  'rare letters are chosen where there are frequent ones, too (SQLite alone: the other engine chooses by itself)',
  async () => {
    const { read } = app.deps.db;
    expect(await rareTrigrams(read, ['common'])).toBeNull();
    expect(await rareTrigrams(read, ['ostlu'])).toBeNull();
    expect(await rareTrigrams(read, ['common', 'branost'.repeat(3), titles.slice(0, 20).join()])).toBeNull();
    const [ofCommon, ofRare] = (await rareTrigrams(read, ['common', 'branost'])) ?? [];
    expect([ofCommon?.length, ofRare?.length]).toEqual([1, 3]);
    expect(ofRare?.every((trigram) => 'branost'.includes(trigram))).toBe(true);
  },
);
