/**
 * An import into existing groups is invisible until its last transaction, which judges again what has changed since
 * it began; what a dead one has left is removed (T149, IM11).
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as entries from '@passwordbroker/core/contract/entries/entries';
import * as fields from '@passwordbroker/core/contract/entries/fields';
import * as groups from '@passwordbroker/core/contract/groups/entry-groups';
import { AppError } from '@passwordbroker/core/contract/problem';
import { BACKED_UP } from '../backups/archive/tables.ts';
import { countAll, hasStrayGroup, readTable } from '../backups/run/snapshot-repository.ts';
import { deviceOf } from '../offline/testing/device.ts';
import { everything, giveRole } from '../operations/testing/vault.ts';
import { sweep } from '../system/housekeeping.ts';
import { joinGroup } from '../testing/join-group.ts';
import { createSealedPlace, sealedField } from '../testing/sealed-place.ts';
import { startTestApp, type SignedIn, type TestApp } from '../testing/test-app.ts';
import { listStaged } from './import-repository.ts';
import { intoBatch, intoScene, type IntoScene } from './testing/into-batch.ts';
import { batchForm, type TestBatch } from './testing/sealed-batch.ts';
import { everyAnswer, storeUntil, UUIDS } from './testing/staged.ts';

const WORD = 'zwischenlager';
/** Enough for several transactions. */
const MORE = 700;

let app: TestApp;
let ada: SignedIn;
let bob: SignedIn;
let cyn: SignedIn;
beforeAll(async () => {
  app = await startTestApp();
  [ada, bob, cyn] = [await app.signUp('ada'), await app.signUp('bob'), await app.signUp('cyn')];
});
afterAll(() => app.stop());

const idsOf = ({ batch }: TestBatch, operationId: string) => [
  operationId,
  ...batch.groups.map(({ entry_group_id }) => entry_group_id),
  ...batch.entries.map(({ entry_id }) => entry_id),
  ...batch.fields.map(({ field_id }) => field_id),
];

const isLast = async () => {
  const [row] = await app.deps.db.read.selectFrom('staged_imports').select('written_rows').execute();
  return (row?.written_rows ?? 0) > 0;
};

