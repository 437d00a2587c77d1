/** Creating an entry: title, id, rights (docs/spec/api.md §3.8; T97). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createSealedPlace, sealedGroup } from '../testing/sealed-place.ts';
import { UNMARKED } from '@passwordbroker/core/domain/entry-marks';
import { startTestApp } from '../testing/test-app.ts';
import type { SignedIn, TestApp } from '../testing/test-app.ts';
import { joinGroup } from '../testing/join-group.ts';
import { putIntoTrash } from '../testing/trash.ts';

let app: TestApp;
let ada: SignedIn;
let bob: SignedIn;
let g: string;
let path: string;

const pathOf = (groupId: string) => `/passwordBroker/api/entryGroups/${groupId}/entries`;
const stored = () => app.deps.db.read.selectFrom('entries').selectAll().orderBy('entry_id').execute();

beforeAll(async () => {
  app = await startTestApp();
  ada = await app.signUp('ada');
  bob = await app.signUp('bob');
});
beforeEach(async () => {
  ({ g } = await createSealedPlace(ada));
  path = pathOf(g);
});
afterAll(() => app.stop());

async function refused(client: SignedIn, json: object, expected: object): Promise<void> {
  const before = await stored();
  const answer = await client.request({ path, json });
  expect({ status: answer.status, ...answer.json() }, answer.text).toMatchObject(expected);
  if ('errors' in expected) expect(answer.json()['errors']).toEqual(expected.errors);
  expect(await stored()).toEqual(before);
}

describe('the title', () => {
  test.each([
    ['is stored unchanged', 'PostgreSQL ☂ primary', 'PostgreSQL ☂ primary'],
    ['is trimmed', ' \t Mail \n', 'Mail'],
    ['of 255 characters', 'x'.repeat(255), 'x'.repeat(255)],
    ['of 255 characters between blanks', ` ${'x'.repeat(255)} `, 'x'.repeat(255)],
    ['that looks like a number', '007', '007'],
    ['that looks like markup', '<b>&amp;\'"', '<b>&amp;\'"'],
  ])('%s', async (_, title, kept) => {
    for (const sent of [{ json: { title } }, { form: { title } }]) {
      const answer = await ada.request({ path, ...sent });
      expect(answer.status, answer.text).toBe(201);
      const { entry_id } = answer.json<{ entry_id: string }>();
      const time = new Date(app.clock.now()).toISOString();
      const entry = { entry_id, entry_group_id: g, title: kept, ...UNMARKED, created_at: time, updated_at: time };
      expect(answer.json()).toEqual(entry);
      expect((await ada.request({ path: `${path}/${entry_id}` })).json()).toEqual(entry);
    }
  });

  test.each<[string, unknown, string]>([
    ['absent', undefined, 'The title is required.'],
    ['null', null, 'The title is required.'],
    ['empty', '', 'The title is required.'],
    ['blank', ' \t\n', 'The title is required.'],
    ['of 256 characters', 'x'.repeat(256), 'The title is too long (at most 255 characters).'],
    ['a number', 7, 'The title must be a text.'],
    ['yes', true, 'The title must be a text.'],
    ['a list', ['x'], 'The title must be a text.'],
    ['an object', { x: 1 }, 'The title must be a text.'],
    ['with a NUL', 'a\0b', 'The title is malformed.'],
    ['with half a surrogate pair', 'a\ud800', 'The title is malformed.'],
  ])('is refused when it is %s', async (_, title, text) => {
    await refused(ada, { title }, { status: 422, code: 'validation', message: text, errors: { title: [text] } });
  });

  test('can be the title of another entry', async () => {
    for (let at = 0; at < 2; at += 1) expect((await ada.request({ path, json: { title: 'Twice' } })).status).toBe(201);
  });
});

describe('a given id', () => {
  test('is kept in lower case, with any UUID version', async () => {
    for (const id of [crypto.randomUUID().toUpperCase(), '00000000-0000-1000-8000-000000000001']) {
      const answer = await ada.request({ path, json: { title: 'x', entry_id: id } });
      expect([answer.status, answer.json()['entry_id']]).toEqual([201, id.toLowerCase()]);
    }
  });

  test.each(['', null])('of %j is ignored', async (entry_id) => {
    const answer = await ada.request({ path, json: { title: 'x', entry_id } });
    expect([answer.status, String(answer.json()['entry_id'])]).toEqual([201, expect.stringMatching(/^[0-9a-f-]{14}7/)]);
  });

  test.each([7, 'x', '{00000000-0000-4000-8000-000000000000}', ['x']])('of %j is refused', async (entry_id) => {
    const errors = { entry_id: ['The entry id is not a valid id.'] };
    await refused(ada, { title: 'x', entry_id }, { status: 422, code: 'validation', errors });
  });

  test('sent again gets the same response and is stored once; with other content it is taken (T97)', async () => {
    const json = { title: 'Once', entry_id: crypto.randomUUID() };
    const first = await ada.request({ path, json });
    const rows = await stored();
    app.clock.advance(1000);
    const again = await ada.request({ path, json });
    expect([again.status, again.json()]).toEqual([200, first.json()]);
    expect(await stored()).toEqual(rows);

    const taken = {
      status: 409,
      code: 'id_taken',
      message: 'The id is in use: this was probably saved already. Reload the page.',
    };
    await refused(ada, { ...json, title: 'Other' }, taken);
    await joinGroup(app, g, bob, 'moderator');
    await refused(bob, json, taken);
    path = pathOf((await createSealedPlace(ada)).g);
    await refused(ada, json, taken);
  });

  test('of an entry in the trash is taken', async () => {
    const json = { title: 'Once', entry_id: crypto.randomUUID() };
    expect((await ada.request({ path, json })).status).toBe(201);
    await putIntoTrash(app, 'entry', json.entry_id);
    await refused(ada, json, { status: 409, code: 'id_taken' });
  });
});

test('members that only the server sets are not stored (T37)', async () => {
  const { g: other } = await createSealedPlace(ada);
  const more = { entry_group_id: other, created_by: bob.userId, created_at: 0, updated_at: 0, trashed_by: 'x' };
  const answer = await ada.request({ path, json: { title: 'x', ...more } });
  const { entry_id } = answer.json<{ entry_id: string }>();
  const row = (await stored()).find((one) => one.entry_id === entry_id);
  const now = app.clock.now();
  expect(row).toMatchObject({
    entry_group_id: g,
    created_by: ada.userId,
    created_at: now,
    updated_at: now,
    trashed_by: null,
  });
});

describe('rights', () => {
  test.each([
    ['a person outside may not', null, 403],
    ['a member may not', 'member', 403],
    ['a moderator may', 'moderator', 201],
    ['an admin may', 'admin', 201],
  ] as const)('%s', async (_, role, status) => {
    if (role !== null) await joinGroup(app, g, bob, role);
    expect((await bob.request({ path, json: { title: 'x' } })).status).toBe(status);
    // Rights are checked before the body.
    expect((await bob.request({ path, json: {} })).status).toBe(status === 201 ? 422 : status);
  });

  test('a group that is in the trash or unknown is not found', async () => {
    await putIntoTrash(app, 'entry_group', g);
    await refused(ada, { title: 'x' }, { status: 404, code: 'not_found' });
    path = pathOf((await sealedGroup(ada)).body.entry_group_id);
    await refused(ada, { title: 'x' }, { status: 404, code: 'not_found' });
  });
});
