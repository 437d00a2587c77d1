/** The people who were shown a field, with the last time of each (docs/spec/api.md §3.9). */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { HistoryEvent } from '@passwordbroker/core/contract/entities';
import { seenBy } from '@passwordbroker/core/contract/entries/fields';
import { insertHistoryRow } from '../fields/reveal-repository.ts';
import { giveRole, makeGroup, putEntry, putField } from '../operations/testing/vault.ts';
import { startTestApp } from '../testing/test-app.ts';
import type { SignedIn, TestApp } from '../testing/test-app.ts';
import { putIntoTrash } from '../testing/trash.ts';

const HOUR = 60 * 60 * 1000;

let app: TestApp;
let people: Record<'admin' | 'moderator' | 'member' | 'leaver' | 'gone' | 'out', SignedIn>;
type Name = keyof typeof people;
let start: number;
let g: string;
let e: string;
let f: string;

beforeAll(async () => {
  app = await startTestApp();
  start = app.clock.now();
  const signUp = (name: string) => app.signUp(name);
  people = {
    admin: await signUp('admin'),
    moderator: await signUp('moderator'),
    member: await signUp('member'),
    leaver: await signUp('leaver'),
    gone: await signUp('gone'),
    out: await signUp('out'),
  };
});
afterAll(() => app.stop());

const log = (field: string, who: Name, event_type: HistoryEvent, hour: number) =>
  app.deps.db.transact((tx) =>
    insertHistoryRow(tx, {
      field_edit_log_id: app.deps.newId(),
      field_id: field,
      event_type,
      rev: 1,
      user_id: people[who].userId,
      created_at: start + hour * HOUR,
    }),
  );

beforeEach(async () => {
  g = await makeGroup(people.admin, 'Ops');
  await giveRole(app.deps, g, people.moderator.userId, 'moderator');
  await giveRole(app.deps, g, people.member.userId, 'member');
  e = await putEntry(app.deps, g, 'Search cluster');
  f = await putField(app.deps, e, 'Root account');
  await log(f, 'member', 'decrypted', 1);
  await log(f, 'leaver', 'decrypted', 2);
  await log(f, 'member', 'decrypted', 3);
  await log(f, 'member', 'moved', 4);
  await log(f, 'admin', 'updated', 5);
});

const read = (who: Name) => people[who].call(seenBy, { params: { g, e } });
/** 'person hour' of each row; people who are not in the group end with a question mark. */
const told = async (who: Name, field = f) =>
  (await read(who))
    .filter(({ field_id }) => field_id === field)
    .map(({ user, last_at, is_member }) => {
      const name = Object.entries(people).find(([, { userId }]) => userId === user?.user_id)?.[0] ?? 'nobody';
      return `${name} ${(Date.parse(last_at) - start) / HOUR}${is_member ? '' : '?'}`;
    });

test('moderators and admins are told everybody with the last time, newest first, and who is not a member now', async () => {
  for (const who of ['admin', 'moderator'] as const) expect(await told(who)).toEqual(['member 3', 'leaver 2?']);
});

test('members are told their own reveals only; others nothing', async () => {
  expect(await told('member')).toEqual(['member 3']);
  await giveRole(app.deps, g, people.leaver.userId, 'member');
  expect(await told('leaver')).toEqual(['leaver 2']);
  for (const who of ['out', 'gone'] as const) await expect(read(who)).rejects.toMatchObject({ code: 'forbidden' });
});

test('each field of the entry has its own people; other entries are left out', async () => {
  const other = await putField(app.deps, e, 'Console');
  await log(other, 'moderator', 'decrypted', 6);
  await log(await putField(app.deps, await putEntry(app.deps, g, 'Other'), 'Else'), 'admin', 'decrypted', 7);
  expect(await told('admin', other)).toEqual(['moderator 6']);
  expect((await read('admin')).map(({ field_id }) => field_id)).toEqual([other, f, f]);
});

test('a deleted field and a deleted entry are told of no more', async () => {
  await putIntoTrash(app, 'field', f);
  expect(await read('admin')).toEqual([]);
  await putIntoTrash(app, 'entry', e);
  await expect(read('admin')).rejects.toMatchObject({ code: 'not_found' });
});

test('after a move the moderators of the new group are told, and the old group finds nothing', async () => {
  const from = g;
  g = await makeGroup(people.out, 'Elsewhere');
  await app.deps.db.transact((tx) =>
    tx.updateTable('entries').set({ entry_group_id: g }).where('entry_id', '=', e).execute(),
  );
  await giveRole(app.deps, g, people.leaver.userId, 'member');
  expect(await told('out')).toEqual(['member 3?', 'leaver 2']);
  expect(await told('leaver')).toEqual(['leaver 2']);
  await expect(read('member')).rejects.toMatchObject({ code: 'forbidden' });
  g = from;
  await expect(read('admin')).rejects.toMatchObject({ code: 'not_found' });
});

test('a deleted account is told of without a name', async () => {
  const gone = await app.signUp('deleted');
  people = { ...people, gone };
  await log(f, 'gone', 'decrypted', 6);
  await app.deps.db.transact((tx) => tx.deleteFrom('users').where('user_id', '=', gone.userId).execute());
  expect(await told('admin')).toEqual(['nobody 6?', 'member 3', 'leaver 2?']);
});
