/** Imports into existing groups: what they store, and what they refuse. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { v7 } from 'uuid';
import * as entries from '@passwordbroker/core/contract/entries/entries';
import * as fields from '@passwordbroker/core/contract/entries/fields';
import { restore, undo } from '@passwordbroker/core/contract/entries/operations';
import * as groups from '@passwordbroker/core/contract/groups/entry-groups';
import { openField } from '@passwordbroker/core/domain/fields/field';
import { auditOf, everything, giveRole } from '../operations/testing/vault.ts';
import { joinGroup } from '../testing/join-group.ts';
import { sealedField } from '../testing/sealed-place.ts';
import { startTestApp, type SignedIn, type TestApp } from '../testing/test-app.ts';
import { deviceOf } from '../offline/testing/device.ts';
import { intoBatch, intoScene, type IntoScene } from './testing/into-batch.ts';
import { batchForm, sealedBatch, type TestBatch } from './testing/sealed-batch.ts';

const PATH = '/passwordBroker/api/import';
let app: TestApp;
let ada: SignedIn;
let bob: SignedIn;
let cyn: SignedIn;
beforeAll(async () => {
  app = await startTestApp();
  [ada, bob, cyn] = [await app.signUp('ada'), await app.signUp('bob'), await app.signUp('cyn')];
});
afterAll(() => app.stop());

const send = (batch: TestBatch, who = bob) => who.request({ path: PATH, multipart: batchForm(batch) });
async function openedBy(person: SignedIn, scene: IntoScene, fieldId: string) {
  const place = { g: scene.root.g, e: scene.root.e, f: fieldId };
  const { type, rev } = await person.call(fields.get, { params: place });
  const envelope = await person.call(fields.envelope, { params: place });
  const path = { entryGroupId: place.g, entryId: place.e, fieldId, type, rev };
  const content = await openField(scene.root.groupKey, path, envelope);
  return 'value' in content ? new TextDecoder().decode(content.value) : content.type;
}

describe('IM11: an import into existing groups', () => {
  test('adds entries, fields, revisions and groups below, with the members of the group above', async () => {
    const scene = await intoScene(app, [ada, bob]);
    const device = await deviceOf(ada);
    await device.fetch();
    const made = await intoBatch(bob, scene, { word: 'Zwetschge' });
    const answer = await send(made);
    expect(answer.status, answer.text).toBe(201);
    expect(answer.json()).toEqual({
      operation_id: expect.any(String),
      kind: 'import',
      counts: { entry_groups: 2, entries: 3, fields: 5, revisions: 7, updated: 1 },
      undo_until: '2026-03-02T09:30:00.000Z',
      entry_group_id: scene.root.g,
      name: 'Root',
      skipped: [{ kind: 'icon', reason: 'left out', count: 3 }],
    });
    for (const person of [ada, bob]) {
      expect(
        (await person.call(entries.listAll, { params: { g: scene.root.g } })).map(({ title }) => title).toSorted(),
      ).toEqual(['Entry', 'Zwetschge first']);
      // Those of the two groups, the deep one, and the entry with new fields.
      expect((await person.call(entries.search, { query: { q: 'zwetschge' } })).total).toBe(4);
      expect((await person.call(entries.search, { query: { q: 'tag:imported group:root' } })).total).toBe(1);
    }
    expect(await openedBy(ada, scene, scene.field)).toBe('another');
    expect(await ada.call(fields.listAll, { params: { g: scene.root.g, e: scene.root.e } })).toHaveLength(3);
    const history = await ada.call(fields.history, {
      params: { g: scene.root.g, e: scene.root.e, f: scene.field },
    });
    // Ids of imported rows have the time of the test's clock, others the present one.
    expect(history.map(({ event_type }) => event_type).toSorted()).toEqual(['created', 'decrypted', 'updated']);
    await device.follow();
    expect(device.copy().groups.flatMap((group) => group.entries).length).toBeGreaterThanOrEqual(4);
    for (const { entry_group_id: g } of made.batch.groups) {
      const rows = app.deps.db.read.selectFrom('group_members').select(['user_id', 'role']);
      expect(
        new Map((await rows.where('entry_group_id', '=', g).execute()).map((row) => [row.user_id, row.role])),
      ).toEqual(
        new Map([
          [ada.userId, 'admin'],
          [bob.userId, 'admin'],
        ]),
      );
    }
    const { trees } = await bob.call(groups.tree);
    expect(JSON.stringify(trees)).toContain('Zwetschge deep');
    const [event] = await auditOf(app.deps, 'imported', scene.root.g);
    expect(JSON.parse(event?.details ?? '{}')).toEqual({
      entry_groups: 2,
      entries: 3,
      fields: 5,
      revisions: 7,
      updated: 1,
      same_members: true,
      skipped: 3,
      roster_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    const standIns = app.deps.db.read.selectFrom('entry_groups').select('name').where('roster_seq', 'is', null);
    expect(await standIns.execute()).toEqual([]);
  });

  test('without same_members new groups have the importer alone, and an empty batch member list is today’s', async () => {
    const scene = await intoScene(app, [ada, bob]);
    const made = await intoBatch(bob, scene, { sameMembers: false });
    const answer = await send(made);
    expect(answer.status, answer.text).toBe(201);
    for (const { entry_group_id } of made.batch.groups) {
      const rows = app.deps.db.read.selectFrom('group_members').select('user_id');
      expect(await rows.where('entry_group_id', '=', entry_group_id).execute()).toEqual([{ user_id: bob.userId }]);
    }
  });

  test('sent again gets the same answer and is stored once; another batch is another import', async () => {
    const scene = await intoScene(app, [ada, bob]);
    const made = await intoBatch(bob, scene);
    const first = await send(made);
    const stored = await everything(app.deps);
    const again = await send(made);
    expect([first.status, again.status]).toEqual([201, 200]);
    expect(again.json()).toEqual(first.json());
    expect(await everything(app.deps)).toBe(stored);
    const other = await send(await intoBatch(bob, scene, { baseRev: 2 }));
    expect(other.status, other.text).toBe(201);
    expect(
      (await app.deps.db.read.selectFrom('fields').select('rev').where('field_id', '=', scene.field).execute())[0],
    ).toEqual({ rev: 3 });
  });

  test('a tree that was taken back and restored is not answered with a later import into it', async () => {
    const tree = await sealedBatch(bob.keyring, app.clock.now());
    const { operation_id, entry_group_id } = (await send(tree)).json<{
      operation_id: string;
      entry_group_id: string;
    }>();
    const removal = await bob.call(undo, { params: { operationId: operation_id }, body: {} });
    await bob.call(restore, { params: { operationId: removal.operation_id }, body: {} });
    const batch = {
      into: entry_group_id,
      targets: [{ entry_group_id, gk_version: 1 }],
      groups: [],
      entries: [{ entry_id: v7(), entry_group_id, title: 'Later' }],
      fields: [],
      skipped: [],
    };
    expect((await send({ batch, bodies: {} })).status).toBe(201);
    expect((await send(tree)).json()).toMatchObject({ code: 'id_taken' });
  });

  test('updates alone need no group and no entry', async () => {
    const scene = await intoScene(app, [ada, bob]);
    const made = await intoBatch(bob, scene);
    const answer = await send({ batch: { ...made.batch, groups: [], entries: [], fields: [] }, bodies: {} });
    expect(answer.status, answer.text).toBe(201);
    expect(answer.json()['counts']).toEqual({ entry_groups: 0, entries: 0, fields: 0, revisions: 1, updated: 1 });
  });
});

type Spoil = (scene: IntoScene) => Promise<void>;

const trashed = (groupId: string) =>
  app.deps.db.transact((tx) =>
    tx
      .updateTable('entry_groups')
      .set({ trashed_by: null, gk_version: 2 })
      .where('entry_group_id', '=', groupId)
      .execute(),
  );
const roleOf = (groupId: string, who: SignedIn, role: 'member' | 'admin') =>
  giveRole(app.deps, groupId, who.userId, role);
async function leave(groupId: string, who: SignedIn): Promise<void> {
  await app.deps.db.transact((tx) =>
    tx.deleteFrom('group_members').where('entry_group_id', '=', groupId).where('user_id', '=', who.userId).execute(),
  );
}

const REFUSED: readonly (readonly [string, Spoil, (scene: IntoScene) => object])[] = [
  [
    'a member of one target',
    ({ child }) => roleOf(child.g, bob, 'member'),
    ({ child }) => denied('forbidden', child.g),
  ],
  ['no member of one target', ({ root }) => leave(root.g, bob), ({ root }) => denied('forbidden', root.g)],
  [
    'a group in the trash',
    async ({ child }) => void (await ada.call(groups.remove, { params: { g: child.g } })),
    ({ child }) => denied('not_found', child.g),
  ],
  [
    'a key that was replaced',
    async ({ root }) => void (await trashed(root.g)),
    ({ root }) => ({
      code: 'key_version_conflict',
      details: { entry_group_id: root.g, current_gk_version: 2 },
    }),
  ],
  [
    'a value that others have changed',
    (scene) => nextRevision(scene),
    ({ field }) => ({ code: 'revision_conflict', details: { field_id: field, current_rev: 2 } }),
  ],
  [
    'an entry in the trash',
    async ({ root }) => void (await ada.call(entries.remove, { params: { g: root.g, e: root.e } })),
    ({ root }) => ({ code: 'not_found', details: { entry_id: root.e } }),
  ],
  [
    'an entry that was moved',
    async ({ root, child }) => {
      await app.deps.db.transact((tx) =>
        tx.updateTable('entries').set({ entry_group_id: child.g }).where('entry_id', '=', root.e).execute(),
      );
    },
    ({ root }) => ({ code: 'not_found', details: { entry_id: root.e } }),
  ],
  [
    'a new member of the group above',
    async ({ root }) => {
      await joinGroup(app, root.g, cyn, 'member');
    },
    () => ({ code: 'rewrap_set_mismatch' }),
  ],
];
const denied = (code: string, entry_group_id: string) => ({ code, details: { entry_group_id } });

async function nextRevision({ root, field }: IntoScene): Promise<void> {
  const sealed = await sealedField(root);
  const { field_id: _id, type: _type, ...members } = sealed;
  await ada.call(fields.update, {
    params: { g: root.g, e: root.e, f: field },
    body: { ...members, rev: 2, base_rev: 1 },
  });
}

describe('IM11: an import into existing groups is refused with', () => {
  test.each(REFUSED)('%s', async (_, spoil, problem) => {
    const scene = await intoScene(app, [ada, bob]);
    const made = await intoBatch(bob, scene);
    await spoil(scene);
    const before = await everything(app.deps);
    const answer = await send(made);
    expect(answer.json(), answer.text).toMatchObject(problem(scene));
    expect(await everything(app.deps)).toBe(before);
  });
});
