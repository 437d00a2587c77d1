/** Former members of all groups where the caller is admin, of one person or of all people. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { create } from '@passwordbroker/core/contract/groups/entry-groups';
import { formerMembersOfAll, remove } from '@passwordbroker/core/contract/groups/members';
import { joinGroup } from '../testing/join-group.ts';
import { startTestApp, type SignedIn, type TestApp } from '../testing/test-app.ts';

let app: TestApp;
let ada: SignedIn;
let bob: SignedIn;
let eve: SignedIn;

beforeAll(async () => {
  app = await startTestApp();
  ada = await app.signUp('ada');
  bob = await app.signUp('bob');
  eve = await app.signUp('eve');
});
afterAll(async () => {
  await app.stop();
});

async function leave(admin: SignedIn, name: string, person: SignedIn): Promise<string> {
  const { entryGroup } = await admin.call(create, { body: { name } });
  await joinGroup(app, entryGroup.entry_group_id, person, 'member');
  await admin.call(remove, { params: { g: entryGroup.entry_group_id, u: person.userId } });
  return entryGroup.name;
}

test('all former members, newest first; of one person; never from groups where the caller is not admin', async () => {
  await leave(ada, 'One', bob);
  await leave(ada, 'Two', eve);
  await leave(bob, 'Not hers', eve);
  const groups = async (caller: SignedIn, query: { user_id?: string }) =>
    (await caller.call(formerMembersOfAll, { query })).data.map(({ entry_group }) => entry_group.name);
  expect(await groups(ada, {})).toEqual(['Two', 'One']);
  expect(await groups(ada, { user_id: bob.userId })).toEqual(['One']);
  expect(await groups(bob, {})).toEqual(['Not hers']);
  expect(await groups(eve, {})).toEqual([]);
});
