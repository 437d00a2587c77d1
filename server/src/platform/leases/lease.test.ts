/** Leases of two processes on one database, with clocks of their own (docs/spec/threats.md §5.2.4, R28, R34). */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startTestApp } from '../../testing/test-app.ts';
import type { TestApp } from '../../testing/test-app.ts';
import { HOUR, MINUTE } from '../../testing/test-clock.ts';
import { LEASE_EXPIRES, Lease, LeaseLost, whileHolding } from './lease.ts';
import { periodicJob } from '../periodic-job.ts';

let app: TestApp;
beforeEach(async () => {
  app = await startTestApp();
});
afterEach(() => app.stop());

/** One process: a lease and a monotonic clock with its own start. */
function processAt(start: number) {
  let at = start;
  const lease = new Lease(app.deps.db, 'work', { elapsed: () => at });
  return {
    lease,
    pass: (ms: number) => {
      at += ms;
    },
  };
}

test('a lease has one holder at a time, which keeps it as long as it renews', async () => {
  const both = [processAt(0), processAt(4 * MINUTE)] as const;
  const held = await Promise.all(both.map(({ lease }) => lease.hold()));
  // The engine decides which of the two is first.
  expect(held.filter(Boolean)).toHaveLength(1);
  const [a, b] = held[0] === true ? both : ([both[1], both[0]] as const);
  for (let round = 0; round < 10; round += 1) {
    for (const one of [a, b]) one.pass(LEASE_EXPIRES / 3);
    expect([await a.lease.hold(), await b.lease.hold()]).toEqual([true, false]);
  }
  await a.lease.release();
  expect([await b.lease.hold(), await a.lease.hold()]).toEqual([true, false]);
});

test('of many concurrent requests for a free or expired lease one succeeds', async () => {
  const all = Array.from({ length: 8 }, (_, at) => processAt(at * 1000));
  expect((await Promise.all(all.map(({ lease }) => lease.hold()))).filter(Boolean)).toHaveLength(1);
  const others = Array.from({ length: 8 }, () => processAt(0));
  expect((await Promise.all(others.map(({ lease }) => lease.hold()))).filter(Boolean)).toHaveLength(0);
  for (const one of others) one.pass(LEASE_EXPIRES);
  expect((await Promise.all(others.map(({ lease }) => lease.hold()))).filter(Boolean)).toHaveLength(1);
});

test("holdUnlessAlive waits until a dead holder's lease expires, and fails once a live holder renews", async () => {
  const [dead, next] = [processAt(0), processAt(HOUR)];
  await dead.lease.hold();
  let waited = 0;
  const passing = async () => {
    next.pass(1000);
    waited += 1000;
  };
  expect(await next.lease.holdUnlessAlive(passing)).toBe(true);
  expect(waited).toBe(LEASE_EXPIRES);
  const third = processAt(0);
  const alive = async () => {
    next.pass(LEASE_EXPIRES / 3);
    await next.lease.hold();
  };
  expect(await third.lease.holdUnlessAlive(alive)).toBe(false);
});

test('a dead holder is replaced within a minute; a holder that only slept gets LeaseLost (R34)', async () => {
  const [a, b] = [processAt(0), processAt(HOUR)];
  await a.lease.hold();
  let waited = 0;
  while (!(await b.lease.hold())) {
    b.pass(5000);
    waited += 5000;
    expect(waited).toBeLessThanOrEqual(MINUTE);
  }
  expect(waited).toBe(LEASE_EXPIRES);
  const late = app.deps.db.transact(async (tx) => {
    await tx.insertInto('site_settings').values({ name: 'late', value: 'x', updated_at: 0 }).execute();
    await a.lease.confirm(tx);
  });
  await expect(late).rejects.toThrow(LeaseLost);
  expect(await app.deps.db.read.selectFrom('site_settings').selectAll().execute()).toEqual([]);
  expect([await a.lease.hold(), await b.lease.hold()]).toEqual([false, true]);
  // Releasing a lost lease does not affect its new holder.
  await a.lease.release();
  b.pass(LEASE_EXPIRES / 2);
  expect(await b.lease.hold()).toBe(true);
});

test('a periodic job runs once across all processes, and again when it is due', async () => {
  const done: string[] = [];
  const jobOf = (name: string) =>
    periodicJob(app.deps, {
      name: 'job',
      every: 10 * MINUTE,
      work: async () => {
        await new Promise((resolve) => setTimeout(resolve, 5));
        done.push(name);
      },
    });
  const [a, b] = [jobOf('a'), jobOf('b')];
  const [isA, isB] = await Promise.all([a(), b()]);
  expect([isA, isB].filter(Boolean)).toHaveLength(1);
  expect([await b(), await a()]).toEqual([false, false]);
  app.clock.advance(10 * MINUTE);
  expect([await b(), await a()]).toEqual([true, false]);
  expect(done).toEqual([isA === true ? 'a' : 'b', 'b']);
});

test('a job that failed or whose process died is taken over by another process', async () => {
  const broken = periodicJob(app.deps, {
    name: 'job',
    every: HOUR,
    work: () => Promise.reject(new Error('no')),
  });
  await expect(broken()).rejects.toThrow('no');
  const dying = new Lease(app.deps.db, 'job');
  expect(await dying.hold(app.deps.clock.now())).toBe(true);
  let at = 0;
  let rounds = 0;
  const heir = periodicJob(app.deps, {
    name: 'job',
    every: HOUR,
    lease: new Lease(app.deps.db, 'job', { elapsed: () => at }),
    work: async () => {
      rounds += 1;
    },
  });
  expect(await heir()).toBe(false);
  at += LEASE_EXPIRES;
  expect([await heir(), await heir(), rounds]).toEqual([true, false, 1]);
});

test('work is aborted when the process stops', async () => {
  const stopping = new AbortController();
  const lease = new Lease(app.deps.db, 'work');
  await lease.hold();
  const work = whileHolding(
    lease,
    (signal) => new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('stopped')))),
    stopping.signal,
  );
  stopping.abort();
  await expect(work).rejects.toThrow('stopped');
});

test('isTaken is true while the holder is alive and false after that', async () => {
  const [holder, other] = [processAt(0), processAt(HOUR)];
  expect(await other.lease.isTaken()).toBe(false);
  await holder.lease.hold();
  expect(await other.lease.isTaken()).toBe(true);
  for (let round = 0; round < 4; round += 1) {
    for (const one of [holder, other]) one.pass(LEASE_EXPIRES / 2);
    await holder.lease.hold();
    expect(await other.lease.isTaken()).toBe(true);
  }
  other.pass(LEASE_EXPIRES);
  expect(await other.lease.isTaken()).toBe(false);
  // An exclusive transaction hides the heartbeat, but its process is at work.
  await app.deps.db.exclusive(async () => expect(await other.lease.isTaken()).toBe(true));
  await holder.lease.release();
  expect(await other.lease.isTaken()).toBe(false);
});
