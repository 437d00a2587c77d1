import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as groups from '@passwordbroker/core/contract/groups/entry-groups';
import { groupTrash, trash as trashList } from '@passwordbroker/core/contract/entries/operations';
import { startTestApp } from '../../testing/test-app.ts';
import type { SignedIn, TestApp } from '../../testing/test-app.ts';
import { giveRole, makeGroup, putEntry, putField, trash } from '../testing/vault.ts';

let app: TestApp;
let ada: SignedIn;
let bob: SignedIn;
let carol: SignedIn;
beforeAll(async () => {
  app = await startTestApp();
  [ada, bob, carol] = [await app.signUp('ada'), await app.signUp('bob'), await app.signUp('carol')];
});
afterAll(() => app.stop());

const removeGroup = async (who: SignedIn, g: string) => (await who.call(groups.remove, { params: { g } })).operation_id;
const listed = async (who: SignedIn) => (await who.call(trashList)).data.map(({ operation_id }) => operation_id);
const listedIn = async (who: SignedIn, g: string) =>
  (await who.call(groupTrash, { params: { g } })).data.map(({ operation_id }) => operation_id);
const iso = (ms: number) => new Date(ms).toISOString();
const DAYS = 30 * 24 * 60 * 60 * 1000;

describe('an item of the trash', () => {
  test('is one operation with its topmost items, and counts what is below them', async () => {
    const g = await makeGroup(bob, 'Databases');
    const [second, first] = [await putEntry(app.deps, g, 'Entry 10'), await putEntry(app.deps, g, 'entry 2')];
    await putField(app.deps, first, 'Field');
    await putField(app.deps, second, 'Field');
    const operation_id = await trash(app.deps, bob, { groupId: g, entries: [second, first] });
    expect(await bob.call(trashList)).toEqual({
      data: [
        {
          operation_id,
          kind: 'entry',
          title: 'Entry 10',
          entry_group: { entry_group_id: g, name: 'Databases' },
          user: { user_id: bob.userId, name: 'bob' },
          items: [
            { kind: 'entry', id: first, title: 'entry 2' },
            { kind: 'entry', id: second, title: 'Entry 10' },
          ],
          counts: { entry_groups: 0, entries: 2, fields: 2 },
          can_purge: true,
          created_at: iso(app.clock.now()),
          purge_at: iso(app.clock.now() + DAYS),
        },
      ],
      current_page: 1,
      last_page: 1,
      per_page: 20,
      total: 1,
    });
  });

  test('of a field names its group, of a group its parent, of a root null', async () => {
    const g = await makeGroup(bob, 'G');
    const child = await makeGroup(bob, 'Child', g);
    const entry = await putEntry(app.deps, g, 'Entry');
    const field = await putField(app.deps, entry, 'Field');
    const ofField = await trash(app.deps, bob, { groupId: g, field });
    const ofChild = await removeGroup(bob, child);
    const place = { entry_group_id: g, name: 'G' };
    expect((await bob.call(trashList)).data.slice(0, 2)).toMatchObject([
      {
        operation_id: ofChild,
        kind: 'entry_group',
        title: 'Child',
        entry_group: place,
        items: [{ kind: 'entry_group', id: child, title: 'Child' }],
        counts: { entry_groups: 1, entries: 0, fields: 0 },
      },
      {
        operation_id: ofField,
        kind: 'field',
        entry_group: place,
        items: [{ kind: 'field', id: field, title: 'Field' }],
      },
    ]);
    const ofRoot = await removeGroup(bob, g);
    expect((await bob.call(trashList)).data[0]).toMatchObject({
      operation_id: ofRoot,
      entry_group: null,
      items: [{ kind: 'entry_group', id: g, title: 'G' }],
      counts: { entry_groups: 1, entries: 1, fields: 0 },
    });
  });
});

