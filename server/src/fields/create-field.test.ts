/**
 * Creating a field of each of the five types: its own members, their limits, repeats
 * (docs/spec/api.md §3.9; T37, T97).
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as fields from '@passwordbroker/core/contract/entries/fields';
import { utf8 } from '@passwordbroker/core/crypto/bytes';
import { LIMITS } from '@passwordbroker/core/domain/limits';
import type { FieldContent } from '@passwordbroker/core/domain/fields/payload';
import { joinGroup } from '../testing/join-group.ts';
import { createSealedPlace, sealedField, sealedFileField } from '../testing/sealed-place.ts';
import type { SealedPlace } from '../testing/sealed-place.ts';
import { startTestApp } from '../testing/test-app.ts';
import type { SignedIn, TestApp } from '../testing/test-app.ts';
import { expectRefusal, invalid } from './testing/refusal.ts';

let app: TestApp;
let ada: SignedIn;
let bob: SignedIn;
let place: SealedPlace;
let path: string;

beforeAll(async () => {
  app = await startTestApp();
  ada = await app.signUp('ada');
  bob = await app.signUp('bob');
  place = await createSealedPlace(ada);
  path = `/passwordBroker/api/entryGroups/${place.g}/entries/${place.e}/fields`;
});
afterAll(() => app.stop());

type Members = Readonly<Record<string, unknown>>;
const COLUMNS = {
  login: 'l',
  totp_hash_algorithm: 'sha512',
  totp_timeout: 45,
  file_name: 'n',
  file_mime: 'm',
  file_size: 3,
};

/** A sealed body with the columns of every type. */
async function sealed(type: 'password' | 'TOTP' | 'link' | 'note', more: Members = {}): Promise<Members> {
  const value = utf8('JBSWY3DP');
  const common = { title: 't', value };
  const content: FieldContent =
    type === 'password'
      ? { ...common, type, login: 'l' }
      : type === 'TOTP'
        ? { ...common, type, totp: { algorithm: 'sha512', period: 45 } }
        : { ...common, type };
  return { ...(await sealedField(place, content)), ...COLUMNS, ...more };
}
const make = (json: Members) => ada.request({ path, json });

describe('a field shows only the members of its type', () => {
  const own = {
    password: { login: 'l' },
    TOTP: { totp_hash_algorithm: 'sha512', totp_timeout: 45 },
    link: {},
    note: {},
  };
  test.each(['password', 'TOTP', 'link', 'note'] as const)('%s', async (type) => {
    const body = await sealed(type);
    const answer = await make(body);
    expect(answer.status, answer.text).toBe(201);
    const [user, time] = [{ user_id: ada.userId, name: 'ada' }, new Date(app.clock.now()).toISOString()];
    const field = {
      field_id: body['field_id'],
      entry_id: place.e,
      type,
      title: 't',
      ...own[type],
      rev: 1,
      gk_version: 1,
      crypto_profile: 'pb1',
      created_by: user,
      updated_by: user,
      created_at: time,
      updated_at: time,
    };
    expect(answer.json()).toEqual(field);
    expect((await ada.request({ path: `${path}/${String(field.field_id)}` })).json()).toEqual(field);
    const [born, ...later] = await ada.call(fields.history, { params: { ...place, f: String(field.field_id) } });
    expect(later).toEqual([]);
    expect(born).toMatchObject({ event_type: 'created', rev: 1, has_value: true, title: 't', user, created_at: time });
  });
});

const long = (label: string, max: number) => `The ${label} is too long (at most ${max} characters).`;
const ALGORITHMS = 'The totp hash algorithm must be one of: sha1, sha256, sha512.';
const PERIOD = 'The totp timeout must be between 1 and 10000.';
const cases: [string, 'password' | 'TOTP' | 'note', Members, Record<string, string>][] = [
  ['a title of 256 characters', 'note', { title: 'x'.repeat(256) }, { title: long('title', 255) }],
  ['a title that is not text', 'note', { title: 7 }, { title: 'The title must be a text.' }],
  ['a title with a NUL', 'note', { title: 'a\0' }, { title: 'The title is malformed.' }],
  ['a login of 1025 characters', 'password', { login: 'x'.repeat(1025) }, { login: long('login', 1024) }],
  ['a login that is not text', 'password', { login: ['x'] }, { login: 'The login must be a text.' }],
  ['an unknown algorithm', 'TOTP', { totp_hash_algorithm: 'md5' }, { totp_hash_algorithm: ALGORITHMS }],
  ['an algorithm in upper case', 'TOTP', { totp_hash_algorithm: 'SHA1' }, { totp_hash_algorithm: ALGORITHMS }],
  ['a period of zero', 'TOTP', { totp_timeout: 0 }, { totp_timeout: PERIOD }],
  ['a period that is too long', 'TOTP', { totp_timeout: 10_001 }, { totp_timeout: PERIOD }],
  ['a fractional period', 'TOTP', { totp_timeout: 1.5 }, { totp_timeout: 'The totp timeout must be a whole number.' }],
  ['a period in words', 'TOTP', { totp_timeout: 'long' }, { totp_timeout: 'The totp timeout must be a whole number.' }],
  [
    'two errors at once',
    'TOTP',
    { title: 7, totp_timeout: 0 },
    { title: 'The title must be a text.', totp_timeout: PERIOD },
  ],
];

