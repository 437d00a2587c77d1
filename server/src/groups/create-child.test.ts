/** Creating a group below another one, and repeated creates (docs/spec/decisions.md G2, T97). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as groups from '@passwordbroker/core/contract/groups/entry-groups';
import { createSealedPlace, sealedGroup } from '../testing/sealed-place.ts';
import { startTestApp, type SignedIn, type TestApp } from '../testing/test-app.ts';
import { putIntoTrash } from '../testing/trash.ts';
import { joinGroup } from '../testing/join-group.ts';
import { storedGroups } from './testing/stored-groups.ts';

const PATH = '/passwordBroker/api/entryGroups';
let app: TestApp;
let ada: SignedIn;
let bob: SignedIn;
let carol: SignedIn;

beforeAll(async () => {
  app = await startTestApp();
  ada = await app.signUp('ada');
  bob = await app.signUp('bob');
  carol = await app.signUp('carol');
});
afterAll(() => app.stop());

async function refused(client: SignedIn, json: object, expected: object): Promise<void> {
  const before = await storedGroups(app);
  const answer = await client.request({ path: PATH, json });
  expect({ status: answer.status, ...answer.json() }, answer.text).toMatchObject(expected);
  expect(await storedGroups(app)).toEqual(before);
}

/** Both forms of the same create. */
const forms: [string, (maker: SignedIn, parent: string) => Promise<object>][] = [
  ['sealed', async (maker, parent) => (await sealedGroup(maker, { parent })).body],
  [
    'with a master password',
    (maker, parent) =>
      Promise.resolve({ name: 'c', parent_entry_group_id: parent, master_password: maker.masterPassword }),
  ],
  ['plain', (_, parent) => Promise.resolve({ name: 'c', parent_entry_group_id: parent })],
];

describe.each(forms)('below a parent: %s', (_form, bodyFor) => {
  const UNKNOWN = '00000000-0000-4000-8000-000000000000';
  const doesNotExist = {
    status: 422,
    code: 'validation',
    errors: { parent_entry_group_id: ['The parent entry group does not exist.'] },
  };

  test('that is unknown, or not an id', async () => {
    await refused(ada, await bodyFor(ada, UNKNOWN), doesNotExist);
    const errors = { parent_entry_group_id: ['The parent entry group id is not a valid id.'] };
    await refused(ada, { ...(await bodyFor(ada, UNKNOWN)), parent_entry_group_id: 'root' }, { status: 422, errors });
  });

  test('that is in the trash', async () => {
    const { g } = await createSealedPlace(ada);
    await putIntoTrash(app, 'entry_group', g);
    await refused(ada, await bodyFor(ada, g), doesNotExist);
  });

  test('moderators and admins may create', async () => {
    const { g } = await createSealedPlace(ada);
    await refused(bob, await bodyFor(bob, g), { status: 403, code: 'forbidden' });
    await joinGroup(app, g, bob, 'member');
    await refused(bob, await bodyFor(bob, g), { status: 403, code: 'forbidden' });
    await joinGroup(app, g, carol, 'moderator');
    const answer = await carol.request({ path: PATH, json: await bodyFor(carol, g) });
    expect(answer.status, answer.text).toBe(201);
    const { entryGroup, role, admins } = answer.json<{
      entryGroup: { entry_group_id: string; materialized_path: string };
      role: { role: string };
      admins: { user_id: string }[];
    }>();
    expect(entryGroup.materialized_path).toBe(`${g}.${entryGroup.entry_group_id}`);
    expect(role.role).toBe('admin');
    expect(admins.map((admin) => admin.user_id)).toEqual([carol.userId]);
    expect((await ada.request({ path: `${PATH}/${entryGroup.entry_group_id}` })).status).toBe(403);
  });
});

test('groups can be nested 32 deep, and no deeper', async () => {
  let { g } = await createSealedPlace(ada);
  for (let depth = 2; depth <= 32; depth += 1) {
    const { body } = await sealedGroup(ada, { parent: g });
    const { entryGroup } = await ada.call(groups.create, { body });
    g = entryGroup.entry_group_id;
    expect(entryGroup.materialized_path.split('.')).toHaveLength(depth);
  }
  for (const [, bodyFor] of forms) await refused(ada, await bodyFor(ada, g), { status: 409, code: 'conflict' });
});

describe('a repeated create', () => {
  test('gets the same response and is stored once', async () => {
    const { body } = await sealedGroup(ada);
    const first = await ada.request({ path: PATH, json: body });
    expect(first.status).toBe(201);
    const stored = await storedGroups(app);
    const again = await ada.request({ path: PATH, json: body });
    expect([again.status, again.json()]).toEqual([200, first.json()]);
    expect(await storedGroups(app)).toEqual(stored);
  });

  test('with another body, by another person, or in another form: its id is taken', async () => {
    const { body } = await sealedGroup(ada);
    const { entry_group_id } = body;
    await ada.call(groups.create, { body });
    const taken = {
      status: 409,
      code: 'id_taken',
      message: 'The id is in use: this was probably saved already. Reload the page.',
    };
    await refused(ada, { ...body, name: 'Other' }, taken);
    await refused(bob, body, taken);
    await refused(ada, { entry_group_id, name: body.name }, taken);
    await refused(ada, { entry_group_id, name: body.name, master_password: ada.masterPassword }, taken);
  });

  test('with a master password is always a conflict', async () => {
    const json = { entry_group_id: crypto.randomUUID(), name: 'Once', master_password: ada.masterPassword };
    expect((await ada.request({ path: PATH, json })).status).toBe(201);
    await refused(ada, json, { status: 409, code: 'id_taken' });
  });
});
