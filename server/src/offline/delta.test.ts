/**
 * Each kind of change: the contents of the delta, and that the copy then equals a new one. In random order:
 * `delta-walk.long.test.ts`.
 */
import { v7 } from 'uuid';
import { describe, expect, test } from 'vitest';
import * as entries from '@passwordbroker/core/contract/entries/entries';
import * as fields from '@passwordbroker/core/contract/entries/fields';
import * as groups from '@passwordbroker/core/contract/groups/entry-groups';
import * as offline from '@passwordbroker/core/contract/account/offline';
import * as operations from '@passwordbroker/core/contract/entries/operations';
import * as people from '@passwordbroker/core/contract/users/people';
import type { Sharing } from '../members/testing/sharing.ts';
import { type SealedPlace, createEntryIn, createSealedPlace, sealedField } from '../testing/sealed-place.ts';
import type { SignedIn, TestApp } from '../testing/test-app.ts';
import { type Device, deviceOf, inOrder } from './testing/device.ts';
import { noteOf, withFollowedCopy } from './testing/followed-copy.ts';
import { settled } from './testing/settled.ts';

let app: TestApp;
let as: Sharing;
let ada: SignedIn;
let bob: SignedIn;
let eve: SignedIn;
let place: SealedPlace;
let below: SealedPlace;
let hers: SealedPlace;
let fieldId: string;
let device: Device;
const change = withFollowedCopy((copy) => ({ app, as, ada, bob, eve, place, below, hers, fieldId, device } = copy));

/** Summary of a delta. */
const shape = (delta: offline.OfflineDelta) => ({
  trees: delta.trees !== null,
  groups: delta.groups.map(({ head, is_whole, entries: all }) => [
    head?.name ?? null,
    is_whole,
    all.map(({ title }) => title),
  ]),
  gone: [delta.gone_groups.length, delta.gone_entries.length],
});
const renameEntry = (at: SealedPlace, title: string) => ada.call(entries.rename, { params: at, body: { title } });
const remove = (at: SealedPlace) => ada.call(entries.remove, { params: at });

/** Follows the delta and checks that the copy equals a new one and is fresh. Returns its summary. */
async function followed() {
  await settled(app);
  expect(await device.isStale()).toBe(true);
  const delta = await device.follow();
  const fresh = await deviceOf(bob);
  expect(device.copy()).toEqual(inOrder((await fresh.fetch()).data ?? { trees: [], groups: [] }));
  expect(await device.isStale()).toBe(false);
  return shape(delta);
}

/** Follows the delta, whose summary matches `expected`. */
async function followedBy(expected: Partial<ReturnType<typeof shape>>): Promise<void> {
  expect(await followed()).toMatchObject(expected);
}

const NOTHING = { trees: false, groups: [], gone: [0, 0] };
const ONE_ENTRY = (title: string) => ({ ...NOTHING, groups: [[null, false, [title]]] });