describe('errors are exact, and nothing is stored', () => {
  test.each(cases)('%s, sealed', async (_, type, members, errors) => {
    const body = await sealed(type, members);
    await expectRefusal(app, () => make(body), invalid(errors));
  });

  test.each(cases)('%s, with a master password', async (_, type, members, errors) => {
    const body = { type, value: 'JBSWY3DP', master_password: ada.masterPassword, ...members };
    await expectRefusal(app, () => make(body), invalid(errors));
  });

  test.each<[string, Members, Record<string, string>]>([
    ['a value that is not text', { value: 7 }, { value: 'The value must be a text.' }],
    ['a value with half a surrogate pair', { value: '\udc00' }, { value: 'The value is malformed.' }],
    [
      'a value of 1 MiB and a byte',
      { value: 'x'.repeat(LIMITS.valueBytes + 1) },
      { value: long('value', LIMITS.valueBytes) },
    ],
    ['a malformed id', { field_id: 'x' }, { field_id: 'The field id is not a valid id.' }],
  ])('%s', async (_, members, errors) => {
    const body = { type: 'note', value: 'x', master_password: ada.masterPassword, ...members };
    await expectRefusal(app, () => make(body), invalid(errors));
  });
});

test.each([
  ['a title of 255 characters', 'note', { title: 'x'.repeat(255) }],
  ['an empty title', 'note', { title: '' }],
  ['a login of 1024 characters with blanks', 'password', { login: ` ${'x'.repeat(1022)} ` }],
  ['the shortest period', 'TOTP', { totp_timeout: 1 }],
  ['the longest period', 'TOTP', { totp_timeout: 10_000 }],
] as const)('%s is stored unchanged, in both forms', async (_, type, members) => {
  const plain = { type, value: 'JBSWY3DP', master_password: ada.masterPassword, ...members };
  for (const body of [await sealed(type, members), plain]) {
    const answer = await make(body);
    expect(answer.status, answer.text).toBe(201);
    expect(answer.json()).toMatchObject(members);
  }
});

test('blanks around a title are removed, in both forms', async () => {
  const plain = { type: 'note', value: 'x', master_password: ada.masterPassword, title: '  t ' };
  for (const body of [await sealed('note', { title: '  t ' }), plain]) {
    expect((await make(body)).json()).toMatchObject({ title: 't' });
  }
});

describe('a repeated create (T97)', () => {
  test('gets the same response and is stored once; with other content its id is taken', async () => {
    const body = await sealed('password');
    const first = await make(body);
    const again = await make(body);
    expect([first.status, again.status, again.json()]).toEqual([201, 200, first.json()]);
    const taken = { status: 409, code: 'id_taken' };
    await expectRefusal(app, () => make({ ...body, title: 'other' }), taken);
    await expectRefusal(app, () => make({ ...body, type: 'note' }), taken);
    await joinGroup(app, place.g, bob, 'moderator');
    await expectRefusal(app, () => bob.request({ path, json: body }), taken);
  });

  test('a file with the same bytes is a repeat, one with other bytes is not', async () => {
    const send = ({ members, body }: Awaited<ReturnType<typeof sealedFileField>>) => {
      const multipart = new FormData();
      for (const [name, value] of Object.entries(members)) multipart.append(name, String(value));
      multipart.append('file', new Blob([body]), 'sealed');
      return ada.request({ path, multipart });
    };
    const made = await sealedFileField(place);
    const [first, again] = [await send(made), await send(made)];
    expect([first.status, again.status, again.json()]).toEqual([201, 200, first.json()]);
    const other = made.body.with(50, (made.body[50] ?? 0) ^ 1);
    await expectRefusal(app, () => send({ ...made, body: other }), { status: 409, code: 'id_taken' });
  });
});

test('members that only the server sets are not stored (T37)', async () => {
  const more = { entry_id: place.g, created_by: bob.userId, updated_at: 0, trashed_by: 'x', author_sig: 'AAAA' };
  const answer = await make(await sealed('note', more));
  expect(answer.json()).toMatchObject({ entry_id: place.e, created_by: { name: 'ada' } });
  const row = await app.deps.db.read
    .selectFrom('field_revisions')
    .selectAll()
    .where('field_id', '=', String(answer.json()['field_id']))
    .executeTakeFirstOrThrow();
  expect(row).toMatchObject({ author_sig: null, login: null, totp_timeout: null, file_name: null, file_size: null });
});
