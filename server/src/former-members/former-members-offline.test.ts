/**
 * A download of the offline copy counts as opening everything in it for the list of what former
 * members knew.
 */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import * as entries from '@passwordbroker/core/contract/entries/entries';
import * as fields from '@passwordbroker/core/contract/entries/fields';
import * as members from '@passwordbroker/core/contract/groups/members';
import { entryGroupsWithFields, forgetApplication } from '@passwordbroker/core/contract/account/offline';
import * as people from '@passwordbroker/core/contract/users/people';
import { utf8 } from '@passwordbroker/core/crypto/bytes';
import { type Device, deviceOf } from '../offline/testing/device.ts';
import { nextRevision } from '../testing/next-revision.ts';
import { type SealedPlace, createEntryIn, createSealedPlace, sealedField } from '../testing/sealed-place.ts';
import { startTestApp } from '../testing/test-app.ts';
import type { SignedIn, TestApp } from '../testing/test-app.ts';
import { type Sharing, sharing } from '../members/testing/sharing.ts';

let app: TestApp;
let as: Sharing;
let ada: SignedIn;
let bob: SignedIn;
let place: SealedPlace;
let other: SealedPlace;
let device: Device;

beforeAll(async () => {
  app = await startTestApp();
  as = sharing(app);
  [ada, bob] = [await app.signUp('ada'), await app.signUp('bob')];
});
afterAll(() => app.stop());
beforeEach(async () => {
  place = await createSealedPlace(ada, { name: `Operations ${app.deps.newId()}`, entry: 'Mail' });
  other = await createSealedPlace(ada, { name: `Other ${app.deps.newId()}`, entry: 'Other' });
  await as.add(ada, place.g, bob, 'moderator');
  device = await deviceOf(bob);
  later();
});

/** Advances the clock, so that the next events are later. */
const later = () => app.clock.advance(1000);
const content = (title: string) => ({ type: 'password' as const, title, login: 'l', value: utf8('v') });
const create = async (title: string, by = ada, at = place) => {
  const made = await by.call(fields.create, { params: at, body: await sealedField(at, content(title)) });
  later();
  return made.field_id;
};
const change = async (fieldId: string, title: string, baseRev = 1, at = place) => {
  const body = await nextRevision(at, { fieldId, baseRev }, content(title));
  await ada.call(fields.update, { params: { ...at, f: fieldId }, body });
  later();
};
const download = async () => {
  await device.fetch();
  later();
};
const move = async (from: SealedPlace, to: SealedPlace, e = from.e) => {
  const body = { entryGroupTarget: to.g, master_password: ada.masterPassword };
  await ada.call(entries.move, { params: { g: from.g, e }, body });
  later();
};
const opened = (at = place) => ada.call(members.opened, { params: { g: at.g, u: bob.userId } });
const leave = async (at = place) => {
  await as.remove(ada, at.g, bob);
  later();
  const [first] = (await ada.call(members.formerMembers, { params: { g: at.g } })).data;
  return ada.call(members.formerMember, { params: { g: at.g, d: first?.departure_id ?? '' } });
};
const shown = (rows: readonly members.KnownSecret[]) =>
  rows.map(({ field, rev, how, changed, user_application_id: by }) => [field.title, rev, how, changed, by]);
const byTitle = (rows: readonly members.KnownSecret[]) =>
  shown(rows).toSorted(([a], [b]) => String(a).localeCompare(String(b)));

test('everything downloaded is listed with its application; later changes are not', async () => {
  const [seen, revealed] = [await create('seen'), await create('revealed')];
  await create('written', bob);
  await bob.call(fields.envelope, { params: { ...place, f: revealed } });
  await download();
  await create('later');
  await change(seen, 'seen');
  const by = device.applicationId;
  const expected = [
    ['revealed', 1, 'revealed', false, null],
    ['written', 1, 'offline', false, by],
    ['seen', 1, 'offline', true, by],
  ];
  expect(shown(await opened())).toEqual(expected);
  const { departure, rows } = await leave();
  expect([departure.open, shown(rows)]).toEqual([2, expected]);
});

