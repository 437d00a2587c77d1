/**
 * Concurrent conflicting operations at two instances end as if they had run one after the other
 * (docs/spec/threats.md §5.3 R30, R35, R41).
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as entries from '@passwordbroker/core/contract/entries/entries';
import * as fields from '@passwordbroker/core/contract/entries/fields';
import * as groups from '@passwordbroker/core/contract/groups/entry-groups';
import * as members from '@passwordbroker/core/contract/groups/members';
import { utf8 } from '@passwordbroker/core/crypto/bytes';
import { joinGroup } from '../testing/join-group.ts';
import { nextRevision } from '../testing/next-revision.ts';
import { createEntryIn, createSealedPlace, sealedField, sealedFileField } from '../testing/sealed-place.ts';
import type { SealedPlace } from '../testing/sealed-place.ts';
import { startSecond } from '../testing/second-instance.ts';
import type { SecondInstance } from '../testing/second-instance.ts';
import { startTestApp } from '../testing/test-app.ts';
import type { SignedIn, TestApp } from '../testing/test-app.ts';

let one: TestApp;
let two: SecondInstance;
let ada: SignedIn;
let bob: SignedIn;
beforeAll(async () => {
  one = await startTestApp();
  two = await startSecond(one);
  [ada, bob] = [await one.signUp('ada'), await one.signUp('bob')];
});
afterAll(async () => {
  await two.stop();
  await one.stop();
});

const BASE = '/passwordBroker/api/entryGroups';
const content = (value: string) => ({ type: 'password' as const, title: 'Title', login: 'ada', value: utf8(value) });
const ROUNDS = 4;

async function fieldAt(place: SealedPlace, value: string): Promise<string> {
  return (await ada.call(fields.create, { params: place, body: await sealedField(place, content(value)) })).field_id;
}

/** Decrypted value of the field, in the entry's current group. */
async function valueOf(e: string, f: string): Promise<string> {
  const { entry_group_id: g } = await one.deps.db.read
    .selectFrom('entries')
    .select('entry_group_id')
    .where('entry_id', '=', e)
    .executeTakeFirstOrThrow();
  const opened = await ada.request({
    path: `${BASE}/${g}/entries/${e}/fields/${f}/decrypted`,
    json: { master_password: ada.masterPassword },
  });
  return Buffer.from(opened.text, 'base64').toString();
}

const move = (ids: readonly string[], from: string, to: string) => ({
  path: `${BASE}/${from}/entries/bulkEdit/move`,
  json: { entries: ids, entryGroupTarget: to, master_password: ada.masterPassword },
});

describe('concurrent operations at two instances (R30)', () => {
  test('moving and editing an entry do not conflict silently', async () => {
    const target = await createSealedPlace(ada);
    for (let round = 0; round < ROUNDS; round += 1) {
      const place = await createSealedPlace(ada);
      const f = await fieldAt(place, 'before');
      const json = await nextRevision(place, { fieldId: f, baseRev: 1 }, content('after'));
      const edit = { method: 'PUT', path: `${BASE}/${place.g}/entries/${place.e}/fields/${f}`, json };
      const [moved, edited] = await Promise.all([
        ada.copy().request(move([place.e], place.g, target.g)),
        two.at(ada).request(edit),
      ]);
      expect([200, 409]).toContain(moved.status);
      expect([200, 404, 409]).toContain(edited.status);
      expect(moved.status === 200 || edited.status === 200).toBe(true);
      expect(await valueOf(place.e, f)).toBe(edited.status === 200 ? 'after' : 'before');
    }
  });

  test('either moving or deleting an entry succeeds', async () => {
    const target = await createSealedPlace(ada);
    for (let round = 0; round < ROUNDS; round += 1) {
      const place = await createSealedPlace(ada);
      await fieldAt(place, 'value');
      const removal = { path: `${BASE}/${place.g}/entries/bulkEdit/delete`, json: { entries: [place.e] } };
      const answers = await Promise.all([
        ada.copy().request(move([place.e], place.g, target.g)),
        two.at(ada).request(removal),
      ]);
      // The later operation does not find the entry.
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 422]);
      const row = await one.deps.db.read
        .selectFrom('entries')
        .select(['entry_group_id', 'trashed_by'])
        .where('entry_id', '=', place.e)
        .executeTakeFirstOrThrow();
      const isMoved = answers[0].status === 200;
      expect([row.entry_group_id, row.trashed_by === null]).toEqual([isMoved ? target.g : place.g, isMoved]);
    }
  });

  test('deleting a group and uploading into it leave no inconsistent field', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const place = await createSealedPlace(ada);
      const { members: parts, body } = await sealedFileField(place);
      const multipart = new FormData();
      for (const [name, value] of Object.entries(parts)) multipart.append(name, String(value));
      multipart.append('file', new Blob([body]), 'sealed');
      const [removed, uploaded] = await Promise.all([
        ada.copy().request({ method: groups.remove.method, path: `${BASE}/${place.g}` }),
        two.at(ada).request({ path: `${BASE}/${place.g}/entries/${place.e}/fields`, multipart }),
      ]);
      expect(removed.status).toBe(200);
      expect([201, 404]).toContain(uploaded.status);
      const rows = one.deps.db.read.selectFrom('fields').select('field_id').where('entry_id', '=', place.e);
      expect(await rows.execute()).toHaveLength(uploaded.status === 201 ? 1 : 0);
    }
  });
});

test('concurrent moves of entries between two groups all succeed, without a 500 (R41)', async () => {
  const places = [await createSealedPlace(ada), await createSealedPlace(ada)] as const;
  const owned = await Promise.all(
    places.map(async (place) => [
      place.e,
      ...(await Promise.all(Array.from({ length: 4 }, () => createEntryIn(ada, place.g)))),
    ]),
  );
  const f = await fieldAt(places[0], 'value');
  for (let round = 0; round < ROUNDS; round += 1) {
    const [from, to] = round % 2 === 0 ? [0, 1] : [1, 0];
    const answers = await Promise.all([
      ada.copy().request(move(owned[0] ?? [], places[from]!.g, places[to]!.g)),
      two.at(ada).request(move((owned[1] ?? []).toReversed(), places[to]!.g, places[from]!.g)),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  }
  expect(await valueOf(places[0].e, f)).toBe('value');
});

test('a member who is removed at one instance is refused by the other at the next request (R35)', async () => {
  const { g } = await createSealedPlace(ada);
  await joinGroup(one, g, bob, 'member');
  expect(await two.at(bob).call(entries.listAll, { params: { g } })).toHaveLength(1);
  await ada.call(members.remove, { params: { g, u: bob.userId } });
  expect((await two.at(bob).request({ path: `${BASE}/${g}/entries` })).status).toBe(403);
});
