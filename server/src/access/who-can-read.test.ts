/** The people who can read a group: for its members, and with counts of opened values for its admins. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { entryGroupsWithFields } from '@passwordbroker/core/contract/account/offline';
import * as entries from '@passwordbroker/core/contract/entries/entries';
import * as fields from '@passwordbroker/core/contract/entries/fields';
import { whoCanRead } from '@passwordbroker/core/contract/groups/access';
import { opened } from '@passwordbroker/core/contract/groups/members';
import { utf8 } from '@passwordbroker/core/crypto/bytes';
import { sharing, type Sharing } from '../members/testing/sharing.ts';
import { nextRevision } from '../testing/next-revision.ts';
import { createEntryIn, createSealedPlace, sealedField, type SealedPlace } from '../testing/sealed-place.ts';
import { startTestApp, type SignedIn, type TestApp } from '../testing/test-app.ts';

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
  place = await createSealedPlace(ada, { name: 'Ops', entry: 'Mail' });
  await as.add(ada, place.g, bob, 'moderator');
  await as.add(ada, place.g, eve, 'member');
});
afterAll(() => app.stop());

const put = async (title: string, type: 'note' | 'link' = 'note', at = place) => {
  const body = await sealedField(at, { type, title, value: utf8('value') });
  return (await ada.call(fields.create, { params: at, body })).field_id;
};
const open = (person: SignedIn, f: string) => person.call(fields.envelope, { params: { ...place, f } });
const seen = async (person: SignedIn, entry_id?: string) => {
  const { values, users } = await person.call(whoCanRead, { params: { g: place.g }, query: { entry_id } });
  return [values, users.map(({ user, role, opened: known, in_copies }) => [user.name, role, known, in_copies])];
};

test('by role and name; counts of present values for admins alone, of the group or of one entry', async () => {
  const [first, second] = [await put('first'), await put('second')];
  await put('a link', 'link');
  const other = { ...place, e: await createEntryIn(ada, place.g, 'Other') };
  await put('third', 'note', other);
  await open(bob, first);
  const at = new Date(app.clock.now()).toISOString();
  app.clock.advance(1000);

  const { users } = await ada.call(whoCanRead, { params: { g: place.g } });
  expect(users.map(({ user }) => user.name)).toEqual(['ada', 'bob', 'eve']);
  const since = users[1]?.ways[0]?.since ?? '';
  expect(users[1]).toEqual({
    user: { user_id: bob.userId, name: 'bob' },
    role: 'moderator',
    ways: [{ kind: 'direct', role: 'moderator', since }],
    opened: 1,
    last_opened_at: at,
    in_copies: 0,
  });
  // The admin wrote all three.
  expect(await seen(ada)).toEqual([
    3,
    [
      ['ada', 'admin', 3, 0],
      ['bob', 'moderator', 1, 0],
      ['eve', 'member', 0, 0],
    ],
  ]);
  expect(await seen(ada, other.e)).toEqual([
    1,
    [
      ['ada', 'admin', 1, 0],
      ['bob', 'moderator', 0, 0],
      ['eve', 'member', 0, 0],
    ],
  ]);
  for (const person of [bob, eve]) {
    expect(await seen(person)).toEqual([
      3,
      [
        ['ada', 'admin', null, null],
        ['bob', 'moderator', null, null],
        ['eve', 'member', null, null],
      ],
    ]);
  }

  await eve.call(entryGroupsWithFields, { query: {} });
  app.clock.advance(1000);
  await ada.call(fields.update, {
    params: { ...place, f: second },
    body: await nextRevision(place, { fieldId: second, baseRev: 1 }, { type: 'note', title: 'n', value: utf8('new') }),
  });
  const [, rows] = await seen(ada);
  // The copy has the former value of the changed one.
  expect(rows).toEqual([
    ['ada', 'admin', 3, 0],
    ['bob', 'moderator', 1, 0],
    ['eve', 'member', 2, 2],
  ]);
  const known = await ada.call(opened, { params: { g: place.g, u: eve.userId } });
  expect(known.filter(({ changed }) => !changed)).toHaveLength(2);
});

test('an entry of another group is not found; values that have moved away are not counted', async () => {
  const apart = await createSealedPlace(ada, { name: 'Apart', entry: 'Apart' });
  await expect(seen(ada, apart.e)).rejects.toMatchObject({ code: 'not_found' });
  const [before] = await seen(ada);
  const body = { entries: [place.e], entryGroupTarget: apart.g, master_password: ada.masterPassword };
  await ada.call(entries.moveMany, { params: { g: place.g }, body });
  const [values, users] = await seen(ada);
  expect([before, values, users]).toEqual([
    3,
    1,
    [
      ['ada', 'admin', 1, 0],
      ['bob', 'moderator', 0, 0],
      ['eve', 'member', 1, 1],
    ],
  ]);
});
