/**
 * After any renames, moves, deletions, restores and undos: undoing the rest in reverse order gives
 * exactly the former rows. In any other order some undos are refused, and the trees stay valid.
 */
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { moveMany } from '@passwordbroker/core/contract/entries/entries';
import * as groups from '@passwordbroker/core/contract/groups/entry-groups';
import { journal, restore, undo } from '@passwordbroker/core/contract/entries/operations';
import { runsOf } from '@passwordbroker/core/testing/arbitraries';
import { AppError } from '@passwordbroker/core/contract/problem';
import { listWraps } from '../../entries/wrap-repository.ts';
import { createSealedPlace, sealedField } from '../../testing/sealed-place.ts';
import { startTestApp } from '../../testing/test-app.ts';
import type { SignedIn, TestApp } from '../../testing/test-app.ts';
import { callWithProof } from '../../testing/test-proof.ts';
import { makeGroup, putEntry, putField, trash } from '../testing/vault.ts';

let app: TestApp;
let ada: SignedIn;
/** A wrapped content key with the form that a client sends. */
let wrap: string;
beforeAll(async () => {
  app = await startTestApp();
  ada = await app.signUp('ada');
  wrap = (await sealedField(await createSealedPlace(ada))).cek_wrapped;
});
afterAll(() => app.stop());

const RUNS = runsOf(10, 200);
const ROOTS = 3;
/** Groups, entries and fields at the start. */
const SIZE = 7;

const thing = fc.nat({ max: SIZE - 1 });
const step = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ act: fc.constant('rename' as const), thing, to: fc.constantFrom('x', 'y', 'Zoë') }),
  },
  { weight: 5, arbitrary: fc.record({ act: fc.constant('move' as const), thing, to: fc.option(thing) }) },
  { weight: 3, arbitrary: fc.record({ act: fc.constant('remove' as const), thing }) },
  {
    weight: 2,
    arbitrary: fc.record({ act: fc.constant('rename entry' as const), thing, to: fc.constantFrom('x', 'y', 'Zoë') }),
  },
  { weight: 3, arbitrary: fc.record({ act: fc.constant('move entry' as const), thing, to: thing }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constant('remove entry' as const), thing }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constant('remove field' as const), thing }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constant('undo' as const), thing: fc.nat({ max: 30 }) }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('restore' as const), thing: fc.nat({ max: 30 }) }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

interface World {
  readonly groups: readonly string[];
  readonly entries: readonly string[];
  readonly fields: readonly string[];
}

/** Three trees, in which later groups are below earlier ones. */
async function makeWorld(): Promise<World> {
  const made: { groups: string[]; entries: string[]; fields: string[] } = { groups: [], entries: [], fields: [] };
  for (let at = 0; at < SIZE; at += 1) {
    const parent = at < ROOTS ? null : (made.groups[at - ROOTS] ?? null);
    const group = await makeGroup(ada, `group ${at}`, parent);
    const entry = await putEntry(app.deps, group, `entry ${at}`);
    made.groups.push(group);
    made.entries.push(entry);
    made.fields.push(await putField(app.deps, entry, `field ${at}`));
  }
  return made;
}

/** All columns but the row number, which changes when an entry is restored. */
const SEARCHED = [
  'entry_id',
  'entry_group_id',
  'updated_at',
  'title_folded',
  'names_folded',
  'logins_folded',
  'files_folded',
  'group_folded',
] as const;

async function rows() {
  const { read } = app.deps.db;
  const [inGroups, inEntries, inFields, inSearch] = await Promise.all([
    read.selectFrom('entry_groups').selectAll().orderBy('entry_group_id').execute(),
    read.selectFrom('entries').selectAll().orderBy('entry_id').execute(),
    read.selectFrom('fields').selectAll().orderBy('field_id').execute(),
    read.selectFrom('entry_search').select(SEARCHED).orderBy('entry_id').execute(),
  ]);
  return { inGroups, inEntries, inFields, inSearch };
}

/**
 * Checks that every path is the parent's path and the own id, that no group is its own ancestor,
 * and that nothing outside the trash is below something in it.
 */
function checkTree({ inGroups, inEntries, inFields }: Awaited<ReturnType<typeof rows>>): void {
  const byId = new Map(inGroups.map((row) => [row.entry_group_id, row]));
  for (const row of inGroups) {
    const parent = row.parent_entry_group_id === null ? null : byId.get(row.parent_entry_group_id);
    const above = parent === null ? '' : `${parent?.materialized_path}.`;
    expect(row.materialized_path).toBe(`${above}${row.entry_group_id}`);
    if (row.trashed_by === null) expect(parent?.trashed_by ?? null).toBeNull();
  }
  const living = new Set(inGroups.filter((row) => row.trashed_by === null).map((row) => row.entry_group_id));
  const livingEntries = inEntries.filter((row) => row.trashed_by === null);
  for (const row of livingEntries) expect(living).toContain(row.entry_group_id);
  const entryIds = new Set(livingEntries.map((row) => row.entry_id));
  for (const row of inFields) if (row.trashed_by === null) expect(entryIds).toContain(row.entry_id);
}

/**
 * Performs the step if possible and returns the id of the operation. A refused step changes nothing
 * and returns null.
 */
