/**
 * An import is invisible until its last transaction, and the rows of a dead import are removed
 * (T149).
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listAll as listEntries, search } from '@passwordbroker/core/contract/entries/entries';
import { grants } from '@passwordbroker/core/contract/account/own-keys';
import * as groups from '@passwordbroker/core/contract/groups/entry-groups';
import { countAll, measure, readNamedBodies, readTable } from '../backups/run/snapshot-repository.ts';
import { BACKED_UP } from '../backups/archive/tables.ts';
import { madeBackup } from '../backups/testing/made-backup.ts';
import { deviceOf } from '../offline/testing/device.ts';
import { everything } from '../operations/testing/vault.ts';
import { sweep } from '../system/housekeeping.ts';
import { createSealedPlace } from '../testing/sealed-place.ts';
import { startTestApp } from '../testing/test-app.ts';
import type { SignedIn, TestApp } from '../testing/test-app.ts';
import { listStaged } from './import-repository.ts';
import { batchForm, manyFields, sealedBatch } from './testing/sealed-batch.ts';
import type { TestBatch } from './testing/sealed-batch.ts';
import { everyAnswer, storeUntil, UUIDS } from './testing/staged.ts';

const IMPORT = '/passwordBroker/api/import';
/** A word that is nowhere else in the vault. */
const WORD = 'zwischenlager';

let app: TestApp;
let ada: SignedIn;
let bob: SignedIn;
beforeAll(async () => {
  app = await startTestApp();
  [ada, bob] = [await app.signUp('ada'), await app.signUp('bob')];
  await createSealedPlace(bob, { name: 'Bob’s own' });
});
afterAll(() => app.stop());

/** Enough for more than four transactions. */
const FIELDS = 2000;
const FULL_ENTRIES = FIELDS / 250;

/**
 * Two groups, a file, and enough fields for several transactions, with titles that search would
 * find.
 */
async function batchOf(count: number): Promise<TestBatch> {
  const made = await sealedBatch(bob.keyring, app.clock.now(), `${WORD} tree`);
  const { entries, fields } = manyFields(made.batch, count);
  const named = entries.map((entry) => ({ ...entry, title: `${WORD} ${entry.title}` }));
  const batch = {
    ...made.batch,
    entries: [...made.batch.entries, ...named],
    fields: [...made.batch.fields, ...fields],
  };
  return { ...made, batch };
}

/** Ids of groups, entries and fields, and of the operation. */
const idsOf = ({ batch }: TestBatch, operationId: string) => [
  operationId,
  ...batch.groups.map(({ entry_group_id }) => entry_group_id),
  ...batch.entries.map(({ entry_id }) => entry_id),
  ...batch.fields.map(({ field_id }) => field_id),
];

describe('T149: while an import is being written', () => {
  test('no answer to the importer, their device or the site admin shows it, and other people can write', async () => {
    const device = await deviceOf(bob);
    await device.fetch();
    const made = await batchOf(FIELDS);
    const root = made.batch.groups[0]?.entry_group_id ?? '';
    const ids = { g: root, e: made.batch.entries[0]?.entry_id ?? '', f: made.batch.fields[0]?.field_id ?? '' };
    const common = { id: bob.userId, u: bob.userId, name: 'pins', logId: app.deps.newId(), token: 'none' };
    const before = await bob.call(groups.tree);
    const grantsBefore = await bob.call(grants);
    let seen = 0;
    const { turns, stored } = await storeUntil(app, bob, made, async (turn) => {
      if (turn === 0) return true;
      const [operationId = ''] = await listStaged(app.deps.db);
      const own = new Set(idsOf(made, operationId));
      if (turn === 2) {
        for (const person of [bob, ada]) {
          const all = await everyAnswer(person, WORD, { ...common, ...ids, operationId });
          for (const line of all.split('\n')) {
            const [, , ...answer] = line.split(' ');
            expect(
              answer
                .join(' ')
                .match(UUIDS)
                ?.filter((id) => own.has(id)) ?? [],
              line.slice(0, 300),
            ).toEqual([]);
          }
        }
        expect(await bob.call(grants)).toEqual(grantsBefore);
        expect((await device.follow()).groups).toEqual([]);
      }
      for (const [method, path] of [
        ['PUT', `/entryGroups/${root}`],
        ['DELETE', `/entryGroups/${root}`],
        ['PUT', `/entryGroups/${root}/entries/${ids.e}`],
        ['POST', `/operations/${operationId}/undo`],
        ['POST', `/trash/${operationId}/restore`],
        ['DELETE', `/trash/${operationId}`],
      ] as const) {
        const answer = await bob.request({
          method,
          path: `/passwordBroker/api${path}`,
          json: { name: 'x', title: 'x' },
        });
        expect([404, 405, 403], `${method} ${path} ${answer.text}`).toContain(answer.status);
        expect(answer.text).not.toContain(WORD);
      }
      expect(await bob.call(groups.tree)).toEqual(before);
      // Another person writes between two transactions.
      await ada.call(groups.create, { body: { name: `Beside ${turn}`, master_password: ada.masterPassword } });
      seen += 1;
      return true;
    });
    expect(seen).toBe(turns - 1);
    expect(turns).toBeGreaterThan(4);
    expect(stored?.answer.counts).toEqual({
      entry_groups: 2,
      entries: FULL_ENTRIES + 2,
      fields: FIELDS + 2,
      revisions: 2 * FIELDS + 3,
    });
    // Now all of it is visible.
    const { data, total } = await bob.call(search, { query: { q: `title:${WORD}`, perPage: 100 } });
    expect([data.length, total]).toEqual([FULL_ENTRIES, FULL_ENTRIES]);
    expect(await bob.call(listEntries, { params: { g: root } })).toHaveLength(FULL_ENTRIES + 1);
    await device.follow();
    expect(device.copy().groups.flatMap(({ entries }) => entries)).toHaveLength(FULL_ENTRIES + 3);
    expect(await listStaged(app.deps.db)).toEqual([]);
  });

  test('neither a backup nor a move to PostgreSQL contains it', async () => {
    const made = await batchOf(FIELDS);
    const before = await countAll(app.deps.db.read);
    const { rows } = await measure(app.deps.db.read);
    const { operationId, turns, stored } = await storeUntil(app, bob, made, (turn) => turn < 3);
    expect([turns, stored]).toEqual([3, null]);
    const ids = new Set(idsOf(made, operationId));
    for (const { table } of BACKED_UP) {
      for await (const page of readTable(app.deps.db.read, table)) {
        const found = page.flatMap((row) => Object.values(row).filter((value) => ids.has(String(value))));
        expect(found, table).toEqual([]);
      }
    }
    expect(await countAll(app.deps.db.read)).toEqual(before);
    expect((await measure(app.deps.db.read)).rows).toBe(rows);
    const names: string[] = [];
    for await (const { sha256 } of readNamedBodies(app.deps.db.read)) names.push(sha256);
    expect(names).toHaveLength(before.files);
    const { state, counts } = await madeBackup(app, ada);
    expect([state, counts]).toEqual(['created', before]);
    await sweep(app.deps);
  });
});