describe('T149: while an import into existing groups is being written', () => {
  test('no answer, device, count, history or list of tags shows a part of it', async () => {
    const scene = await intoScene(app, [ada, bob]);
    const device = await deviceOf(bob);
    await device.fetch();
    // On PostgreSQL what changed beside a transaction of others that is still open comes once more.
    await expect.poll(async () => (await device.follow()).groups).toEqual([]);
    const made = await intoBatch(bob, scene, { word: WORD, more: MORE });
    const places = [
      { g: scene.root.g, e: scene.root.e, f: scene.field },
      { g: scene.root.g, e: made.batch.entries[0]?.entry_id ?? '', f: made.batch.fields[0]?.field_id ?? '' },
      { g: made.batch.groups[0]?.entry_group_id ?? '', e: scene.root.e, f: scene.field },
    ];
    const common = { id: bob.userId, u: bob.userId, name: 'pins', logId: app.deps.newId(), token: 'none' };
    const shown = async () => [
      await ada.call(entries.listAll, { params: { g: scene.root.g } }),
      await ada.call(fields.listAll, { params: { g: scene.root.g, e: scene.root.e } }),
      await ada.call(groups.tree),
      await ada.call(groups.removal, { params: { g: scene.root.g } }),
      (await ada.call(entries.search, { query: { q: WORD } })).total,
      (await ada.call(entries.search, { query: { q: 'tag:imported' } })).total,
      await ada.call(entries.search, { query: { q: `${WORD.slice(0, -1)}x` } }),
    ];
    const before = await shown();
    const { turns, stored } = await storeUntil(app, bob, made, async (turn) => {
      const [operationId] = await listStaged(app.deps.db);
      if (operationId === undefined) return true;
      expect(await shown()).toEqual(before);
      if (turn !== 4) return true;
      const own = new Set(idsOf(made, operationId));
      for (const person of [bob, ada, cyn]) {
        for (const ids of places) {
          const all = await everyAnswer(person, WORD, { ...common, ...ids, operationId });
          for (const line of all.split('\n')) {
            const [, , ...answer] = line.split(' ');
            const found =
              answer
                .join(' ')
                .match(UUIDS)
                ?.filter((id) => own.has(id)) ?? [];
            expect(found, line.slice(0, 300)).toEqual([]);
          }
        }
      }
      expect((await device.follow()).groups).toEqual([]);
      return true;
    });
    expect(turns).toBeGreaterThan(5);
    expect(stored?.answer.counts.entries).toBe(MORE + 3);
    // With the existing entry, whose new fields have the word.
    expect((await ada.call(entries.search, { query: { q: `title:${WORD}` } })).total).toBe(MORE + 4);
    await device.follow();
    const copied = device.copy().groups.flatMap(({ entries: own }) => own);
    expect(copied.filter(({ title }) => title.startsWith(WORD))).toHaveLength(MORE + 3);
    expect(await hasStrayGroup(app.deps.db.read)).toBe(false);
  });

  test('no backup contains it', async () => {
    const scene = await intoScene(app, [ada, bob]);
    const made = await intoBatch(bob, scene, { more: MORE });
    const before = await countAll(app.deps.db.read);
    const { operationId, stored } = await storeUntil(app, bob, made, (turn) => turn < 5);
    expect(stored).toBeNull();
    const ids = new Set(idsOf(made, operationId));
    for (const { table } of BACKED_UP) {
      for await (const page of readTable(app.deps.db.read, table)) {
        const found = page.flatMap((row) => Object.values(row).filter((value) => ids.has(String(value))));
        expect(found, table).toEqual([]);
      }
    }
    expect(await countAll(app.deps.db.read)).toEqual(before);
    await sweep(app.deps);
  });

  test.each([2, 3, 4, 5])('what it has left after %s transactions is removed by the sweep', async (most) => {
    const scene = await intoScene(app, [ada, bob]);
    const made = await intoBatch(bob, scene, { more: MORE });
    const before = await everything(app.deps);
    const { operationId, turns, stored } = await storeUntil(app, bob, made, (turn) => turn < most);
    expect([turns, stored]).toEqual([most, null]);
    await sweep(app.deps);
    expect(await listStaged(app.deps.db)).toEqual([]);
    expect(await everything(app.deps)).toBe(before);
    const left = await app.deps.db.read.selectFrom('imported_rows').selectAll().execute();
    expect(left.filter(({ operation_id }) => operation_id === operationId)).toEqual([]);
    // The same batch can be sent again.
    expect((await storeUntil(app, bob, made, () => true)).stored?.isRepeat).toBe(false);
  });
});

type Between = (scene: IntoScene) => Promise<unknown>;
const update = async ({ root, field }: IntoScene) => {
  const { field_id: _id, type: _type, ...sealed } = await sealedField(root);
  const params = { g: root.g, e: root.e, f: field };
  await ada.call(fields.update, { params, body: { ...sealed, rev: 2, base_rev: 1 } });
};
const write = (table: 'entry_groups' | 'entries', set: object, column: string, id: string) =>
  app.deps.db.transact((tx) =>
    tx
      .updateTable(table)
      .set(set)
      .where(column as 'entry_group_id', '=', id)
      .execute(),
  );