describe('a delta contains', () => {
  test('the entry whose field was created, changed or deleted', async () => {
    await ada.call(fields.create, { params: place, body: await sealedField(place, noteOf('New')) });
    await followedBy(ONE_ENTRY('Mail'));
    await change();
    await followedBy(ONE_ENTRY('Mail'));
    const master_password = ada.masterPassword;
    await ada.call(fields.remove, { params: { ...place, f: fieldId }, body: { master_password } });
    await followedBy(ONE_ENTRY('Mail'));
  });

  test('an entry that was created, renamed, marked, deleted or restored', async () => {
    await createEntryIn(ada, place.g, 'Another');
    await followedBy(ONE_ENTRY('Another'));
    await renameEntry(place, 'Post');
    await followedBy(ONE_ENTRY('Post'));
    await ada.call(entries.mark, { params: place, body: { tags: ['web'], icon: 'mail' } });
    await followedBy(ONE_ENTRY('Post'));
    const { operation_id: operationId } = await remove(place);
    await followedBy({ ...NOTHING, gone: [0, 1] });
    await ada.call(operations.restore, { params: { operationId }, body: {} });
    await followedBy(ONE_ENTRY('Post'));
    await ada.call(operations.purge, { params: { operationId: (await remove(place)).operation_id } });
    await followedBy({ ...NOTHING, gone: [0, 1] });
  });

  test('a moved entry at those of its groups that the person can see', async () => {
    const move = (from: SealedPlace, to: SealedPlace) =>
      ada.call(entries.move, {
        params: { g: from.g, e: place.e },
        body: { entryGroupTarget: to.g, master_password: ada.masterPassword },
      });
    await move(place, below);
    await followedBy({ ...ONE_ENTRY('Mail'), gone: [0, 1] });
    await move(below, hers);
    await followedBy({ ...NOTHING, gone: [0, 1] });
    await move(hers, place);
    await followedBy(ONE_ENTRY('Mail'));
  });

  test('a group’s head without its entries when it is renamed or moved, or its members change', async () => {
    await ada.call(groups.rename, { params: { g: below.g }, body: { name: 'Deeper' } });
    await followedBy({ ...NOTHING, trees: true, groups: [['Deeper', false, []]] });
    await ada.call(groups.move, { params: { g: below.g }, body: {} });
    await followedBy({ ...NOTHING, trees: true, groups: [['Deeper', false, []]] });
    await as.add(ada, below.g, eve, 'member');
    await followedBy({ ...NOTHING, groups: [['Deeper', false, []]] });
    await as.add(ada, below.g, bob, 'member');
    await followedBy({ ...NOTHING, trees: true, groups: [['Deeper', false, []]] });
  });

  test('the new name of an inaccessible parent group', async () => {
    await ada.call(groups.rename, { params: { g: hers.g }, body: { name: `Hers ${v7()}` } });
    await followedBy({ ...NOTHING, trees: true });
  });

  test('a group completely when the person joins it, and its id when access is lost', async () => {
    const more = await createSealedPlace(ada, { name: 'More', entry: 'In it' });
    await as.add(ada, more.g, bob, 'member');
    await followedBy({ ...NOTHING, trees: true, groups: [['More', true, ['In it']]] });
    await as.remove(ada, more.g, bob);
    await followedBy({ ...NOTHING, trees: true, gone: [1, 0] });
    await as.add(ada, more.g, bob, 'member');
    await as.remove(ada, more.g, bob);
    await as.add(ada, more.g, bob, 'member');
    await followedBy({ trees: true, groups: [['More', true, ['In it']]], gone: [0, 0] });
  });

  test('a group with its subgroups that was deleted, restored or purged', async () => {
    const { operation_id: operationId } = await ada.call(groups.remove, { params: { g: place.g } });
    await followedBy({ ...NOTHING, trees: true, gone: [2, 0] });
    await ada.call(operations.restore, { params: { operationId }, body: {} });
    const back = await followed();
    expect([back.trees, back.groups.map(([name, isWhole]) => `${String(name)} ${String(isWhole)}`).toSorted()]).toEqual(
      [true, ['Below true', 'Operations true']],
    );
    const again = await ada.call(groups.remove, { params: { g: place.g } });
    await ada.call(operations.purge, { params: { operationId: again.operation_id } });
    await followedBy({ gone: [2, 0] });
  });

  test('new keys after both phases of a rotation, also between them', async () => {
    await change();
    await as.rotate(ada, place.g);
    await followedBy({ groups: [['Operations', false, ['Mail']]] });
    const half = device.copy().groups.find(({ entry_group_id }) => entry_group_id === place.g);
    // While a former key version is in use, the rosters reach back to it.
    expect(half?.grants.map(({ gk_version }) => gk_version)).toEqual([1, 2]);
    expect(half?.rosters.map(({ seq }) => seq)).toEqual([1, 2]);
    await as.batch(ada, place.g);
    await followedBy({ groups: [['Operations', false, ['Mail']]] });
    const after = device.copy().groups.find(({ entry_group_id }) => entry_group_id === place.g);
    expect([after?.grants.length, after?.rosters.length]).toEqual([1, 1]);
  });

  test('the new name of an author, and the deletion of the author’s account', async () => {
    const leaver = await app.signUp('leaver');
    await as.add(ada, place.g, leaver, 'moderator');
    await leaver.call(fields.create, { params: place, body: await sealedField(place, noteOf('His')) });
    await settled(app);
    await device.follow();
    const rename = { name: 'Renamed', email: leaver.email };
    await ada.call(people.update, { params: { id: leaver.userId }, body: rename });
    await followedBy(ONE_ENTRY('Mail'));
    await ada.call(people.remove, { params: { id: leaver.userId }, body: {} });
    await followedBy({ groups: [['Operations', false, ['Mail']]] });
  });
});