describe('T149: rows of an import whose process died', () => {
  /** Number of rows without those of the last transaction. */
  const rowsOf = ({ batch }: TestBatch) => {
    const revisions = batch.fields.reduce((sum, field) => sum + field.revisions.length, 0);
    return 4 * batch.groups.length + 2 * batch.entries.length + batch.fields.length + 2 * revisions;
  };
  const writtenRows = async () => {
    const [row] = await app.deps.db.read.selectFrom('staged_imports').select('written_rows').execute();
    return row?.written_rows ?? 0;
  };

  test.each([1, 2, 3, 'all but the last'])('the sweep removes them, after %s of its transactions', async (most) => {
    const before = await everything(app.deps);
    const made = await batchOf(FIELDS);
    const { turns, stored } = await storeUntil(app, bob, made, async (turn) =>
      typeof most === 'number' ? turn < most : (await writtenRows()) < rowsOf(made),
    );
    expect(stored).toBeNull();
    if (typeof most === 'number') expect(turns).toBe(most);
    expect(await listStaged(app.deps.db)).toHaveLength(1);
    await sweep(app.deps);
    expect(await listStaged(app.deps.db)).toEqual([]);
    expect(await everything(app.deps)).toBe(before);
    for (const table of ['group_keys', 'group_grants', 'group_rosters', 'created_requests'] as const) {
      const ids = new Set(idsOf(made, ''));
      const left = await app.deps.db.read.selectFrom(table).selectAll().execute();
      expect(left.filter((row) => Object.values(row).some((value) => ids.has(String(value))))).toEqual([]);
    }
  });

  test('the same batch can be sent again; a third request gets the stored answer', async () => {
    const made = await batchOf(FIELDS);
    await storeUntil(app, bob, made, (turn) => turn < 3);
    const send = () => bob.request({ path: IMPORT, multipart: batchForm(made) });
    const [first, second] = [await send(), await send()];
    expect([first.status, second.status], first.text).toEqual([201, 200]);
    expect(second.json()['operation_id']).toBe(first.json()['operation_id']);
    expect(await listStaged(app.deps.db)).toEqual([]);
    const { operation_id, entry_group_id } = first.json<{ operation_id: string; entry_group_id: string }>();
    const undone = await bob.request({
      method: 'POST',
      path: `/passwordBroker/api/operations/${operation_id}/undo`,
      json: {},
    });
    expect(undone.status, undone.text).toBe(200);
    expect((await bob.request({ path: `/passwordBroker/api/entryGroups/${entry_group_id}` })).status).toBe(404);
  });

  test('an import that was dropped meanwhile fails', async () => {
    const before = await everything(app.deps);
    const made = await batchOf(FIELDS);
    const given = storeUntil(app, bob, made, async (turn) => {
      if (turn === 3) await sweep(app.deps);
      return true;
    });
    await expect(given).rejects.toThrow();
    await sweep(app.deps);
    expect(await listStaged(app.deps.db)).toEqual([]);
    expect(await everything(app.deps)).toBe(before);
  });

  test('an import fails if the keys were replaced meanwhile, and leaves no rows', async () => {
    const made = await batchOf(FIELDS);
    const before = await everything(app.deps);
    const given = storeUntil(app, bob, made, async (turn) => {
      if (turn === 3) await app.deps.db.transact((tx) => setVersion(tx, 2));
      return true;
    });
    await expect(given).rejects.toMatchObject({ code: 'rewrap_set_mismatch' });
    await app.deps.db.transact((tx) => setVersion(tx, 1));
    await sweep(app.deps);
    expect(await everything(app.deps)).toBe(before);
  });

  const setVersion = async (
    tx: Parameters<Parameters<TestApp['deps']['db']['transact']>[0]>[0],
    keyset_version: number,
  ) => {
    await tx.updateTable('users').set({ keyset_version }).where('user_id', '=', bob.userId).execute();
  };
});
