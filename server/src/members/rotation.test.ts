/** Rotating a group's key: atomic start, batches that can be repeated, resumed by others, and lost to nobody (T99, T105; issue 'Concurrency'). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as entries from '@passwordbroker/core/contract/entries';
import * as groups from '@passwordbroker/core/contract/entry-groups';
import * as fields from '@passwordbroker/core/contract/fields';
import * as members from '@passwordbroker/core/contract/members';
import * as operations from '@passwordbroker/core/contract/operations';
import { utf8 } from '@passwordbroker/core/crypto/bytes';
import { openField, rewrapField } from '@passwordbroker/core/domain/field';
import type { GroupKey } from '@passwordbroker/core/domain/grants';
import { rewrapRows } from '@passwordbroker/core/domain/rotation';
import { nextRevision } from '../testing/next-revision.ts';
import { type SealedPlace, createEntryIn, createSealedPlace, sealedField } from '../testing/sealed-place.ts';
import { startTestApp } from '../testing/test-app.ts';
import type { SignedIn, TestApp } from '../testing/test-app.ts';
import { callWithProof } from '../testing/test-proof.ts';
import { type Sharing, sharing } from './testing/sharing.ts';

const UNKNOWN = '00000000-0000-4000-8000-000000000000';
let app: TestApp;
let as: Sharing;
let ada: SignedIn;
let bob: SignedIn;
let eve: SignedIn;
let place: SealedPlace;
/** A field with two revisions, one in the trash, one in an entry in the trash. */
let f: string;
let gone: string;
let goneEntry: string;

beforeAll(async () => {
  app = await startTestApp();
  as = sharing(app);
  [ada, bob, eve] = [await app.signUp('ada'), await app.signUp('bob'), await app.signUp('eve')];
});
afterAll(() => app.stop());
beforeEach(async () => {
  place = await createSealedPlace(ada);
  f = (await ada.call(fields.create, { params: place, body: await sealedField(place) })).field_id;
  await update(place.groupKey, 1, 'second');
  gone = (await ada.call(fields.create, { params: place, body: await sealedField(place) })).field_id;
  await callWithProof(app, ada, fields.remove, { params: { ...place, f: gone } });
  goneEntry = await createEntryIn(ada, place.g, 'Gone');
  const there = { ...place, e: goneEntry };
  await ada.call(fields.create, { params: there, body: await sealedField(there) });
  await ada.call(entries.remove, { params: there });
});
/** Revisions that the group has. */
const REVISIONS = 4;

async function update(groupKey: GroupKey, baseRev: number, text: string) {
  const content = { type: 'password' as const, title: 'T', login: 'l', value: utf8(text) };
  const body = await nextRevision({ ...place, groupKey }, { fieldId: f, baseRev }, content);
  return ada.call(fields.update, { params: { ...place, f }, body });
}
const present = async (person: SignedIn) => {
  const byVersion = await as.keys(person, place.g);
  return byVersion.get(Math.max(...byVersion.keys()))!;
};
/** Every value of the field that the person can open, newest first. */
async function valuesFor(person: SignedIn): Promise<string[]> {
  const byVersion = await as.keys(person, place.g);
  const params = { ...place, f };
  const rows = await person.call(fields.history, { params });
  return Promise.all(
    rows
      .filter(({ has_value }) => has_value)
      .map(async ({ field_edit_log_id: logId }) => {
        const envelope = await person.call(fields.historyEnvelope, { params: { ...params, logId } });
        const at = { entryGroupId: place.g, entryId: place.e, fieldId: f, type: envelope.type, rev: envelope.rev };
        const content = await openField(byVersion.get(envelope.gk_version)!, at, envelope);
        return content.type === 'file' ? '' : Buffer.from(content.value).toString();
      }),
  );
}
const refused = async (call: Promise<unknown>, expected: object) =>
  expect(
    await call.then(
      () => 'was done',
      (error: unknown) => error,
    ),
  ).toMatchObject(expected);
