/** The many segments of the search index after imports are merged into one; results stay the same. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { countParts, mergeSearchIndex } from '../db/text-search/merge-segments.ts';
import { createSealedPlace } from '../testing/sealed-place.ts';
import { startTestApp } from '../testing/test-app.ts';
import type { SignedIn, TestApp } from '../testing/test-app.ts';
import { isOnPostgres } from '../testing/test-database.ts';
import { search } from './search.ts';

const ENTRIES = 9;

let app: TestApp;
let ada: SignedIn;
beforeAll(async () => {
  app = await startTestApp();
  ada = await app.signUp('ada');
});
afterAll(() => app.stop());

async function titlesWith(q: string): Promise<string[]> {
  const { data } = await search(app.deps, ada.userId, { q });
  return data.map(({ title }) => title).toSorted();
}

const command = (name: string, value: number) =>
  app.deps.db.transact((tx) =>
    sql`insert into entry_search_trigrams (entry_search_trigrams, rank) values (${name}, cast(${value} as integer))`.execute(
      tx,
    ),
  );

test.skipIf(isOnPostgres)(
  'segments of the index are merged into one, results stay the same, and pending changes of a writer are left alone',
  { timeout: 30_000 },
  async () => {
    const { db } = app.deps;
    // The database would not merge so few by itself.
    await command('automerge', 0);
    for (let at = 0; at < ENTRIES; at += 1) await createSealedPlace(ada, { name: 'Operations', entry: `Router ${at}` });
    expect(await countParts(db)).toBeGreaterThanOrEqual(ENTRIES);
    const before = await titlesWith('router');
    expect(before).toHaveLength(ENTRIES);

    await db.transact(() => mergeSearchIndex(db));
    expect(await countParts(db)).toBeGreaterThanOrEqual(ENTRIES);
    await mergeSearchIndex(db, AbortSignal.abort());
    expect(await countParts(db)).toBeGreaterThanOrEqual(ENTRIES);

    await mergeSearchIndex(db);
    expect(await countParts(db)).toBe(1);
    expect(await titlesWith('router')).toEqual(before);
    expect(await titlesWith('router 7')).toEqual(['Router 7']);
    // Throws if the index and the texts differ.
    await command('integrity-check', 1);
  },
);

test('an index of few segments, or in another database, is left alone', async () => {
  const { db } = app.deps;
  await createSealedPlace(ada, { name: 'Operations', entry: 'Switch' });
  const before = await titlesWith('switch');
  await mergeSearchIndex(db);
  expect(await titlesWith('switch')).toEqual(before);
});