test('what a delta contains is listed', async () => {
  const seen = await create('seen');
  await download();
  await change(seen, 'seen');
  await create('new');
  await device.follow();
  later();
  await change(seen, 'seen', 2);
  expect(shown(await opened()).map(([title, rev, , changed]) => [title, rev, changed])).toEqual([
    ['new', 1, false],
    ['seen', 2, true],
  ]);
});

test('entries moved away stay on the list, and entries moved in later are not on it', async () => {
  await as.add(ada, other.g, bob, 'member');
  await create('of other', ada, other);
  await as.remove(ada, other.g, bob);
  await create('carried');
  await download();
  await move(other, place);
  expect(shown(await opened()).map(([title]) => title)).toEqual(['carried']);
  await move(place, other);
  await as.add(ada, other.g, bob, 'member');
  // His copy contained it in its former group; he does not know later revisions.
  expect(shown(await opened(other))).toEqual([['carried', 1, 'offline', false, device.applicationId]]);
  await move({ ...other, e: place.e }, place);
  expect(shown(await opened()).map(([title]) => title)).toEqual(['carried']);
});

test('an entry opened or downloaded in a group and moved to one without him stays on the list of the first group', async () => {
  const [revealed, carried] = [await create('revealed'), await create('carried')];
  await bob.call(fields.envelope, { params: { ...place, f: revealed } });
  later();
  await download();
  await move(place, other);
  await change(carried, 'carried', 1, { ...other, e: place.e });
  const by = device.applicationId;
  const expected = [
    ['carried', 1, 'offline', true, by],
    ['revealed', 1, 'revealed', false, null],
  ];
  expect(byTitle(await opened())).toEqual(expected);
  expect(byTitle((await leave()).rows)).toEqual(expected);
});

test('an entry moved to a group where he is still a member is listed when he leaves that one', async () => {
  const revealed = await create('revealed');
  await bob.call(fields.envelope, { params: { ...place, f: revealed } });
  later();
  await as.add(ada, other.g, bob, 'member');
  await move(place, other);
  expect(shown((await leave()).rows)).toEqual([]);
  expect(shown((await leave(other)).rows)).toEqual([['revealed', 1, 'revealed', false, null]]);
});

test('openings in a former group of an entry do not count in its present group', async () => {
  const [there, here] = [{ ...other, e: await createEntryIn(ada, other.g, 'Guest') }, place];
  const made = await create('guest', ada, there);
  await as.add(ada, other.g, bob, 'member');
  await bob.call(fields.envelope, { params: { ...there, f: made } });
  later();
  await as.remove(ada, other.g, bob);
  later();
  await move(there, here);
  await move({ ...here, e: there.e }, other);
  expect(shown((await leave()).rows)).toEqual([]);
});

test('the list survives the application, but not the membership', async () => {
  await create('seen');
  await download();
  await bob.call(forgetApplication, { params: { id: device.applicationId } });
  expect(shown(await opened()).map(([title, , how]) => [title, how])).toEqual([['seen', 'offline']]);
  expect((await leave()).rows).toHaveLength(1);
  await as.add(ada, place.g, bob, 'member');
  expect(await opened()).toEqual([]);
});

test('a download without an application is listed', async () => {
  await create('seen');
  await bob.call(entryGroupsWithFields);
  later();
  expect(shown(await opened())).toEqual([['seen', 1, 'offline', false, null]]);
});

test('a deleted account leaves its downloads on the list', async () => {
  const carol = await app.signUp('carol');
  await as.add(ada, place.g, carol, 'member');
  await create('seen');
  const hers = await deviceOf(carol);
  await hers.fetch();
  await createEntryIn(ada, place.g);
  later();
  await ada.call(people.remove, { params: { id: carol.userId }, body: {} });
  const [first] = (await ada.call(members.formerMembers, { params: { g: place.g } })).data;
  const { departure, rows } = await ada.call(members.formerMember, {
    params: { g: place.g, d: first?.departure_id ?? '' },
  });
  expect([departure.cause, shown(rows)]).toEqual(['deleted', [['seen', 1, 'offline', false, hers.applicationId]]]);
});