describe('a delta contains a group’s head again', () => {
  /** The delta after the change has only heads of groups. */
  async function headsAlone(change: () => Promise<unknown>): Promise<void> {
    await change();
    const { groups: told, gone } = await followed();
    expect([told.length > 0, gone]).toEqual([true, [0, 0]]);
    expect(told.filter(([head, isWhole]) => head === null || isWhole)).toEqual([]);
  }
  const write = (work: Parameters<typeof app.deps.db.transact>[0]) => app.deps.db.transact(work);

  test('if keys of its admins changed', async () => {
    const setFpr = (fpr: string) =>
      write((tx) => tx.updateTable('user_keysets').set({ fpr }).where('user_id', '=', ada.userId).execute());
    await headsAlone(() => setFpr('0'.repeat(64)));
    await headsAlone(() => setFpr(ada.keyring.identity.fingerprint));
  });

  test('if own grants were wrapped again', async () => {
    const grantedBy = (granted_by: string) =>
      write((tx) => tx.updateTable('group_grants').set({ granted_by }).where('user_id', '=', bob.userId).execute());
    await headsAlone(() => grantedBy(bob.userId));
  });

  test('without the certificate of a former signer', async () => {
    const signer = await app.signUp('signer');
    const his = await createSealedPlace(signer, { name: 'His' });
    await as.add(signer, his.g, bob, 'member');
    await settled(app);
    await device.follow();
    await headsAlone(() =>
      write((tx) => tx.deleteFrom('user_certificates').where('user_id', '=', signer.userId).execute()),
    );
    const head = device.copy().groups.find(({ entry_group_id }) => entry_group_id === his.g);
    expect(head?.rosters.map(({ signer_certificate }) => signer_certificate)).toEqual([null]);
  });
});

describe('a delta omits', () => {
  test('reads, reveals, changes in inaccessible groups and in the trash', async () => {
    await ada.call(fields.envelope, { params: { ...place, f: fieldId } });
    await renameEntry(hers, `Hers ${v7()}`);
    await createSealedPlace(ada, { name: 'Another tree' });
    expect([await device.isStale(), shape(await device.follow())]).toEqual([false, NOTHING]);
  });

  test('changed grants of other members', async () => {
    const [own, others] = [await deviceOf(ada), device];
    await settled(app);
    await own.fetch();
    await app.deps.db.transact((tx) =>
      tx.updateTable('group_grants').set({ granted_by: null }).where('user_id', '=', ada.userId).execute(),
    );
    expect(await own.isStale()).toBe(true);
    expect(await others.isStale()).toBe(false);
  });
});

test('an edit in a large group causes a small delta', async () => {
  for (let number = 0; number < 30; number += 1) await createEntryIn(ada, place.g, `Entry ${number}`);
  await device.fetch();
  await change();
  await settled(app);
  const { cursor } = await bob.call(offline.entryGroupsWithFields, {
    query: { user_application_id: device.applicationId },
  });
  await renameEntry(place, 'Once more');
  const path = `${offline.entryGroupsWithFields.path}?user_application_id=${device.applicationId}&since=${cursor}`;
  const { bytes } = await bob.request({ path });
  expect(bytes.length).toBeLessThan(3000);
});
