import { afterAll, beforeAll, expect, test } from 'vitest';
import * as people from '@passwordbroker/core/contract/users/people';
import { joinGroup } from '../testing/join-group.ts';
import { createSealedPlace } from '../testing/sealed-place.ts';
import { startTestApp } from '../testing/test-app.ts';
import type { SignedIn, TestApp } from '../testing/test-app.ts';

let app: TestApp;
let ada: SignedIn;
let bob: SignedIn;
let zoe: SignedIn;
beforeAll(async () => {
  app = await startTestApp();
  ada = await app.signUp('ada');
  bob = await app.signUp('bob');
  zoe = await app.signUp('Zoë-10');
  await app.signUp('Zoë-9');
});
afterAll(() => app.stop());

const namesFor = async (client: SignedIn, query: object) =>
  (await client.call(people.search, { query })).data.map(({ name }) => name);

test('people are found by a part of the name, without case and accents, sorted (T46)', async () => {
  expect(await namesFor(bob, {})).toEqual(['ada', 'bob', 'Zoë-9', 'Zoë-10']);
  expect(await namesFor(bob, { q: ' ZOE ' })).toEqual(['Zoë-9', 'Zoë-10']);
  expect(await namesFor(bob, { q: '%' })).toEqual([]);
  const page = await bob.call(people.search, { query: { q: 'zoe', page: 2, perPage: 1 } });
  expect(page).toEqual({
    data: [{ user_id: zoe.userId, name: 'Zoë-10' }],
    current_page: 2,
    last_page: 2,
    per_page: 1,
    total: 2,
  });
  expect((await bob.call(people.search, { query: { page: 9 } })).data).toEqual([]);
});

test('an e-mail is found by its whole text, and by a part for site admins, who see accounts', async () => {
  expect(await namesFor(bob, { q: 'ADA@example.org' })).toEqual(['ada']);
  expect(await namesFor(bob, { q: '@example' })).toEqual([]);
  expect(await namesFor(ada, { q: '@EXAMPLE' })).toHaveLength(4);
  const [account] = (await ada.call(people.search, { query: { q: 'bob' } })).data;
  expect(account).toEqual(await bob.call(people.get, { params: { id: bob.userId } }));
  expect(account).toMatchObject({ email: 'bob@example.org', must_rekey: true, is_admin: false });
});

test('members of a group can be left out by members of that group only', async () => {
  const { g } = await createSealedPlace(bob);
  await joinGroup(app, g, zoe, 'member');
  expect(await namesFor(zoe, { entryGroupExclude: g })).toEqual(['ada', 'Zoë-9']);
  await expect(ada.call(people.search, { query: { entryGroupExclude: g } })).rejects.toMatchObject({
    code: 'forbidden',
  });
  await expect(zoe.call(people.search, { query: { entryGroupExclude: ada.userId } })).rejects.toMatchObject({
    errors: { entryGroupExclude: ['The entryGroupExclude does not exist.'] },
  });
});

test('an account is readable by its owner and by site admins', async () => {
  expect(await ada.call(people.get, { params: { id: bob.userId } })).toMatchObject({ name: 'bob' });
  await expect(bob.call(people.get, { params: { id: ada.userId } })).rejects.toMatchObject({ code: 'forbidden' });
  await expect(bob.call(people.get, { params: { id: app.deps.newId() } })).rejects.toMatchObject({ code: 'not_found' });
});
