/** Counters that concurrent transactions of one or several processes count. */
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import type { SqlBool } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Transact } from '../../db/database.ts';
import { recordReveal } from '../../fields/reveal.ts';
import { startSecondIfPossible } from '../../testing/second-instance.ts';
import type { SecondInstance } from '../../testing/second-instance.ts';
import { startTestApp } from '../../testing/test-app.ts';
import type { SignedIn, TestApp } from '../../testing/test-app.ts';
import { insertPlace } from '../../testing/test-place.ts';
import { addAttempt, deleteAttempts, readAttempts, readAttemptsOfAll, total } from './attempts-repository.ts';
import { countJudged, refuseTooMany } from './attempts.ts';
import { sha256Hex } from '../ids-and-digests.ts';

let app: TestApp;
let ada: SignedIn;
/** Only on PostgreSQL. */
let second: SecondInstance | null = null;
beforeAll(async () => {
  app = await startTestApp();
  ada = await app.signUp('ada');
  second = await startSecondIfPossible(app);
});
afterAll(async () => {
  await second?.stop();
  await app.stop();
});

const WINDOW = 10 * 60_000;
/** After this the counter continues in another row. */
const NEXT_ROW = WINDOW / 15;
const now = () => app.deps.clock.now();

/**
 * Runs two overlapping transactions, on two instances if possible: the second starts after the first has
 * counted and before it commits.
 */
async function overlapping<T>(works: readonly [(tx: Transact) => Promise<T>, (tx: Transact) => Promise<T>]) {
  const { db } = app.deps;
  let beside: Promise<T | null> = Promise.resolve(null);
  const first = await db.transactBeside(async (tx) => {
    const counted = await works[0](tx);
    beside = (second?.deps.db ?? db).transactBeside(works[1]);
    await Promise.race([beside, wait(200)]);
    return counted;
  });
  return [first, await beside];
}

test('concurrent attempts get distinct numbers, also if the counter continues in another row', async () => {
  const count = (at: number) => async (tx: Transact) => (await addAttempt(tx, 'counter', WINDOW, now() + at)).failures;
  expect(await overlapping([count(0), count(NEXT_ROW)])).toEqual([1, 2]);
  expect(await overlapping([count(NEXT_ROW), count(0)])).toEqual([3, 4]);
  const many = await Promise.all(
    Array.from({ length: 20 }, (_, at) => app.deps.db.transactBeside(count((at % 2) * NEXT_ROW))),
  );
  expect(many.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, at) => at + 5));
});

/** A person who has revealed `before` fields within ten minutes. */
async function revealer({ userId, email }: SignedIn, before: number) {
  const { db, newId } = app.deps;
  const { g, e, f } = await insertPlace(app.deps, { [userId]: 'member' });
  const actor = { userId, email } as Parameters<typeof recordReveal>[2]['actor'];
  const origin = { address: '192.0.2.1', agentHash: null, userAgent: '', client: null };
  const place = { groupId: g, entryId: e, fieldId: f };
  await db.transact(async (tx) => {
    const counter = `reveal:${userId}`;
    await addAttempt(tx, counter, WINDOW, now());
    const isHers = sql<SqlBool>`key like ${`${sha256Hex(counter)}%`}`;
    await tx.updateTable('attempts').set({ failures: before }).where(isHers).execute();
  });
  return {
    reveal: (at: number) => (tx: Transact) =>
      recordReveal(tx, { newId, clock: { now: () => now() + at } }, { actor, origin, place, rev: 1 }),
    alarms: async () => {
      const rows = db.read.selectFrom('audit_log').select('audit_id').where('user_id', '=', userId);
      return (await rows.where('event_type', '=', 'mass_reveal').execute()).length;
    },
  };
}

