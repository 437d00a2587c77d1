/**
 * Cost of checking a copy: few statements that use indexes only and read a bounded number of rows, whatever
 * the size of the vault, the changes of others and the number of own groups.
 */
import { v7 } from 'uuid';
import { describe, expect, test, vi } from 'vitest';
import * as groups from '@passwordbroker/core/contract/groups/entry-groups';
import * as offline from '@passwordbroker/core/contract/account/offline';
import type { Transact } from '../db/database.ts';
import { countStatements } from '../operations/testing/vault.ts';
import { sweep } from '../system/housekeeping.ts';
import { createSealedPlace, type SealedPlace } from '../testing/sealed-place.ts';
import type { SignedIn, TestApp } from '../testing/test-app.ts';
import { findApplication } from './applications/application-repository.ts';
import { allApplications, isDatabaseStale, isKeyStale } from './applications/applications.ts';
import { findNewestCopy } from './copy-repository.ts';
import { LOOKED_AT } from './own-changes-repository.ts';
import { type Device, deviceOf } from './testing/device.ts';
import { rename, withStaleChecks } from './testing/stale-checks.ts';

const MANY = 2_000;

let app: TestApp;
let ada: SignedIn;
let bob: SignedIn;
let place: SealedPlace;
let hers: SealedPlace;
let device: Device;
const { watched, walks, isExact, fetchAnew, expectsNothingNew, stampOf } = withStaleChecks(
  (site) => ({ app, ada, bob, place, hers, device } = site),
);

/**
 * Numbers of statements of a check after no change, a change of others, a change of others' tree, and an own
 * change.
 */
async function costs(): Promise<readonly number[]> {
  const counts: number[] = [];
  const checks: readonly (readonly [() => Promise<unknown>, boolean])[] = [
    [async () => undefined, false],
    [() => rename(ada, hers), false],
    [() => ada.call(groups.rename, { params: { g: hers.g }, body: { name: v7() } }), false],
    [() => rename(bob, place), true],
  ];
  for (const [act, expected] of checks) {
    await fetchAnew();
    await act();
    const { stale, statements } = await watched(isDatabaseStale);
    expect(stale).toBe(expected);
    if (app.deps.db.dialect === 'sqlite') for (const one of statements) expect(await walks(one), one.sql).toEqual([]);
    counts.push(statements.length);
  }
  return counts;
}

async function putMember(tx: Transact, g: string, userId: string): Promise<void> {
  const now = app.clock.now();
  const row = {
    id: v7(),
    entry_group_id: g,
    user_id: userId,
    role: 'member',
    created_at: now,
    updated_at: now,
  } as const;
  await tx.insertInto('group_members').values(row).execute();
}

/** Empty groups of which the person is the only member. */
async function groupsOf(person: SignedIn, count: number): Promise<void> {
  await app.deps.db.transact(async (tx) => {
    const { g } = person === ada ? hers : place;
    const one = await tx
      .selectFrom('entry_groups')
      .selectAll()
      .where('entry_group_id', '=', g)
      .executeTakeFirstOrThrow();
    for (let at = 0; at < count; at += 1) {
      const id = v7();
      await tx
        .insertInto('entry_groups')
        .values({ ...one, entry_group_id: id, materialized_path: id, name: id, name_folded: id, roster_seq: null })
        .execute();
      await putMember(tx, id, person.userId);
    }
  });
}

/** Adds many entries to a group, as after an import. */
async function fill(into: SealedPlace): Promise<void> {
  await app.deps.db.transact(async (tx) => {
    const one = await tx.selectFrom('entries').selectAll().where('entry_id', '=', into.e).executeTakeFirstOrThrow();
    for (let at = 0; at < MANY; at += 100) {
      const rows = Array.from({ length: 100 }, () => ({ ...one, entry_id: v7() }));
      await tx.insertInto('entries').values(rows).execute();
    }
  });
}

test(`a check needs at most six statements, also with ${MANY} more entries, and scans no table on SQLite`, async () => {
  const few = await costs();
  await fill(place);
  expect(await costs()).toEqual(few);
  // The copy and the newest marks; then own access, groups and entries; then what is below a moved group.
  expect(few).toEqual([2, 5, 6, 5]);
});

/** Each statement that reads many rows runs once. */
const MOST_ROWS = 4 * (LOOKED_AT + 1) + 10;

