/** Previews about 5,000 people in 100 groups (AC4): complete totals, and not much slower than reading the members. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Act, preview } from '@passwordbroker/core/contract/groups/access';
import { create } from '@passwordbroker/core/contract/groups/entry-groups';
import { membersOf } from '@passwordbroker/core/contract/groups/many-groups';
import { insertMembers } from '../groups/group-repository.ts';
import { putEntry } from '../operations/testing/vault.ts';
import { sealedGroup } from '../testing/sealed-place.ts';
import { startTestApp, type SignedIn, type TestApp } from '../testing/test-app.ts';

const GROUPS = 100;
const PEOPLE = 5000;

let app: TestApp;
let ada: SignedIn;
let tops: readonly string[];

beforeAll(async () => {
  app = await startTestApp();
  ada = await app.signUp('ada');
  const { db, newId } = app.deps;
  const { user_id: _, ...account } = await db.read
    .selectFrom('users')
    .selectAll()
    .where('user_id', '=', ada.userId)
    .executeTakeFirstOrThrow();
  const people = Array.from({ length: PEOPLE }, (_one, at) => ({
    ...account,
    first_user: null,
    user_id: newId(),
    name: `Person ${at}`,
    name_key: `person ${at}`,
    email: `person${at}@example.com`,
    email_key: `person${at}@example.com`,
  }));
  await db.transact(async (tx) => {
    for (let at = 0; at < PEOPLE; at += 250) {
      await tx
        .insertInto('users')
        .values(people.slice(at, at + 250))
        .execute();
    }
  });
  const made: string[] = [];
  for (let at = 0; at < GROUPS; at += 1) {
    const { body } = await sealedGroup(ada, { name: `Group ${at}`, ...(at === 0 ? {} : { parent: made[0] ?? '' }) });
    await ada.call(create, { body });
    made.push(body.entry_group_id);
    await putEntry(app.deps, body.entry_group_id, 'entry');
    const times = { created_at: 1, updated_at: 1, role: 'member' as const, entry_group_id: body.entry_group_id };
    const rows = people.map(({ user_id }) => ({ id: newId(), user_id, ...times }));
    await db.transact((tx) => insertMembers(tx, rows));
  }
  tops = made;
}, 600_000);
afterAll(() => app.stop());

async function timed<T>(work: () => Promise<T>): Promise<[T, number]> {
  const start = performance.now();
  return [await work(), performance.now() - start];
}

test('a deletion of 100 groups with 5,000 people each, and their move below another one', async () => {
  const [top = ''] = tops;
  const { body } = await sealedGroup(ada, { name: 'Customers' });
  await ada.call(create, { body });
  const ask = (act: Act) => ada.call(preview, { body: { act } });
  const [, reading] = await timed(() => ada.call(membersOf, { query: { entry_group_ids: [...tops] } }));

  const [deleting, deletion] = await timed(() => ask({ kind: 'delete-group', entry_group_id: top }));
  expect(deleting.totals).toMatchObject({ loses: PEOPLE + 1, entry_groups: GROUPS, entries: GROUPS, known: 0 });
  expect(deleting.loses).toHaveLength(200);
  expect(deleting.loses[1]).toMatchObject({ entry_groups: GROUPS, entries: GROUPS });

  const move = { kind: 'move-group' as const, entry_group_id: top, target: body.entry_group_id };
  const [moving, movement] = await timed(() => ask(move));
  expect([moving.totals.names, moving.names.length]).toEqual([PEOPLE, 200]);

  console.info(`members ${reading.toFixed(0)} ms, deletion ${deletion.toFixed(0)} ms, move ${movement.toFixed(0)} ms`);
  expect(Math.max(deletion, movement)).toBeLessThan(5 * reading);
}, 120_000);
