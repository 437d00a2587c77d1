/** The second phase of a rotation: batches that can be repeated, and continued by other admins. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as groups from '@passwordbroker/core/contract/groups/entry-groups';
import * as members from '@passwordbroker/core/contract/groups/members';
import { rewrapRows } from '@passwordbroker/core/domain/groups/rotation';
import { callWithProof } from '../../testing/test-proof.ts';
import { refused } from '../testing/refused.ts';
import { type FreshGroup, REVISIONS, type RotationFixture, startRotationFixture } from '../testing/rotation-fixture.ts';

const UNKNOWN = '00000000-0000-4000-8000-000000000000';
let fixture: RotationFixture;
let app: RotationFixture['app'];
let as: RotationFixture['as'];
let ada: RotationFixture['ada'];
let bob: RotationFixture['bob'];
let group: FreshGroup;
let place: FreshGroup['place'];

beforeAll(async () => {
  fixture = await startRotationFixture();
  ({ app, as, ada, bob } = fixture);
});
afterAll(() => fixture.app.stop());
beforeEach(async () => {
  group = await fixture.fresh();
  ({ place } = group);
});

describe('batches', () => {
  const todo = (query = {}) => callWithProof(app, ada, members.pending, { params: { g: place.g }, query });
  const send = (body: object, person = ada) =>
    callWithProof(app, person, members.rewraps, { params: { g: place.g }, body });
  async function made() {
    const { rows } = await todo();
    const byVersion = await as.keys(ada, place.g);
    const { rewraps } = await rewrapRows(rows, byVersion, byVersion.get(2)!);
    return { gk_version: 2, rewraps: [...rewraps] };
  }

  const pendingFlag = async () =>
    (await ada.call(groups.listAll)).find(({ entry_group_id }) => entry_group_id === place.g)?.rotation_pending;

  test('another admin continues where the first one stopped', async () => {
    await as.add(ada, place.g, bob, 'admin');
    await as.rotate(ada, place.g);
    expect(await as.batch(ada, place.g, 1)).toMatchObject({ pending: REVISIONS - 1, written: 1 });
    expect((await group.grants()).length).toBe(4);
    expect(await as.batch(bob, place.g)).toMatchObject({ pending: 0, written: REVISIONS - 1 });
    expect(await group.grants()).toEqual([2, 2]);
    expect(await group.valuesFor(bob)).toEqual(['second', 's3cr3t']);
    expect(await as.batch(bob, place.g)).toMatchObject({ pending: 0, written: 0 });
  });

  test('a script that adds a person finishes the rotation first, and the person opens all values', async () => {
    await as.rotate(ada, place.g);
    expect(await pendingFlag()).toBe(true);
    const path = `/passwordBroker/api/entryGroups/${place.g}/users`;
    const body = { target_user_id: bob.userId, role: 'member', master_password: ada.masterPassword };
    expect((await ada.request({ path, json: body })).status).toBe(201);
    expect(await group.valuesFor(bob)).toEqual(['second', 's3cr3t']);
    expect(await group.grants()).toEqual([2, 2]);
    expect(await pendingFlag()).toBe(false);
  });

  test('a batch may be repeated; finished revisions are skipped', async () => {
    await as.rotate(ada, place.g);
    const body = await made();
    expect(await send({ ...body, rewraps: body.rewraps.slice(0, 2) })).toMatchObject({ written: 2, pending: 2 });
    const bytes = () => app.deps.db.read.selectFrom('field_revisions').select('cek_wrapped').execute();
    const again = await made();
    expect(again.rewraps).toHaveLength(2);
    expect(await send(body)).toMatchObject({ written: 2, pending: 0 });
    const before = await bytes();
    expect(await send(body)).toMatchObject({ written: 0, pending: 0 });
    expect(await bytes()).toEqual(before);
    expect(await group.valuesFor(ada)).toEqual(['second', 's3cr3t']);
  });

  test('the same batch sent by two admins at once is written once', async () => {
    await as.add(ada, place.g, bob, 'admin');
    await as.rotate(ada, place.g);
    const answers = await Promise.all([as.batch(ada, place.g), as.batch(bob, place.g)]);
    expect(answers.map(({ written }) => written).reduce((a, b) => a + b)).toBe(REVISIONS);
    expect(await group.valuesFor(bob)).toEqual(['second', 's3cr3t']);
  });

  test('pages continue after a revision, past values that cannot be opened', async () => {
    await as.rotate(ada, place.g);
    const first = await todo({ limit: 3 });
    expect([first.pending, first.rows.length]).toEqual([REVISIONS, 3]);
    const last = first.rows[2]!;
    const rest = await todo({ limit: 3, after_field_id: last.field_id, after_rev: last.rev });
    expect(rest.rows).toHaveLength(1);
    expect(new Set([...first.rows, ...rest.rows].map((row) => `${row.field_id} ${row.rev}`)).size).toBe(REVISIONS);
    await refused(todo({ after_rev: 1 }), { errors: { after_field_id: ['The after field id is required.'] } });
    await refused(todo({ after_field_id: last.field_id }), { errors: { after_rev: ['The after rev is required.'] } });
    await refused(todo({ limit: 501 }), { errors: { limit: ['The limit must be between 1 and 500.'] } });
  });

  type Batch = Awaited<ReturnType<typeof made>>;
  test.each<[string, (body: Batch) => object, object]>([
    [
      'an unknown field',
      ({ rewraps }) => ({ rewraps: rewraps.map((row) => ({ ...row, field_id: UNKNOWN })) }),
      { code: 'rewrap_set_mismatch' },
    ],
    [
      'an unknown revision',
      ({ rewraps }) => ({ rewraps: rewraps.map((row) => ({ ...row, rev: row.rev + 9 })) }),
      { code: 'rewrap_set_mismatch' },
    ],
    [
      'a duplicate revision',
      ({ rewraps }) => ({ rewraps: [...rewraps, ...rewraps.slice(0, 1)] }),
      { code: 'rewrap_set_mismatch' },
    ],
    [
      'a malformed sealed key',
      ({ rewraps }) => ({ rewraps: rewraps.map((row) => ({ ...row, cek_wrapped: 'AAAA' })) }),
      { code: 'bad_sealed_value', errors: { 'rewraps.0.cek_wrapped': ['The cek wrapped is malformed.'] } },
    ],
    [
      'another version',
      () => ({ gk_version: 3 }),
      { code: 'key_version_conflict', details: { current_gk_version: 2 } },
    ],
    [
      'the present version as the former one',
      ({ rewraps }) => ({ rewraps: rewraps.map((row) => ({ ...row, from_gk_version: 2 })) }),
      { code: 'validation' },
    ],
  ])('%s is refused, and nothing is written', async (_, change, expected) => {
    await as.rotate(ada, place.g);
    const body = await made();
    await refused(send({ ...body, ...change(body) }), expected);
    expect(new Set(await group.versions())).toEqual(new Set([1]));
  });

  test('only admins may list and send batches', async () => {
    await as.add(ada, place.g, bob, 'moderator');
    await as.rotate(ada, place.g);
    const body = await made();
    await refused(send(body, bob), { code: 'forbidden' });
    await refused(callWithProof(app, bob, members.pending, { params: { g: place.g } }), { code: 'forbidden' });
    await refused(ada.call(members.rewraps, { params: { g: place.g }, body }), {
      errors: { master_password: ['MasterPassword is missing'] },
    });
  });
});