describe('changes by others', () => {
  test('are checked once: the copy advances, and the next check costs as little as on an idle site', async () => {
    await fetchAnew();
    const before = await stampOf();
    for (let times = 0; times < 3; times += 1) {
      await rename(ada, hers);
      const first = await watched(isDatabaseStale);
      expect([first.stale, first.statements.length]).toEqual([false, 5]);
      await expectsNothingNew();
    }
    expect(await stampOf()).toBeGreaterThan(before);
    // The client's cursor still names the copy.
    expect(await device.isStale()).toBe(false);
    await rename(bob, place);
    expect(await device.isStale()).toBe(true);
    expect((await device.follow()).groups.map(({ entries: all }) => all.length)).toEqual([1]);
  });

  test('in thousands of entries are checked with a bounded number of rows, and once', async () => {
    await fetchAnew();
    await fill(hers);
    await app.deps.db.transact((tx) =>
      tx.updateTable('entries').set({ title: v7() }).where('entry_group_id', '=', hers.g).execute(),
    );
    const first = await watched(isDatabaseStale);
    expect(first.stale).toBe(false);
    expect(first.rows).toBeLessThan(MOST_ROWS);
    expect(first.statements.length).toBeLessThan(9);
    if (app.deps.db.dialect === 'sqlite')
      for (const one of first.statements) expect(await walks(one), one.sql).toEqual([]);
    await expectsNothingNew();
  });

  test('cost a bounded number of rows for a person with very many groups; if there are too many, an empty delta follows', async () => {
    await groupsOf(bob, 3 * LOOKED_AT);
    await fetchAnew();
    await rename(ada, hers);
    const one = await watched(isDatabaseStale);
    expect([one.stale, one.statements.length]).toEqual([false, 5]);
    await expectsNothingNew();

    await groupsOf(ada, 3 * LOOKED_AT);
    const many = await watched(isDatabaseStale);
    expect(many.stale).toBe(true);
    expect(many.rows).toBeLessThan(MOST_ROWS);
    if (app.deps.db.dialect === 'sqlite')
      for (const statement of many.statements) expect(await walks(statement), statement.sql).toEqual([]);
    const delta = await device.follow();
    if (isExact()) {
      expect([delta.groups, delta.gone_groups, delta.gone_entries]).toEqual([[], [], []]);
      await expectsNothingNew();
    }
    await rename(bob, place);
    expect(await device.isStale()).toBe(true);
  });

  test('above an own group make the copy stale, with few groups and with many', async () => {
    const carol = await app.signUp('carol');
    const top = await createSealedPlace(ada, { name: 'Top' });
    const below = await createSealedPlace(ada, { name: 'Below', parent: top.g });
    await app.deps.db.transact((tx) => putMember(tx, below.g, carol.userId));
    const theirs = await deviceOf(carol);
    const renameTop = () => ada.call(groups.rename, { params: { g: top.g }, body: { name: v7() } });
    for (const circumstance of ['few groups', 'with many changes of others', 'many groups']) {
      await theirs.fetch();
      await renameTop();
      if (circumstance === 'with many changes of others') await groupsOf(ada, 2 * LOOKED_AT);
      expect(await theirs.isStale(), circumstance).toBe(true);
      expect((await theirs.follow()).trees, circumstance).not.toBeNull();
      if (circumstance === 'with many changes of others') await groupsOf(carol, 2 * LOOKED_AT);
    }
  });
});

test('one set of statements checks all applications, with a result for each', async () => {
  const other = await deviceOf(bob);
  await fetchAnew();
  if (isExact()) {
    const stale = async () =>
      new Map(
        (await bob.call(offline.applications)).map((one) => [
          one.user_application_id,
          one.is_offline_database_required_update,
        ]),
      );
    expect([(await stale()).get(device.applicationId), (await stale()).get(other.applicationId)]).toEqual([
      false,
      true,
    ]);
    await other.fetch();
    await rename(bob, place);
    await other.follow();
    expect([(await stale()).get(device.applicationId), (await stale()).get(other.applicationId)]).toEqual([
      true,
      false,
    ]);
  }
  const count = () => countStatements(app.deps, (deps) => allApplications(deps, bob.userId));
  const few = await count();
  for (let more = 0; more < 5; more += 1) await deviceOf(bob);
  expect(await count()).toBe(few);
  expect(few).toBeLessThan(9);
});

test('checking the key needs two statements', async () => {
  await bob.call(offline.privateRsa, { query: { user_application_id: device.applicationId } });
  const { stale, statements } = await watched(isKeyStale);
  expect([stale, statements.length]).toEqual([false, 2]);
  if (app.deps.db.dialect === 'sqlite') for (const one of statements) expect(await walks(one), one.sql).toEqual([]);
});

test('an unchanged copy stays known as long as it is checked', async () => {
  await fetchAnew();
  const DAY = 24 * 3_600_000;
  const since = app.clock.now();
  app.clock.advance(2 * DAY);
  bob = await app.signIn(bob);
  const row = await findApplication(app.deps.db.read, device.applicationId);
  if (row === undefined) throw new Error('no application');
  await isDatabaseStale(app.deps, row);
  expect((await findNewestCopy(app.deps.db, device.applicationId))?.created_at).toBeGreaterThan(since + DAY);
});

test('marks that a copy in the making needs are not removed, even if other copies have advanced', async () => {
  const { db, offlineCopies } = app.deps;
  await db.transact(async (tx) => {
    await tx.deleteFrom('offline_copies').execute();
    await tx.deleteFrom('change_floor').execute();
  });
  ada = await app.signIn(ada);
  const others = await deviceOf(ada);
  await others.fetch();
  await sweep(app.deps);
  app.clock.advance(2 * 3_600_000);
  bob = await app.signIn(bob);
  const late = await deviceOf(bob);
  const run = offlineCopies.run.bind(offlineCopies);
  vi.spyOn(offlineCopies, 'run').mockImplementationOnce(async (work) => {
    const made = await run(work);
    await rename(bob, place);
    const row = await findApplication(db.read, others.applicationId);
    if (row === undefined) throw new Error('no application');
    expect(await isDatabaseStale(app.deps, row)).toBe(false);
    await sweep(app.deps);
    return made as never;
  });
  await late.fetch();
  expect(await late.isStale()).toBe(true);
  expect((await late.follow()).groups.map(({ entries: all }) => all.length)).toContain(1);
});
