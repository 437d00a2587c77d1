/**
 * A new key for a group: removed people cannot open what is written afterwards, and members can
 * open everything (T99, T105).
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as groups from '@passwordbroker/core/contract/groups/entry-groups';
import * as fields from '@passwordbroker/core/contract/entries/fields';
import * as members from '@passwordbroker/core/contract/groups/members';
import * as operations from '@passwordbroker/core/contract/entries/operations';
import { openField } from '@passwordbroker/core/domain/fields/field';
import type { SignedIn } from '../../testing/test-app.ts';
import { callWithProof } from '../../testing/test-proof.ts';
import { refused } from '../testing/refused.ts';
import { type FreshGroup, REVISIONS, type RotationFixture, startRotationFixture } from '../testing/rotation-fixture.ts';

const UNKNOWN = '00000000-0000-4000-8000-000000000000';
let fixture: RotationFixture;
let app: RotationFixture['app'];
let as: RotationFixture['as'];
let ada: RotationFixture['ada'];
let bob: RotationFixture['bob'];
let eve: RotationFixture['eve'];
let group: FreshGroup;
let place: FreshGroup['place'];
let f: FreshGroup['f'];
let gone: FreshGroup['gone'];
let goneEntry: FreshGroup['goneEntry'];

beforeAll(async () => {
  fixture = await startRotationFixture();
  ({ app, as, ada, bob, eve } = fixture);
});
afterAll(() => fixture.app.stop());
beforeEach(async () => {
  group = await fixture.fresh();
  ({ place, f, gone, goneEntry } = group);
});

const present = async (person: SignedIn) => {
  const byVersion = await as.keys(person, place.g);
  return byVersion.get(Math.max(...byVersion.keys()))!;
};

test('a removed person’s keys open nothing that is written later; members open everything, including the trash (T105)', async () => {
  await as.add(ada, place.g, bob, 'moderator');
  await as.add(ada, place.g, eve, 'member');
  const stolen = await as.keys(bob, place.g);
  await as.remove(ada, place.g, bob);
  const started = await as.rotate(ada, place.g);
  expect(started).toEqual({ entry_group_id: place.g, gk_version: 2, pending: REVISIONS });
  expect((await ada.call(groups.get, { params: place })).entryGroup).toMatchObject({
    rotation_due: false,
    gk_version: 2,
  });
  // Between the phases both versions open, and new values need the new one.
  expect(await group.valuesFor(eve)).toEqual(['second', 's3cr3t']);
  await refused(group.update(place.groupKey, 2, 'third'), {
    code: 'key_version_conflict',
    details: { current_gk_version: 2 },
  });
  await group.update(await present(ada), 2, 'third');
  expect(await as.batch(ada, place.g)).toMatchObject({ gk_version: 2, pending: 0, written: REVISIONS });
  expect(new Set(await group.versions())).toEqual(new Set([2]));
  expect(await group.grants()).toEqual([2, 2]);
  expect(await group.valuesFor(eve)).toEqual(['third', 'second', 's3cr3t']);

  const envelope = await eve.call(fields.envelope, { params: { ...place, f } });
  const at = { entryGroupId: place.g, entryId: place.e, fieldId: f, type: envelope.type, rev: envelope.rev };
  for (const key of stolen.values())
    await expect(openField(key, at, envelope)).rejects.toMatchObject({ code: 'commit' });

  const { data } = await ada.call(operations.trash, { query: { perPage: 100 } });
  for (const id of [gone, goneEntry]) {
    const act = data.find(({ items }) => items.some((item) => item.id === id));
    await ada.call(operations.restore, { params: { operationId: act?.operation_id ?? '' }, body: {} });
  }
  const byVersion = await as.keys(eve, place.g);
  for (const e of [place.e, goneEntry]) {
    for (const { field_id, type } of await eve.call(fields.listAll, { params: { g: place.g, e } })) {
      const restored = await eve.call(fields.envelope, { params: { g: place.g, e, f: field_id } });
      const spot = { entryGroupId: place.g, entryId: e, fieldId: field_id, type, rev: restored.rev };
      await openField(byVersion.get(restored.gk_version)!, spot, restored);
    }
  }
  const audit = await app.deps.db.read
    .selectFrom('audit_log')
    .select(['user_id', 'details'])
    .where('event_type', '=', 'key_rotated')
    .where('target_id', '=', place.g)
    .execute();
  expect(audit).toEqual([
    { user_id: ada.userId, details: expect.stringMatching(/^{"gk_version":2,"roster_hash":"[0-9a-f]{64}"}$/) },
  ]);
});

describe('starting a rotation', () => {
  type Body = { base_gk_version: number; gk_version: number; grants: { user_id: string; role: string }[] };
  test.each<[string, (body: Body) => object, object]>([
    ['a grant is missing', ({ grants: all }) => ({ grants: all.slice(1) }), { code: 'rewrap_set_mismatch' }],
    ['a grant is duplicated', ({ grants: all }) => ({ grants: [...all, all[0]] }), { code: 'rewrap_set_mismatch' }],
    [
      'a grant is for a person outside the group',
      ({ grants: all }) => ({ grants: all.map((one) => ({ ...one, user_id: UNKNOWN })) }),
      { code: 'rewrap_set_mismatch' },
    ],
    [
      'a role is wrong',
      ({ grants: all }) => ({ grants: all.map((one) => ({ ...one, role: 'member' })) }),
      { code: 'rewrap_set_mismatch' },
    ],
    [
      'the commitment is wrong',
      () => ({ gk_commit_base64: Buffer.alloc(32).toString('base64') }),
      { code: 'roster_conflict' },
    ],
    ['the commitment is malformed', () => ({ gk_commit_base64: 'AAAA' }), { code: 'bad_sealed_value' }],
    [
      'the version is not the next one',
      () => ({ gk_version: 3 }),
      { errors: { gk_version: ['The gk version must be between 2 and 2.'] } },
    ],
    [
      'the base version is not the present one',
      () => ({ base_gk_version: 2, gk_version: 3 }),
      { code: 'key_version_conflict', details: { current_gk_version: 1 } },
    ],
  ])('is refused when %s, and changes nothing', async (_, change, expected) => {
    await as.add(ada, place.g, bob, 'member');
    const { body } = await as.rotation(ada, place.g);
    const before = await group.grants();
    const sent = { ...body, ...change(body as Body) };
    await refused(callWithProof(app, ada, members.rotate, { params: { g: place.g }, body: sent }), expected);
    expect([await group.grants(), new Set(await group.versions())]).toEqual([before, new Set([1])]);
  });

  test('two admins at the same time: one succeeds, the other gets a conflict, and every value opens (T99)', async () => {
    await as.add(ada, place.g, bob, 'admin');
    await as.add(ada, place.g, eve, 'member');
    const bodies = [(await as.rotation(ada, place.g)).body, (await as.rotation(bob, place.g)).body];
    const answers = await Promise.allSettled(
      [ada, bob].map((person, at) =>
        callWithProof(app, person, members.rotate, { params: { g: place.g }, body: bodies[at] }),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(answers.find((answer) => answer.status === 'rejected')?.reason).toMatchObject({
      code: 'key_version_conflict',
      details: { current_gk_version: 2 },
    });
    for (const person of [ada, bob, eve]) expect(await group.valuesFor(person)).toEqual(['second', 's3cr3t']);
    await as.batch(bob, place.g);
    for (const person of [ada, bob, eve]) expect(await group.valuesFor(person)).toEqual(['second', 's3cr3t']);
  });

  test('a rotation and an addition at the same time: one gets a conflict, and each member has a key', async () => {
    const rotation = (await as.rotation(ada, place.g)).body;
    const addition = await as.bodyOf(ada, place.g, bob, 'member');
    const [rotated, added] = await Promise.allSettled([
      callWithProof(app, ada, members.rotate, { params: { g: place.g }, body: rotation }),
      callWithProof(app, ada, members.add, { params: { g: place.g }, body: addition }),
    ]);
    expect([rotated.status, added.status].toSorted()).toEqual(['fulfilled', 'rejected']);
    if (rotated.status === 'rejected') expect(rotated.reason).toMatchObject({ code: 'rewrap_set_mismatch' });
    if (added.status === 'rejected') {
      expect(added.reason).toMatchObject({ code: 'key_version_conflict' });
      await as.add(ada, place.g, bob, 'member');
    }
    expect((await as.keys(bob, place.g)).size).toBeGreaterThan(0);
  });

  test('additions, removals and rotations at the same time, repeatedly: members open everything, removed people nothing new (R31)', async () => {
    await as.add(ada, place.g, bob, 'moderator');
    let [out, stays] = [eve, bob];
    for (let round = 0; round < 4; round += 1) {
      const stolen = await as.keys(stays, place.g);
      const [addition, rotation] = [await as.bodyOf(ada, place.g, out, 'moderator'), await as.rotation(ada, place.g)];
      const leaves = { g: place.g, userId: stays.userId };
      const acts = await Promise.allSettled([
        callWithProof(app, ada, members.add, { params: { g: place.g }, body: addition }),
        as.remove(ada, place.g, stays),
        callWithProof(app, ada, members.rotate, { params: { g: place.g }, body: rotation.body }),
      ]);
      expect(acts.filter(({ status }) => status === 'fulfilled').length, `round ${round}`).toBeGreaterThan(0);
      for (const act of acts) {
        if (act.status === 'rejected') {
          const refusals = /^(key_version_conflict|rewrap_set_mismatch|roster_conflict)$/;
          expect((act.reason as { code: string }).code, leaves.userId).toMatch(refusals);
        }
      }
      // Finishes what the races left open; afterwards the group is as if one operation had followed
      // the other.
      const isIn = async (person: SignedIn) =>
        (await ada.call(groups.members, { params: { g: place.g } })).some(({ user }) => user.user_id === person.userId);
      if (!(await isIn(out))) await as.add(ada, place.g, out, 'moderator');
      if (await isIn(stays)) await as.remove(ada, place.g, stays);
      await as.rotateAll(ada, place.g);
      const values = await group.valuesFor(ada);
      await group.update(await present(ada), values.length, `after round ${round}`);
      for (const person of [ada, out]) {
        expect(await group.valuesFor(person)).toEqual([`after round ${round}`, ...values]);
      }
      const envelope = await ada.call(fields.envelope, { params: { ...place, f } });
      const at = { entryGroupId: place.g, entryId: place.e, fieldId: f, type: envelope.type, rev: envelope.rev };
      for (const key of stolen.values()) {
        await expect(openField(key, at, envelope)).rejects.toMatchObject({ code: 'commit' });
      }
      await refused(stays.call(fields.envelope, { params: { ...place, f } }), { code: 'forbidden' });
      [out, stays] = [stays, out];
    }
  });

  test('a rotation before the former one is finished rewraps both versions', async () => {
    await as.rotate(ada, place.g);
    await as.batch(ada, place.g, 2);
    expect(await as.rotate(ada, place.g)).toMatchObject({ gk_version: 3, pending: REVISIONS });
    expect(await group.grants()).toEqual([1, 2, 3]);
    expect(await group.valuesFor(ada)).toEqual(['second', 's3cr3t']);
    expect(await as.batch(ada, place.g)).toMatchObject({ pending: 0, written: REVISIONS });
    expect(await group.grants()).toEqual([3]);
    expect(await group.valuesFor(ada)).toEqual(['second', 's3cr3t']);
  });

  test('a group that the server made gets its first roster', async () => {
    const made = await ada.request({ path: '/passwordBroker/api/entryGroups', json: { name: 'Plain' } });
    const g = made.json<{ entryGroup: { entry_group_id: string } }>().entryGroup.entry_group_id;
    await as.add(ada, g, bob, 'member');
    expect(await as.rotate(ada, g)).toEqual({ entry_group_id: g, gk_version: 2, pending: 0 });
    const { origin, rosters, grants: own } = await bob.call(groups.roster, { params: { g } });
    expect([origin, rosters.map(({ seq }) => seq), own.map(({ gk_version }) => gk_version)]).toEqual([
      'client',
      [0],
      [2],
    ]);
    await as.add(ada, g, eve, 'member');
    expect((await as.keys(eve, g)).has(2)).toBe(true);
  });
});
