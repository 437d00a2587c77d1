/**
 * Rotations concurrent with moves, removals and edits, and with a master password: nothing is lost
 * or half done, and the loser gets a conflict.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as entries from '@passwordbroker/core/contract/entries/entries';
import * as fields from '@passwordbroker/core/contract/entries/fields';
import * as members from '@passwordbroker/core/contract/groups/members';
import { utf8 } from '@passwordbroker/core/crypto/bytes';
import { openField, rewrapField } from '@passwordbroker/core/domain/fields/field';
import type { GroupKey } from '@passwordbroker/core/domain/groups/grants';
import { rewrapRows } from '@passwordbroker/core/domain/groups/rotation';
import { nextRevision } from '../../testing/next-revision.ts';
import { type SealedPlace, createSealedPlace } from '../../testing/sealed-place.ts';
import type { SignedIn } from '../../testing/test-app.ts';
import { callWithProof } from '../../testing/test-proof.ts';
import { refused } from '../testing/refused.ts';
import { type FreshGroup, type RotationFixture, startRotationFixture } from '../testing/rotation-fixture.ts';

let fixture: RotationFixture;
let app: RotationFixture['app'];
let as: RotationFixture['as'];
let ada: RotationFixture['ada'];
let bob: RotationFixture['bob'];
let eve: RotationFixture['eve'];
let group: FreshGroup;
let place: FreshGroup['place'];
let f: FreshGroup['f'];

beforeAll(async () => {
  fixture = await startRotationFixture();
  ({ app, as, ada, bob, eve } = fixture);
});
afterAll(() => fixture.app.stop());
beforeEach(async () => {
  group = await fixture.fresh();
  ({ place, f } = group);
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

  test('a batch leaves alone what has been moved since it was listed', async () => {
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
    // The next batch rewraps what stayed, and removes the former grants.
    expect(await as.batch(ada, place.g)).toMatchObject({ pending: 0, written: 1 });
    expect(await group.grants()).toEqual([2]);
  });

  test('a move whose target is rotated meanwhile is refused and moves nothing', async () => {
    const to = await createSealedPlace(ada, { name: 'To' });
    const wraps = await rewraps(await as.keys(ada, place.g), to);
    const body = { entries: [place.e], entryGroupTarget: to.g, target_gk_version: 1, rewraps: wraps };
    const answers = await Promise.allSettled([
      as.rotate(ada, to.g),
      callWithProof(app, ada, entries.moveMany, { params: place, body }),
    ]);
    // In either order the entry is in one of the groups and opens there.
    if (answers[1].status === 'rejected') expect(answers[1].reason).toMatchObject({ code: 'key_version_conflict' });
    const g = answers[1].status === 'rejected' ? place.g : to.g;
    const envelope = await ada.call(fields.envelope, { params: { g, e: place.e, f } });
    const at = { entryGroupId: g, entryId: place.e, fieldId: f, type: envelope.type, rev: envelope.rev };
    await openField((await as.keys(ada, g)).get(envelope.gk_version)!, at, envelope);
  });

  test('a moderator is removed during a move: the move happens completely or not at all', async () => {
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

  test('two editors of one field: the loser gets the present revision', async () => {
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
    expect((await group.valuesFor(ada)).length).toBe(3);
  });
});

describe('with a master password', () => {
  const GROUP = () => `/passwordBroker/api/entryGroups/${place.g}`;
  const FIELD = () => `${GROUP()}/entries/${place.e}/fields/${f}`;
  const asScript = (person: SignedIn, path: string, more: object = {}) =>
    person.request({ path, json: { master_password: person.masterPassword, ...more } });

  test('both phases run in one call; values still open for both kinds of client', async () => {
    await as.add(ada, place.g, eve, 'member');
    const answer = await asScript(ada, `${GROUP()}/rotate`);
    expect([answer.status, answer.json()]).toEqual([200, { entry_group_id: place.g, gk_version: 2, pending: 0 }]);
    expect(await group.grants()).toEqual([2, 2]);
    expect(await group.valuesFor(eve)).toEqual(['second', 's3cr3t']);
    expect((await asScript(eve, `${FIELD()}/decrypted`)).text).toBe(Buffer.from('second').toString('base64'));
    expect((await asScript(ada, FIELD(), { _method: 'put', title: 'New title' })).status).toBe(200);
    expect(await group.valuesFor(eve)).toEqual(['second', 'second', 's3cr3t']);
  });

  test('between the two phases everything can be read, changed and moved', async () => {
    await as.add(ada, place.g, eve, 'moderator');
    await as.rotate(ada, place.g);
    for (const person of [ada, eve]) {
      expect((await asScript(person, `${FIELD()}/decrypted`)).text).toBe(Buffer.from('second').toString('base64'));
    }
    expect((await asScript(ada, FIELD(), { _method: 'put', login: 'other' })).status).toBe(200);
    expect(await group.valuesFor(eve)).toEqual(['second', 'second', 's3cr3t']);
    const to = await createSealedPlace(ada, { name: 'To' });
    const move = { entries: [place.e], entryGroupTarget: to.g };
    expect((await asScript(ada, `${GROUP()}/entries/bulkEdit/move`, move)).status).toBe(200);
    const moved = FIELD().replace(place.g, to.g);
    expect((await asScript(ada, `${moved}/decrypted`)).text).toBe(Buffer.from('second').toString('base64'));
  });

  test('of two concurrent rotations one succeeds and the other gets a conflict', async () => {
    await as.add(ada, place.g, bob, 'admin');
    const answers = await Promise.all([ada, bob].map((person) => asScript(person, `${GROUP()}/rotate`)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    expect(answers.find(({ status }) => status === 409)?.json()['code']).toBe('key_version_conflict');
    expect(await group.valuesFor(bob)).toEqual(['second', 's3cr3t']);
  });

  test('values that cannot be opened stay as they are and are counted', async () => {
    await app.deps.db.transact((tx) =>
      tx
        .updateTable('field_revisions')
        .set({ cek_wrapped: Buffer.from([0x50, 0x42, 0x31, 3, ...Buffer.alloc(112)]) })
        .where('field_id', '=', f)
        .where('rev', '=', 1)
        .execute(),
    );
    expect((await asScript(ada, `${GROUP()}/rotate`)).json()).toMatchObject({ gk_version: 2, pending: 1 });
    expect(await group.grants()).toEqual([1, 2]);
  });

  test('a missing and a wrong master password are refused', async () => {
    const missing = await ada.request({ path: `${GROUP()}/rotate`, json: {} });
    expect(missing.json()['errors']).toEqual({ master_password: ['MasterPassword is missing'] });
    const wrong = await asScript(ada, `${GROUP()}/rotate`, { master_password: 'wrong' });
    expect(wrong.json()['code']).toBe('master_password_invalid');
    expect((await group.versions()).every((version) => version === 1)).toBe(true);
  });
});
