/** 'Same members as the parent' (docs/spec/decisions.md G3, T110). */
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as groups from '@passwordbroker/core/contract/groups/entry-groups';
import * as fields from '@passwordbroker/core/contract/entries/fields';
import { openField } from '@passwordbroker/core/domain/fields/field';
import { openGroup } from '@passwordbroker/core/domain/groups/group-keys';
import { createEntryIn, createSealedPlace, sealedField, sealedGroup } from '../testing/sealed-place.ts';
import { startTestApp } from '../testing/test-app.ts';
import type { SignedIn, TestApp } from '../testing/test-app.ts';
import { sharing } from '../members/testing/sharing.ts';
import { joinGroup } from '../testing/join-group.ts';
import { storedGroups } from './testing/stored-groups.ts';

const PATH = '/passwordBroker/api/entryGroups';
let app: TestApp;
let ada: SignedIn;
let bob: SignedIn;
let carol: SignedIn;
let parent: string;
const others = () =>
  [
    [bob, 'moderator'],
    [carol, 'member'],
  ] as const;

beforeAll(async () => {
  app = await startTestApp();
  ada = await app.signUp('ada');
  bob = await app.signUp('bob');
  carol = await app.signUp('carol');
  parent = (await createSealedPlace(ada)).g;
  for (const [person, role] of others()) await sharing(app).add(ada, parent, person, role);
});
afterAll(() => app.stop());

test.each([
  ['sealed', async () => (await sealedGroup(ada, { parent, others: others() })).body],
  [
    'with a master password',
    () => ({
      name: 'c',
      parent_entry_group_id: parent,
      same_members_as_parent: true,
      master_password: ada.masterPassword,
    }),
  ],
  ['plain', () => ({ name: 'c', parent_entry_group_id: parent, same_members_as_parent: true })],
])('each member opens a value in the child with the same role: %s (T110)', async (_, bodyOf) => {
  const answer = await ada.request({ path: PATH, json: await bodyOf() });
  expect(answer.status, answer.text).toBe(201);
  const g = answer.json<{ entryGroup: { entry_group_id: string } }>().entryGroup.entry_group_id;
  const roles = (await ada.call(groups.members, { params: { g } })).map(({ user_id, role }) => [user_id, role]);
  expect(roles).toEqual([
    [ada.userId, 'admin'],
    [bob.userId, 'moderator'],
    [carol.userId, 'member'],
  ]);

  const keyOf = async (person: SignedIn) =>
    (await openGroup(person.keyring, await person.call(groups.roster, { params: { g } }), g)).groupKey;
  const place = { g, e: await createEntryIn(ada, g), groupKey: await keyOf(ada) };
  const body = await sealedField(place);
  await ada.call(fields.create, { params: place, body });
  for (const person of [ada, bob, carol]) {
    const envelope = await person.call(fields.envelope, { params: { ...place, f: body.field_id } });
    const at = { entryGroupId: g, entryId: place.e, fieldId: body.field_id, type: 'password' as const, rev: 1 };
    const content = await openField(await keyOf(person), at, envelope);
    expect(content.type === 'password' && Buffer.from(content.value).toString()).toBe('s3cr3t');
  }
});

async function refused(json: object): Promise<void> {
  const before = await storedGroups(app);
  const answer = await ada.request({ path: PATH, json });
  expect([answer.status, answer.json()['code']]).toEqual([409, 'rewrap_set_mismatch']);
  expect(await storedGroups(app)).toEqual(before);
}

test.each([
  ['one member missing', () => sealedGroup(ada, { parent, others: others().slice(0, 1) })],
  [
    'one member with another role',
    () =>
      sealedGroup(ada, {
        parent,
        others: [
          [bob, 'moderator'],
          [carol, 'admin'],
        ],
      }),
  ],
])('%s: 409, and no group is created (T110)', async (_, make) => {
  await refused((await make()).body);
});

test('a member who joined meanwhile: 409, and no group is created (T110)', async () => {
  const { body } = await sealedGroup(ada, { parent, others: others() });
  await joinGroup(app, parent, await app.signUp('dave'), 'member');
  await refused(body);
});

test('a body for very many members is accepted', async () => {
  const { body } = await sealedGroup(ada);
  const answer = await ada.request({ path: PATH, json: { ...body, ignored: 'x'.repeat(1024 * 1024) } });
  expect(answer.status, answer.text).toBe(201);
});