const versions = async () => {
  const rows = await app.deps.db.read
    .selectFrom('field_revisions')
    .innerJoin('fields', 'fields.field_id', 'field_revisions.field_id')
    .innerJoin('entries', 'entries.entry_id', 'fields.entry_id')
    .select('gk_version')
    .where('entry_group_id', '=', place.g)
    .execute();
  return rows.map(({ gk_version }) => gk_version);
};
const grants = async () => {
  const rows = await app.deps.db.read
    .selectFrom('group_grants')
    .select(['user_id', 'gk_version'])
    .where('entry_group_id', '=', place.g)
    .orderBy('gk_version')
    .execute();
  return rows.map(({ user_id, gk_version }) => [user_id, gk_version]);
};

test('nothing written later opens with the keys of the removed one; everything opens for who stays, the trash included (T105)', async () => {
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
  // Half way: both versions open, new values need the new one.
  expect(await valuesFor(eve)).toEqual(['second', 's3cr3t']);
  await refused(update(place.groupKey, 2, 'third'), {
    code: 'key_version_conflict',
    details: { current_gk_version: 2 },
  });
  await update(await present(ada), 2, 'third');
  expect(await as.batch(ada, place.g)).toMatchObject({ gk_version: 2, pending: 0, written: REVISIONS });
  expect(new Set(await versions())).toEqual(new Set([2]));
  expect((await grants()).map(([, version]) => version)).toEqual([2, 2]);
  expect(await valuesFor(eve)).toEqual(['third', 'second', 's3cr3t']);

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
  expect(audit).toEqual([{ user_id: ada.userId, details: '{"gk_version":2}' }]);
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

  test('another admin goes on where the first one stopped', async () => {
    await as.add(ada, place.g, bob, 'admin');
    await as.rotate(ada, place.g);
    expect(await as.batch(ada, place.g, 1)).toMatchObject({ pending: REVISIONS - 1, written: 1 });
    expect((await grants()).length).toBe(4);
    expect(await as.batch(bob, place.g)).toMatchObject({ pending: 0, written: REVISIONS - 1 });
    expect((await grants()).map(([, version]) => version)).toEqual([2, 2]);
    expect(await valuesFor(bob)).toEqual(['second', 's3cr3t']);
    expect(await as.batch(bob, place.g)).toMatchObject({ pending: 0, written: 0 });
  });

  test('a batch may be repeated: what is done is skipped', async () => {
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
    expect(await valuesFor(ada)).toEqual(['second', 's3cr3t']);
  });

  test('the same batch by two at once is written once', async () => {
    await as.add(ada, place.g, bob, 'admin');
    await as.rotate(ada, place.g);
    const answers = await Promise.all([as.batch(ada, place.g), as.batch(bob, place.g)]);
    expect(answers.map(({ written }) => written).reduce((a, b) => a + b)).toBe(REVISIONS);
    expect(await valuesFor(bob)).toEqual(['second', 's3cr3t']);
  });

  test('pages go on behind a revision, past what cannot be opened', async () => {
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
      'a revision that there is not',
      ({ rewraps }) => ({ rewraps: rewraps.map((row) => ({ ...row, rev: row.rev + 9 })) }),
      { code: 'rewrap_set_mismatch' },
    ],
    [
      'a revision twice',
      ({ rewraps }) => ({ rewraps: [...rewraps, ...rewraps.slice(0, 1)] }),
      { code: 'rewrap_set_mismatch' },
    ],
    [
      'no sealed key',
      ({ rewraps }) => ({ rewraps: rewraps.map((row) => ({ ...row, cek_wrapped: 'AAAA' })) }),
      { code: 'bad_sealed_value', errors: { 'rewraps.0.cek_wrapped': ['The cek wrapped is malformed.'] } },
    ],
    [
      'another version',
      () => ({ gk_version: 3 }),
      { code: 'key_version_conflict', details: { current_gk_version: 2 } },
    ],
    [
      'the present version as the former',
      ({ rewraps }) => ({ rewraps: rewraps.map((row) => ({ ...row, from_gk_version: 2 })) }),
      { code: 'validation' },
    ],
  ])('%s is refused, and nothing is written', async (_, change, expected) => {
    await as.rotate(ada, place.g);
    const body = await made();
    await refused(send({ ...body, ...change(body) }), expected);
    expect(new Set(await versions())).toEqual(new Set([1]));
  });

  test('who is no admin any more, and who never was', async () => {
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

describe('what starts a rotation', () => {
  type Body = { base_gk_version: number; gk_version: number; grants: { user_id: string; role: string }[] };
  test.each<[string, (body: Body) => object, object]>([
    ['a grant is missing', ({ grants: all }) => ({ grants: all.slice(1) }), { code: 'rewrap_set_mismatch' }],
    ['a grant is there twice', ({ grants: all }) => ({ grants: [...all, all[0]] }), { code: 'rewrap_set_mismatch' }],
    [
      'a grant for a stranger',
      ({ grants: all }) => ({ grants: all.map((one) => ({ ...one, user_id: UNKNOWN })) }),
      { code: 'rewrap_set_mismatch' },
    ],
    [
      'another role',
      ({ grants: all }) => ({ grants: all.map((one) => ({ ...one, role: 'member' })) }),
      { code: 'rewrap_set_mismatch' },
    ],
    [
      'another commitment',
      () => ({ gk_commit_base64: Buffer.alloc(32).toString('base64') }),
      { code: 'roster_conflict' },
    ],
    ['no commitment', () => ({ gk_commit_base64: 'AAAA' }), { code: 'bad_sealed_value' }],
    [
      'a version that is not the next',
      () => ({ gk_version: 3 }),
      { errors: { gk_version: ['The gk version must be between 2 and 2.'] } },
    ],
    [
      'a former version',
      () => ({ base_gk_version: 2, gk_version: 3 }),
      { code: 'key_version_conflict', details: { current_gk_version: 1 } },
    ],
  ])('refused when %s, and nothing changes', async (_, change, expected) => {
    await as.add(ada, place.g, bob, 'member');
    const { body } = await as.rotation(ada, place.g);
    const before = await grants();
    const sent = { ...body, ...change(body as Body) };
    await refused(callWithProof(app, ada, members.rotate, { params: { g: place.g }, body: sent }), expected);
    expect([await grants(), new Set(await versions())]).toEqual([before, new Set([1])]);
  });

  test('two admins at once: one wins, the other is told, and every value opens (T99)', async () => {
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
    for (const person of [ada, bob, eve]) expect(await valuesFor(person)).toEqual(['second', 's3cr3t']);
    await as.batch(bob, place.g);
    for (const person of [ada, bob, eve]) expect(await valuesFor(person)).toEqual(['second', 's3cr3t']);
  });

  test('a rotation and an addition at once: one is told, nobody is in without a key', async () => {
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

  test('a rotation while the former one is unfinished: both versions are wrapped anew', async () => {
    await as.rotate(ada, place.g);
    await as.batch(ada, place.g, 2);
    expect(await as.rotate(ada, place.g)).toMatchObject({ gk_version: 3, pending: REVISIONS });
    expect((await grants()).map(([, version]) => version)).toEqual([1, 2, 3]);
    expect(await valuesFor(ada)).toEqual(['second', 's3cr3t']);
    expect(await as.batch(ada, place.g)).toMatchObject({ pending: 0, written: REVISIONS });
    expect((await grants()).map(([, version]) => version)).toEqual([3]);
    expect(await valuesFor(ada)).toEqual(['second', 's3cr3t']);
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

describe('with moves', () => {
  async function rewraps(byVersion: ReadonlyMap<number, GroupKey>, to: SealedPlace) {
    const { rows } = await callWithProof(app, ada, entries.wraps, { params: place, body: { entries: [place.e] } });
    return Promise.all(
      rows.map(async ({ entry_id, field_id, rev, type, gk_version, cek_wrapped_base64 }) => {
        const at = { entryGroupId: place.g, entryId: entry_id, fieldId: field_id, type, rev };
        const cek_wrapped = await rewrapField(byVersion.get(gk_version)!, to.groupKey, at, cek_wrapped_base64);
        return { field_id, rev, cek_wrapped };
      }),
    );
  }

  test('what has moved away between listing and batch is not touched', async () => {
    const to = await createSealedPlace(ada, { name: 'To' });
    await as.rotate(ada, place.g);
    const byVersion = await as.keys(ada, place.g);
    const { rows } = await callWithProof(app, ada, members.pending, { params: { g: place.g } });
    const batch = await rewrapRows(rows, byVersion, byVersion.get(2)!);
    const move = {
      entries: [place.e],
      entryGroupTarget: to.g,
      target_gk_version: 1,
      rewraps: await rewraps(byVersion, to),
    };
    await callWithProof(app, ada, entries.moveMany, { params: place, body: move });
    const body = { gk_version: 2, rewraps: batch.rewraps };
    await refused(callWithProof(app, ada, members.rewraps, { params: { g: place.g }, body }), {
      code: 'rewrap_set_mismatch',
    });
    const envelope = await ada.call(fields.envelope, { params: { g: to.g, e: place.e, f } });
    const at = { entryGroupId: to.g, entryId: place.e, fieldId: f, type: envelope.type, rev: envelope.rev };
    await openField(to.groupKey, at, envelope);
    // What stayed is done with the next batch.
    expect(await as.batch(ada, place.g)).toMatchObject({ pending: 0, written: 1 });
  });

  test('the target is rotated meanwhile: the move is told, and nothing has moved', async () => {
    const to = await createSealedPlace(ada, { name: 'To' });
    const wraps = await rewraps(await as.keys(ada, place.g), to);
    const body = { entries: [place.e], entryGroupTarget: to.g, target_gk_version: 1, rewraps: wraps };
    const answers = await Promise.allSettled([
      as.rotate(ada, to.g),
      callWithProof(app, ada, entries.moveMany, { params: place, body }),
    ]);
    // Whichever came first: the entry is in one of the groups, and opens there.
    if (answers[1].status === 'rejected') expect(answers[1].reason).toMatchObject({ code: 'key_version_conflict' });
    const g = answers[1].status === 'rejected' ? place.g : to.g;
    const envelope = await ada.call(fields.envelope, { params: { g, e: place.e, f } });
    const at = { entryGroupId: g, entryId: place.e, fieldId: f, type: envelope.type, rev: envelope.rev };
    await openField((await as.keys(ada, g)).get(envelope.gk_version)!, at, envelope);
  });

  test('a moderator is removed while he moves: all of it or nothing', async () => {
    await as.add(ada, place.g, bob, 'moderator');
    const to = await createSealedPlace(bob, { name: 'To' });
    const byVersion = await as.keys(bob, place.g);
    const { rows } = await callWithProof(app, bob, entries.wraps, { params: place, body: { entries: [place.e] } });
    const wraps = await Promise.all(
      rows.map(async ({ entry_id, field_id, rev, type, cek_wrapped_base64 }) => {
        const at = { entryGroupId: place.g, entryId: entry_id, fieldId: field_id, type, rev };
        return {
          field_id,
          rev,
          cek_wrapped: await rewrapField(byVersion.get(1)!, to.groupKey, at, cek_wrapped_base64),
        };
      }),
    );
    const body = { entries: [place.e], entryGroupTarget: to.g, target_gk_version: 1, rewraps: wraps };
    const [removed, moved] = await Promise.allSettled([
      as.remove(ada, place.g, bob),
      callWithProof(app, bob, entries.moveMany, { params: place, body }),
    ]);
    expect(removed.status).toBe('fulfilled');
    const [entry] = await app.deps.db.read
      .selectFrom('entries')
      .select('entry_group_id')
      .where('entry_id', '=', place.e)
      .execute();
    expect(entry?.entry_group_id).toBe(moved.status === 'fulfilled' ? to.g : place.g);
    if (moved.status === 'rejected') expect(moved.reason).toMatchObject({ code: 'forbidden' });
  });

  test('two editors of one field: the loser is told which revision there is', async () => {
    const content = (text: string) => ({ type: 'password' as const, title: 'T', login: 'l', value: utf8(text) });
    const bodies = await Promise.all(
      ['a', 'b'].map((text) => nextRevision(place, { fieldId: f, baseRev: 2 }, content(text))),
    );
    const answers = await Promise.allSettled(
      bodies.map((body) => ada.call(fields.update, { params: { ...place, f }, body })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(answers.find((answer) => answer.status === 'rejected')?.reason).toMatchObject({
      code: 'revision_conflict',
      details: { current_rev: 3 },
    });
    expect((await valuesFor(ada)).length).toBe(3);
  });
});

describe('with a master password', () => {
  const GROUP = () => `/passwordBroker/api/entryGroups/${place.g}`;
  const FIELD = () => `${GROUP()}/entries/${place.e}/fields/${f}`;
  const asScript = (person: SignedIn, path: string, more: object = {}) =>
    person.request({ path, json: { master_password: person.masterPassword, ...more } });

  test('both phases in one call; values go on opening for both kinds of client', async () => {
    await as.add(ada, place.g, eve, 'member');
    const answer = await asScript(ada, `${GROUP()}/rotate`);
    expect([answer.status, answer.json()]).toEqual([200, { entry_group_id: place.g, gk_version: 2, pending: 0 }]);
    expect((await grants()).map(([, version]) => version)).toEqual([2, 2]);
    expect(await valuesFor(eve)).toEqual(['second', 's3cr3t']);
    expect((await asScript(eve, `${FIELD()}/decrypted`)).text).toBe(Buffer.from('second').toString('base64'));
    expect((await asScript(ada, FIELD(), { _method: 'put', title: 'New title' })).status).toBe(200);
    expect(await valuesFor(eve)).toEqual(['second', 'second', 's3cr3t']);
  });

  test('half way through a rotation everything can be read, changed and moved', async () => {
    await as.add(ada, place.g, eve, 'moderator');
    await as.rotate(ada, place.g);
    for (const person of [ada, eve]) {
      expect((await asScript(person, `${FIELD()}/decrypted`)).text).toBe(Buffer.from('second').toString('base64'));
    }
    expect((await asScript(ada, FIELD(), { _method: 'put', login: 'other' })).status).toBe(200);
    expect(await valuesFor(eve)).toEqual(['second', 'second', 's3cr3t']);
    const to = await createSealedPlace(ada, { name: 'To' });
    const move = { entries: [place.e], entryGroupTarget: to.g };
    expect((await asScript(ada, `${GROUP()}/entries/bulkEdit/move`, move)).status).toBe(200);
    const moved = FIELD().replace(place.g, to.g);
    expect((await asScript(ada, `${moved}/decrypted`)).text).toBe(Buffer.from('second').toString('base64'));
  });

  test('two at once: one is done, the other is told', async () => {
    await as.add(ada, place.g, bob, 'admin');
    const answers = await Promise.all([ada, bob].map((person) => asScript(person, `${GROUP()}/rotate`)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect(answers.find(({ status }) => status === 409)?.json()['code']).toBe('key_version_conflict');
    expect(await valuesFor(bob)).toEqual(['second', 's3cr3t']);
  });

  test('what cannot be opened stays as it is and is counted', async () => {
    await app.deps.db.transact((tx) =>
      tx
        .updateTable('field_revisions')
        .set({ cek_wrapped: Buffer.from([0x50, 0x42, 0x31, 3, ...Buffer.alloc(112)]) })
        .where('field_id', '=', f)
        .where('rev', '=', 1)
        .execute(),
    );
    expect((await asScript(ada, `${GROUP()}/rotate`)).json()).toMatchObject({ gk_version: 2, pending: 1 });
    expect((await grants()).map(([, version]) => version)).toEqual([1, 2]);
  });

  test('missing and wrong, and a member', async () => {
    const missing = await ada.request({ path: `${GROUP()}/rotate`, json: {} });
    expect(missing.json()['errors']).toEqual({ master_password: ['MasterPassword is missing'] });
    const wrong = await asScript(ada, `${GROUP()}/rotate`, { master_password: 'wrong' });
    expect(wrong.json()['code']).toBe('master_password_invalid');
    expect((await versions()).every((version) => version === 1)).toBe(true);
  });
});