async function perform(world: World, { thing: at, ...one }: Step, acts: readonly string[]): Promise<string | null> {
  const g = world.groups[at] ?? '';
  const path = `/passwordBroker/api/entryGroups/${g}`;
  const { read } = app.deps.db;
  switch (one.act) {
    case 'rename':
    case 'move': {
      const target = one.act === 'move' && one.to !== null ? (world.groups[one.to] ?? null) : null;
      const answer = await ada.request(
        one.act === 'rename'
          ? { method: 'PUT', path, json: { name: one.to } }
          : { method: 'PATCH', path, json: { entryGroupTarget: target } },
      );
      expect([200, 404, 422]).toContain(answer.status);
      const act = answer.headers['x-operation-id'];
      return typeof act === 'string' ? act : null;
    }
    case 'remove':
      return ada.call(groups.remove, { params: { g } }).then(
        ({ operation_id }) => operation_id,
        () => null,
      );
    case 'rename entry':
    case 'move entry': {
      const e = world.entries[at] ?? '';
      const row = await read.selectFrom('entries').selectAll().where('entry_id', '=', e).executeTakeFirstOrThrow();
      const place = { g: row.entry_group_id, e };
      if (one.act === 'rename entry') return renameEntry(place, one.to);
      return moveEntry(place, world.groups[one.to] ?? '');
    }
    case 'remove entry': {
      const row = await read
        .selectFrom('entries')
        .selectAll()
        .where('entry_id', '=', world.entries[at] ?? '')
        .executeTakeFirstOrThrow();
      if (row.trashed_by !== null) return null;
      return trash(app.deps, ada, { groupId: row.entry_group_id, entries: [row.entry_id] });
    }
    case 'remove field': {
      const row = await read
        .selectFrom('fields')
        .selectAll()
        .where('field_id', '=', world.fields[at] ?? '')
        .executeTakeFirstOrThrow();
      if (row.trashed_by !== null) return null;
      return trash(app.deps, ada, { groupId: g, field: row.field_id });
    }
    case 'undo':
    case 'restore': {
      const operationId = acts[at % Math.max(1, acts.length)];
      if (operationId === undefined) return null;
      const call = one.act === 'undo' ? undo : restore;
      await ada.call(call, { params: { operationId }, body: {} }).catch(() => null);
      return null;
    }
  }
}

/** One wrap of the right form for every revision; the server compares the set and opens none. */
async function wrapsFor(entryIds: readonly string[]) {
  const rows = await listWraps(app.deps.db, entryIds);
  const rewraps = rows.map(({ field_id, rev }) => ({ field_id, rev, cek_wrapped: wrap }));
  return { target_gk_version: 1, rewraps };
}

async function renameEntry({ g, e }: { readonly g: string; readonly e: string }, title: string) {
  const path = `/passwordBroker/api/entryGroups/${g}/entries/${e}`;
  const answer = await ada.request({ method: 'PUT', path, json: { title } });
  expect([200, 404]).toContain(answer.status);
  const act = answer.headers['x-operation-id'];
  return typeof act === 'string' ? act : null;
}

/** Returns the newest operation of the journal, if it is a new one. */
async function moveEntry(place: { readonly g: string; readonly e: string }, target: string): Promise<string | null> {
  const latest = async () => (await ada.call(journal, { query: { perPage: 1 } })).data[0]?.operation_id ?? null;
  const before = await latest();
  const body = { entries: [place.e], entryGroupTarget: target, ...(await wrapsFor([place.e])) };
  await callWithProof(app, ada, moveMany, { params: { g: place.g }, body }).catch(() => null);
  const after = await latest();
  return after === before ? null : after;
}

async function takeBack(operationId: string): Promise<number> {
  const answer = await ada.request({ path: `/passwordBroker/api/operations/${operationId}/undo`, json: {} });
  if (answer.status !== 422) return answer.status;
  const { data } = await ada.call(journal, { query: { perPage: 100 } });
  const row = data.find((one) => one.operation_id === operationId);
  const groups = { from_entry_group_id: row?.from, to_entry_group_id: row?.to };
  const body = { ...(await wrapsFor(row?.target_ids ?? [])), ...groups };
  return callWithProof(app, ada, undo, { params: { operationId }, body }).then(
    () => 200,
    (error: unknown) => (error instanceof AppError ? error.status : 0),
  );
}

test('undoing every operation in reverse order restores the start', { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 14 }), async (steps) => {
      const world = await makeWorld();
      const before = await rows();
      const acts: string[] = [];
      for (const one of steps) {
        app.clock.advance(1);
        if (one.act === 'undo') {
          const latest = acts.pop();
          if (latest !== undefined) expect([200, 404]).toContain(await takeBack(latest));
        } else {
          const act = await perform(world, one, acts);
          if (act !== null) acts.push(act);
        }
        checkTree(await rows());
      }
      for (const operationId of acts.toReversed()) {
        app.clock.advance(1);
        // 404: the deletion was restored from the trash before.
        expect([200, 404]).toContain(await takeBack(operationId));
      }
      expect(await rows()).toEqual(before);
    }),
    { numRuns: RUNS },
  );
});

test('undone in any order, the trees stay valid', { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 20 }), async (steps) => {
      const world = await makeWorld();
      const acts: string[] = [];
      for (const one of steps) {
        app.clock.advance(1);
        const act = await perform(world, one, acts);
        if (act !== null) acts.push(act);
      }
      checkTree(await rows());
    }),
    { numRuns: RUNS },
  );
});
