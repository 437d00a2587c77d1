/** The list of a person who left a group: stored at that moment, shown to the group's admins. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as entries from '@passwordbroker/core/contract/entries/entries';
import * as fields from '@passwordbroker/core/contract/entries/fields';
import * as members from '@passwordbroker/core/contract/groups/members';
import { utf8 } from '@passwordbroker/core/crypto/bytes';
import { nextRevision } from '../testing/next-revision.ts';
import { type SealedPlace, createEntryIn, createSealedPlace, sealedField } from '../testing/sealed-place.ts';
import { startTestApp, type SignedIn, type TestApp } from '../testing/test-app.ts';
import { callWithProof } from '../testing/test-proof.ts';
import { recordDeparture } from './former-members.ts';
import { type Sharing, sharing } from '../members/testing/sharing.ts';

let app: TestApp;
let as: Sharing;
let ada: SignedIn;
let bob: SignedIn;
let eve: SignedIn;
let place: SealedPlace;

beforeAll(async () => {
  app = await startTestApp();
  as = sharing(app);
  [ada, bob, eve] = [await app.signUp('ada'), await app.signUp('bob'), await app.signUp('eve')];
});
afterAll(() => app.stop());
beforeEach(async () => {
  app.clock.advance(1000);
  place = await createSealedPlace(ada, { name: 'Operations', entry: 'Mail' });
  await as.add(ada, place.g, bob, 'moderator');
});

const content = (title: string) => ({ type: 'password' as const, title, login: 'l', value: utf8('v') });
const create = async (title: string, by = ada, at = place) =>
  (await by.call(fields.create, { params: at, body: await sealedField(at, content(title)) })).field_id;
const change = async (fieldId: string, title: string, by = ada, baseRev = 1) =>
  by.call(fields.update, {
    params: { ...place, f: fieldId },
    body: await nextRevision(place, { fieldId, baseRev }, content(title)),
  });
const open = (person: SignedIn, fieldId: string) => person.call(fields.envelope, { params: { ...place, f: fieldId } });
const listed = async () => (await ada.call(members.formerMembers, { params: { g: place.g } })).data;
const secrets = async (person = ada) => {
  const [first] = (await person.call(members.formerMembers, { params: { g: place.g } })).data;
  return person.call(members.formerMember, { params: { g: place.g, d: first?.departure_id ?? '' } });
};
const shown = (rows: readonly members.KnownSecret[]) =>
  rows.map(({ field, rev, how, changed, trashed }) => [field.title, rev, how, changed, trashed]);

describe('removing', () => {
  test('lists the values that the person opened or wrote, with the newest known revision, and marks later changes', async () => {
    const [seen, unseen, both] = [await create('seen'), await create('unseen'), await create('both')];
    await open(bob, seen);
    await open(ada, unseen);
    await open(bob, both);
    await change(both, 'both');
    await open(bob, both);
    const own = await create('own', bob);
    await change(own, 'own', bob);
    const trashed = await create('trashed');
    await open(bob, trashed);
    await callWithProof(app, ada, fields.remove, { params: { ...place, f: trashed } });
    const before = await ada.call(members.opened, { params: { g: place.g, u: bob.userId } });
    await as.remove(ada, place.g, bob);

    const { departure, rows } = await secrets();
    expect(departure).toMatchObject({
      entry_group: { entry_group_id: place.g, name: 'Operations' },
      user: { user_id: bob.userId, name: 'bob' },
      cause: 'removed',
      open: 3,
      total: 3,
      left_at: new Date(app.clock.now()).toISOString(),
    });
    expect(rows).toEqual(before);
    expect(shown(rows)).toEqual([
      ['both', 2, 'revealed', false, false],
      ['own', 2, 'written', false, false],
      ['seen', 1, 'revealed', false, false],
      ['trashed', 1, 'revealed', false, true],
    ]);
    expect(rows[0]?.entry).toEqual({ entry_id: place.e, entry_group_id: place.g, title: 'Mail' });

    await change(seen, 'seen');
    const after = await secrets();
    expect([after.departure.open, after.departure.total]).toEqual([2, 3]);
    expect(shown(after.rows)[2]).toEqual(['seen', 1, 'revealed', true, false]);
  });

  test('a link is no secret: neither listed nor counted', async () => {
    const link = { type: 'link' as const, title: 'Console', value: utf8('https://console.internal') };
    const { field_id } = await ada.call(fields.create, { params: place, body: await sealedField(place, link) });
    const seen = await create('seen');
    await open(bob, field_id);
    await open(bob, seen);
    expect(await ada.call(members.opened, { params: { g: place.g, u: bob.userId } })).toHaveLength(1);
    await as.remove(ada, place.g, bob);
    const { departure, rows } = await secrets();
    expect([departure.open, departure.total, shown(rows)]).toEqual([1, 1, [['seen', 1, 'revealed', false, false]]]);
  });

  test('a person who leaves twice is listed twice, newest first; without openings the list is empty', async () => {
    const seen = await create('seen');
    await open(bob, seen);
    await as.remove(ada, place.g, bob);
    await as.add(ada, place.g, eve, 'member');
    await as.remove(ada, place.g, eve);
    await as.add(ada, place.g, bob, 'member');
    await as.remove(ada, place.g, bob);
    expect((await listed()).map(({ user, open: left }) => [user.name, left])).toEqual([
      ['bob', 1],
      ['eve', 0],
      ['bob', 1],
    ]);
    const page = await ada.call(members.formerMembers, { params: { g: place.g }, query: { page: 2, perPage: 2 } });
    expect([page.total, page.last_page, page.data.length]).toEqual([3, 2, 1]);
  });

  test('a refused removal records nothing', async () => {
    await as.add(ada, place.g, bob, 'admin');
    await expect(as.remove(ada, place.g, bob)).rejects.toMatchObject({ code: 'forbidden' });
    expect(await listed()).toEqual([]);
  });

  test('a purged field is removed from the list', async () => {
    const seen = await create('seen');
    await open(bob, seen);
    await as.remove(ada, place.g, bob);
    await app.deps.db.transact(async (tx) => {
      await tx.deleteFrom('field_history').where('field_id', '=', seen).execute();
      await tx.deleteFrom('field_revisions').where('field_id', '=', seen).execute();
      await tx.deleteFrom('fields').where('field_id', '=', seen).execute();
    });
    expect((await secrets()).rows).toEqual([]);
  });
});

describe('access to the list', () => {
  test('only admins of the group; over all groups, only those where the caller is admin', async () => {
    const seen = await create('seen');
    await open(bob, seen);
    const other = await createSealedPlace(eve, { name: 'Not hers' });
    await as.add(eve, other.g, bob, 'member');
    await as.remove(eve, other.g, bob);
    await as.remove(ada, place.g, bob);
    await as.add(ada, place.g, eve, 'moderator');
    for (const call of [
      () => eve.call(members.formerMembers, { params: { g: place.g } }),
      () => secrets(eve),
      () => eve.call(members.opened, { params: { g: place.g, u: ada.userId } }),
    ]) {
      await expect(call()).rejects.toMatchObject({ code: 'forbidden' });
    }
    const query = { user_id: bob.userId, perPage: 100 };
    const groupsOf = async (person: SignedIn) =>
      (await person.call(members.formerMembersOfAll, { query })).data.map(
        ({ entry_group }) => entry_group.entry_group_id,
      );
    expect(await groupsOf(ada)).toContain(place.g);
    expect(await groupsOf(ada)).not.toContain(other.g);
    expect(await groupsOf(eve)).toEqual([other.g]);
    expect(await groupsOf(bob)).toEqual([]);
    await expect(ada.call(members.formerMembersOfAll, { query: { user_id: 'x' } })).rejects.toMatchObject({
      errors: { user_id: ['The user id is not a valid id.'] },
    });
  });

  test('a list of another group, and a person who is not a member, are not found', async () => {
    await as.remove(ada, place.g, bob);
    const [first] = await listed();
    const other = await createSealedPlace(ada);
    const params = { g: other.g, d: first?.departure_id ?? '' };
    await expect(ada.call(members.formerMember, { params })).rejects.toMatchObject({ code: 'not_found' });
    await expect(ada.call(members.opened, { params: { g: place.g, u: bob.userId } })).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  test('an entry moved to a group without the admin is no longer shown to that admin', async () => {
    const carol = await app.signUp('carol');
    await as.add(ada, place.g, carol, 'admin');
    const seen = await create('seen');
    await open(bob, seen);
    await as.remove(ada, place.g, bob);
    const target = await createSealedPlace(ada, { name: 'Private' });
    const body = { entries: [place.e], entryGroupTarget: target.g, master_password: ada.masterPassword };
    await ada.call(entries.moveMany, { params: place, body });
    expect((await secrets(carol)).rows).toEqual([]);
    expect((await secrets(carol)).departure.open).toBe(0);
    const { departure, rows } = await secrets(ada);
    expect([departure.open, rows.map(({ entry }) => entry.entry_group_id)]).toEqual([1, [target.g]]);
  });
});

describe('leaving all groups at once', () => {
  test('each group has its own list, which survives the deletion of the account', async () => {
    const dan = await app.signUp('dan');
    const second = await createSealedPlace(ada, { name: 'Second' });
    for (const at of [place, second]) await as.add(ada, at.g, dan, 'member');
    const fieldIds = [await create('one'), await create('two', ada, second)];
    await open(dan, fieldIds[0] ?? '');
    await dan.call(fields.envelope, { params: { ...second, f: fieldIds[1] ?? '' } });
    await app.deps.db.transact(async (tx) => {
      await recordDeparture(tx, app.deps, { userId: dan.userId, cause: 'deleted' });
      await tx.deleteFrom('users').where('user_id', '=', dan.userId).execute();
    });
    const { data } = await ada.call(members.formerMembersOfAll, { query: { user_id: dan.userId } });
    expect(data.map(({ entry_group, user, cause, open: left }) => [entry_group.name, user, cause, left])).toEqual(
      expect.arrayContaining([
        ['Operations', { user_id: null, name: 'dan' }, 'deleted', 1],
        ['Second', { user_id: null, name: 'dan' }, 'deleted', 1],
      ]),
    );
    expect(data).toHaveLength(2);
    for (const { departure_id, entry_group } of data) {
      const params = { g: entry_group.entry_group_id, d: departure_id };
      expect((await ada.call(members.formerMember, { params })).rows).toHaveLength(1);
    }
  });

  test('thousands of fields are recorded by one statement in under two seconds', async () => {
    await createEntryIn(ada, place.g);
    const id = (at: number) => `${String(at).padStart(8, '0')}-0000-4000-8000-${place.g.slice(-12)}`;
    const COUNT = 5000;
    await app.deps.db.transact(async (tx) => {
      const columns = {
        login: null,
        totp_hash_algorithm: null,
        totp_timeout: null,
        file_name: null,
        file_mime: null,
        file_size: null,
      };
      for (let at = 0; at < COUNT; at += 500) {
        const ids = Array.from({ length: 500 }, (_, offset) => id(at + offset));
        const common = { title: 't', ...columns, created_by: null, created_at: 1 };
        await tx
          .insertInto('fields')
          .values(
            ids.map((field_id) => ({
              ...common,
              field_id,
              entry_id: place.e,
              type: 'note' as const,
              rev: 1,
              updated_by: null,
              updated_at: 1,
              trashed_by: null,
            })),
          )
          .execute();
        const history = (user: SignedIn, more: string) =>
          ids.map((field_id) => ({
            field_edit_log_id: `${more}${field_id.slice(1)}`,
            field_id,
            event_type: 'decrypted' as const,
            rev: 1,
            user_id: user.userId,
            created_at: 1,
          }));
        await tx
          .insertInto('field_history')
          .values([...history(bob, 'b'), ...history(ada, 'a')])
          .execute();
      }
    });
    const started = performance.now();
    await as.remove(ada, place.g, bob);
    const took = performance.now() - started;
    expect((await listed())[0]?.open).toBe(COUNT);
    expect(took).toBeLessThan(2000);
  });
});