test('the 201st reveal within ten minutes raises one alarm, also with concurrent counting, and later ones none (T96)', async () => {
  const { reveal, alarms } = await revealer(ada, 199);
  expect(await alarms()).toBe(0);
  await overlapping([reveal(0), reveal(NEXT_ROW)]);
  expect(await alarms()).toBe(1);
  await overlapping([reveal(NEXT_ROW), reveal(0)]);
  await Promise.all([0, 1, 2, 3].map((at) => app.deps.db.transactBeside(reveal(at * NEXT_ROW))));
  expect(await alarms()).toBe(1);
});

test('of many concurrent reveals beyond 200 one raises the alarm', async () => {
  const databases = second === null ? [app.deps.db] : [app.deps.db, second.deps.db];
  for (const [at, name] of ['bea', 'cem', 'dan', 'eva'].entries()) {
    const { reveal, alarms } = await revealer(await app.signUp(name), 198);
    // All in one process, then in all instances.
    const of = databases.slice(0, 1 + (at % 2));
    const acts = Array.from({ length: 8 / of.length }, (_, n) =>
      of.map((db) => db.transactBeside(reveal((n % 2) * NEXT_ROW))),
    );
    await Promise.all(acts.flat());
    expect(await alarms()).toBe(1);
  }
});

test('an attempt counts on all of its counters, even if the first is full', async () => {
  const small = { key: 'a small one', limit: { max: 1, windowMs: WINDOW } };
  const large = { key: 'b large one', limit: { max: 5, windowMs: WINDOW } };
  let recorded = 0;
  const record = () => Promise.resolve(void (recorded += 1));
  await countJudged(app.deps, [small, large], record);
  for (let n = 0; n < 2; n += 1) {
    await expect(countJudged(app.deps, [small, large], record)).rejects.toMatchObject({ code: 'too_many_requests' });
  }
  expect(recorded).toBe(3);
  for (const { key } of [small, large]) expect(total(await readAttempts(app.deps.db, key, now()))).toBe(3);
  await refuseTooMany(app.deps, large);
});

test('an attempt whose notice cannot be stored is not counted, so the next one gives it', async () => {
  const counter = { key: 'told', limit: { max: 5, windowMs: WINDOW } };
  const record = () => Promise.resolve();
  const counted: (number | undefined)[] = [];
  const tell = (_tx: unknown, counts: ReadonlyMap<string, number>) => {
    counted.push(counts.get('told'));
    return counted.length === 1 ? Promise.reject(new Error('no notice')) : Promise.resolve();
  };
  await expect(countJudged(app.deps, [counter], record, tell)).rejects.toThrow('no notice');
  await countJudged(app.deps, [counter], record, tell);
  expect(counted).toEqual([1, 1]);
});

test('counters read together equal those read alone, and deleting some leaves the others unchanged', async () => {
  const { db } = app.deps;
  const keys = ['several:a', 'several:none', 'several:b', 'several:c', 'several:a'];
  await db.transactBeside(async (tx) => {
    for (const at of [0, 2, 1]) await addAttempt(tx, 'several:a', WINDOW, now() + at * NEXT_ROW);
    await addAttempt(tx, 'several:b', 30 * WINDOW, now());
    await addAttempt(tx, 'several:c', WINDOW, now() - 2 * WINDOW);
    await addAttempt(tx, 'several:ab', WINDOW, now());
  });
  const each = async () => Promise.all(keys.map((key) => readAttempts(db, key, now())));
  const before = await each();
  expect(before.map(total)).toEqual([3, 0, 1, 0, 3]);
  expect(await readAttemptsOfAll(db, keys, now())).toMatchObject(before);
  expect(await readAttemptsOfAll(db, [], now())).toEqual([]);
  await db.transactBeside((tx) => deleteAttempts(tx, ['several:b', 'several:a', 'several:none']));
  expect((await each()).map(total)).toEqual([0, 0, 0, 0, 0]);
  expect(total(await readAttempts(db, 'several:ab', now()))).toBe(1);
  await db.transactBeside((tx) => deleteAttempts(tx, []));
});