describe('the trash shows', () => {
  test('entries and fields to moderators, who cannot purge them, and groups to admins of all of them', async () => {
    const g = await makeGroup(ada, 'G');
    const child = await makeGroup(ada, 'Child', g);
    await makeGroup(ada, 'Below', child);
    const entry = await putEntry(app.deps, g, 'Entry');
    const field = await putField(app.deps, await putEntry(app.deps, g, 'Other'), 'Field');
    const operations = [
      await trash(app.deps, ada, { groupId: g, entries: [entry] }),
      await trash(app.deps, ada, { groupId: g, field }),
    ];
    const ofChild = await removeGroup(ada, child);
    const shown = async (who: SignedIn) => (await listed(who)).filter((id) => [...operations, ofChild].includes(id));
    expect(await shown(ada)).toEqual([ofChild, ...operations.toReversed()]);
    expect(await shown(carol)).toEqual([]);
    await giveRole(app.deps, g, carol.userId, 'member');
    expect(await shown(carol)).toEqual([]);
    await giveRole(app.deps, g, carol.userId, 'moderator');
    await giveRole(app.deps, child, carol.userId, 'admin');
    expect(await shown(carol)).toEqual(operations.toReversed());
    const items = (await carol.call(trashList)).data;
    expect(items.map(({ can_purge }) => can_purge)).toEqual([false, false]);
    expect(await listedIn(carol, g)).toEqual(operations.toReversed());
    await giveRole(app.deps, g, carol.userId, 'admin');
    expect((await carol.call(trashList)).data.map(({ can_purge }) => can_purge)).toEqual([true, true]);
    expect(await listedIn(carol, g)).toEqual(operations.toReversed());
    expect(await listedIn(ada, g)).toEqual([ofChild, ...operations.toReversed()]);
  });

  test('for one group its own items and the groups directly below it', async () => {
    const g = await makeGroup(ada, 'G');
    const child = await makeGroup(ada, 'Child', g);
    const below = await makeGroup(ada, 'Below', child);
    const ofEntry = await trash(app.deps, ada, { groupId: child, entries: [await putEntry(app.deps, child, 'Entry')] });
    const ofBelow = await removeGroup(ada, below);
    expect(await listedIn(ada, g)).toEqual([]);
    expect(await listedIn(ada, child)).toEqual([ofBelow, ofEntry]);
    const ofChild = await removeGroup(ada, child);
    expect(await listedIn(ada, g)).toEqual([ofChild]);
    await expect(ada.call(groupTrash, { params: { g: child } })).rejects.toMatchObject({ code: 'not_found' });
    await giveRole(app.deps, g, carol.userId, 'member');
    await expect(carol.call(groupTrash, { params: { g } })).rejects.toMatchObject({ code: 'forbidden' });
  });

  test('no expired items', async () => {
    const dave = await app.signUp('dave');
    await removeGroup(dave, await makeGroup(dave, 'G'));
    expect(await listed(dave)).toHaveLength(1);
    const other = await app.signIn(dave);
    app.clock.advance(DAYS);
    await expect(other.call(trashList)).rejects.toMatchObject({ code: 'unauthenticated' });
    expect(await listed(await app.signIn(dave))).toEqual([]);
    for (const person of [ada, bob, carol]) Object.assign(person, { cookies: (await app.signIn(person)).cookies });
  });

  test('pages, also beyond the last one, and refuses invalid page numbers', async () => {
    const erin = await app.signUp('erin');
    const made: string[] = [];
    for (let n = 0; n < 5; n += 1) made.unshift(await removeGroup(erin, await makeGroup(erin, `G${n}`)));
    const page = async (query: { page?: number; perPage?: number }) => {
      const { data, ...rest } = await erin.call(trashList, { query });
      return [data.map(({ operation_id }) => operation_id), rest] as const;
    };
    const [all, { total }] = await page({});
    expect(all.slice(0, 5)).toEqual(made);
    const rest = { per_page: 2, total, last_page: Math.ceil(total / 2) };
    expect(await page({ page: 2, perPage: 2 })).toEqual([made.slice(2, 4), { ...rest, current_page: 2 }]);
    expect(await page({ page: 99, perPage: 2 })).toEqual([[], { ...rest, current_page: 99 }]);
    for (const query of [{ page: 0 }, { perPage: 101 }]) {
      await expect(erin.call(trashList, { query })).rejects.toMatchObject({ status: 422 });
    }
  });
});