const REFUSED: readonly (readonly [string, Between, (scene: IntoScene) => object])[] = [
  [
    'the importer loses the role',
    ({ child }) => giveRole(app.deps, child.g, bob.userId, 'member'),
    ({ child }) => ({ code: 'forbidden', details: { entry_group_id: child.g } }),
  ],
  [
    'the key of a group is replaced',
    ({ root }) => write('entry_groups', { gk_version: 2 }, 'entry_group_id', root.g),
    ({ root }) => ({ code: 'key_version_conflict', details: { entry_group_id: root.g, current_gk_version: 2 } }),
  ],
  [
    'a group goes to the trash',
    ({ child }) => ada.call(groups.remove, { params: { g: child.g } }),
    ({ child }) => ({ code: 'not_found', details: { entry_group_id: child.g } }),
  ],
  [
    'a value is changed',
    update,
    ({ field }) => ({ code: 'revision_conflict', details: { field_id: field, current_rev: 2 } }),
  ],
  [
    'an entry goes to the trash',
    ({ root }) => ada.call(entries.remove, { params: { g: root.g, e: root.e } }),
    ({ root }) => ({ code: 'not_found', details: { entry_id: root.e } }),
  ],
  [
    'a person joins the group above',
    ({ root }) => joinGroup(app, root.g, cyn, 'member'),
    () => ({ code: 'rewrap_set_mismatch' }),
  ],
  [
    'a member of the group above gets another role',
    ({ root }) => giveRole(app.deps, root.g, ada.userId, 'moderator'),
    () => ({ code: 'rewrap_set_mismatch' }),
  ],
];

describe('IM11: an import into existing groups stores nothing if meanwhile', () => {
  test.each(REFUSED)('%s', async (_, between, problem) => {
    const scene = await intoScene(app, [ada, bob]);
    const made = await intoBatch(bob, scene);
    let done = false;
    let before = '';
    const given = storeUntil(app, bob, made, async () => {
      if (done || !(await isLast())) return true;
      done = true;
      await between(scene);
      return true;
    });
    await expect(given).rejects.toMatchObject(problem(scene));
    expect(done).toBe(true);
    await sweep(app.deps);
    before = await everything(app.deps);
    for (const id of idsOf(made, '').slice(1)) expect(before).not.toContain(id);
    const rows = app.deps.db.read.selectFrom('field_revisions').select('rev').where('field_id', '=', scene.field);
    expect((await rows.execute()).length).toBe(between === update ? 2 : 1);
  });

  test('but follows a group that is renamed or moved, and refuses one that is too deep then', async () => {
    const scene = await intoScene(app, [ada, bob]);
    const made = await intoBatch(bob, scene, { word: 'Folgsam' });
    const above = await createSealedPlace(ada, { name: 'Above' });
    let done = false;
    await storeUntil(app, bob, made, async () => {
      if (done || !(await isLast())) return true;
      done = true;
      const params = { g: scene.root.g };
      await ada.call(groups.rename, { params, body: { name: 'Umbenannt' } });
      await ada.call(groups.move, { params, body: { entryGroupTarget: above.g } });
      return true;
    });
    expect((await bob.call(entries.search, { query: { q: 'folgsam group:umbenannt' } })).total).toBe(2);
    const [group] = made.batch.groups;
    const row = await app.deps.db.read
      .selectFrom('entry_groups')
      .select('materialized_path')
      .where('entry_group_id', '=', group?.entry_group_id ?? '')
      .executeTakeFirstOrThrow();
    expect(row.materialized_path).toBe([above.g, scene.root.g, group?.entry_group_id].join('.'));
    expect(await hasStrayGroup(app.deps.db.read)).toBe(false);
  });

  test('and of two who change a value at the same time one is refused', async () => {
    for (let round = 0; round < 5; round += 1) {
      const scene = await intoScene(app, [ada, bob]);
      const made = await intoBatch(bob, scene);
      const path = '/passwordBroker/api/import';
      const [sent, changed] = await Promise.all([
        bob.request({ path, multipart: batchForm(made) }),
        update(scene).then(
          () => 'stored',
          (error: unknown) => (error instanceof AppError ? error.code : 'failed'),
        ),
      ]);
      expect([
        [201, 'revision_conflict'],
        [409, 'stored'],
      ]).toContainEqual([sent.status, changed]);
      const rows = app.deps.db.read.selectFrom('field_revisions').select('rev').where('field_id', '=', scene.field);
      expect((await rows.execute()).map(({ rev }) => rev).toSorted((a, b) => a - b)).toEqual([1, 2]);
    }
  });
});
