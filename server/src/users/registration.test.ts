import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import * as session from '@passwordbroker/core/contract/account/session';
import * as site from '@passwordbroker/core/contract/site/site';
import * as users from '@passwordbroker/core/contract/users/users';
import { unlock } from '@passwordbroker/core/domain/keyring/keyring';
import { startSecondIfPossible } from '../testing/second-instance.ts';
import { signUpBody, startTestApp } from '../testing/test-app.ts';
import type { TestApp } from '../testing/test-app.ts';
import type { TestAnswer, TestClient } from '../testing/test-client.ts';
import { TEST_KDF, testPerson } from '../testing/test-person.ts';
import { makeSetupToken } from './setup-token.ts';

const PATH = '/identity/api/registration';
const MASTER = 'the master password';

let app: TestApp;
beforeEach(async () => {
  app = await startTestApp();
});
afterEach(() => app.stop());

const plainUser = (name: string, over: Record<string, unknown> = {}) => ({
  username: name,
  email: `${name}@example.org`,
  password: `${name} password`,
  password_confirmation: `${name} password`,
  master_password: MASTER,
  master_password_confirmation: MASTER,
  ...over,
});
const register = (client: TestClient, user: unknown, more: Record<string, unknown> = {}) =>
  client.request({ path: PATH, json: { user, ...more } });
const errorsOf = (answer: TestAnswer) => answer.json()['errors'];

async function everything() {
  const { read } = app.deps.db;
  const tables = ['users', 'user_key_slots', 'user_keysets', 'user_certificates', 'sessions', 'audit_log'] as const;
  return Promise.all(tables.map((table) => read.selectFrom(table).selectAll().execute()));
}

/** Fields with names as in forms; `null` becomes ''. */
function bracketed(name: string, value: unknown): [string, string][] {
  if (value === null) return [[name, '']];
  if (typeof value !== 'object') return [[name, typeof value === 'string' ? value : JSON.stringify(value)]];
  return Object.entries(value).flatMap(([member, inner]) => bracketed(`${name}[${member}]`, inner));
}

describe('the first user', () => {
  test('in the plain form: site admin, signed in, with keys made by the server that only the master password opens', async () => {
    const client = app.guest();
    expect(await client.call(session.me)).toEqual({ message: 'firstUser', user: null, session_id: null });
    const answer = await register(client, plainUser('Ada'));
    expect(answer.status).toBe(201);
    const user = answer.json<{ user_id: string }>();
    expect(user).toEqual({
      user_id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      name: 'Ada',
      email: 'Ada@example.org',
      is_admin: true,
      has_keys: true,
      must_rekey: false,
      mp_exposed_at: '2026-03-01T09:30:00.000Z',
      server_crypto_opt_out: false,
      created_at: '2026-03-01T09:30:00.000Z',
      updated_at: '2026-03-01T09:30:00.000Z',
    });
    expect((await client.call(session.me)).user?.user_id).toBe(user.user_id);
    const { keyset, certificate, ...bundle } = await client.call(users.keyBundle);
    if (keyset === null || certificate === null) throw new Error('no keys');
    const keyring = await unlock({ bundle: { ...bundle, keyset, certificate }, masterPassword: MASTER, kdf: TEST_KDF });
    expect(keyring.userId).toBe(user.user_id);
    const wrong = unlock({ bundle: { ...bundle, keyset, certificate }, masterPassword: 'no', kdf: TEST_KDF });
    await expect(wrong).rejects.toMatchObject({ code: 'commit' });
  });

  test('in a urlencoded form', async () => {
    const pairs = Object.entries(plainUser('ada')).map(([name, value]) => [`user[${name}]`, String(value)] as const);
    const answer = await app.guest().request({ path: PATH, form: Object.fromEntries(pairs) });
    expect(answer.status).toBe(201);
  });

  test('in the sealed form: the server never sees the master password', async () => {
    const ada = await app.signUp('ada');
    const { user } = await ada.call(session.me);
    expect(user).toMatchObject({ user_id: ada.userId, is_admin: true, must_rekey: false, mp_exposed_at: null });
    const bundle = await ada.call(users.keyBundle);
    expect(bundle).toMatchObject({
      user_id: ada.userId,
      keyset: ada.bundle.keyset,
      certificate: { ...ada.bundle.certificate, fpr: ada.keyring.fingerprint },
      slots: [{ ...ada.bundle.slots[0], version: 1 }],
      documents: [{ ...ada.documents[0], version: 1 }],
    });
    const { certificate, previous } = await ada.call(users.certificates, { params: { id: ada.userId } });
    expect([certificate, previous]).toEqual([bundle.certificate, []]);
  });

  test('in the sealed form as a urlencoded form, and with the keys as a JSON part', async () => {
    const [ada, bob] = [signUpBody(await testPerson('ada')), signUpBody(await testPerson('bob'))];
    const client = app.guest();
    const form = new URLSearchParams(bracketed('user', ada));
    expect((await client.request({ path: PATH, form: form.toString() })).status).toBe(201);
    const { key_bundle, ...person } = bob;
    const multipart = new FormData();
    for (const [name, value] of bracketed('user', person)) multipart.append(name, value);
    multipart.append('user[key_bundle]', new Blob([JSON.stringify(key_bundle)], { type: 'application/json' }));
    expect((await client.request({ path: PATH, multipart })).status).toBe(201);
  });

  test('20 concurrent sign-ups: one 201, the others 401; one user, one site admin (T25)', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => register(app.guest(), plainUser(n % 2 === 0 ? 'same' : `user${n}`))),
    );
    expect(answers.filter((answer) => answer.status === 201)).toHaveLength(1);
    expect(answers.filter((answer) => answer.status === 401)).toHaveLength(19);
    const [people, slots, , certificates, sessions] = await everything();
    expect([people?.length, slots?.length, certificates?.length, sessions?.length]).toEqual([1, 1, 1, 1]);
  });

  test('20 concurrent sign-ups in the sealed form', async () => {
    const people = await Promise.all(['ada', 'bob', 'carol'].map((name) => testPerson(name)));
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => register(app.guest(), signUpBody(people[n % 3] ?? people[0]!))),
    );
    expect(answers.filter((answer) => answer.status === 201)).toHaveLength(1);
    expect(answers.filter((answer) => answer.status === 401)).toHaveLength(19);
  });

  test('a configured setup token is required, in the body or in a header (T107)', async () => {
    const guarded = await startTestApp({ environment: { SETUP_TOKEN: 'open sesame' } });
    const ada = signUpBody(await testPerson('ada'));
    const setup = async () => (await guarded.guest().request({ path: '/system/api/setup' })).json();
    expect(await setup()).toMatchObject({ initialised: false, setup_token_required: true });
    for (const more of [{}, { setup_token: 'wrong' }]) {
      const answer = await register(guarded.guest(), ada, more);
      expect([answer.status, answer.json()['code'], answer.json()['message']]).toEqual([
        403,
        'setup_token_invalid',
        'The setup token is missing or wrong',
      ]);
    }
    // Checked first: without the token the response reveals no other errors.
    expect((await register(guarded.guest(), {}, { setup_token: 'wrong' })).status).toBe(403);
    const json = { user: ada };
    const answer = await guarded.guest().request({ path: PATH, json, headers: { 'x-setup-token': 'open sesame' } });
    expect(answer.status).toBe(201);
    expect(await setup()).toMatchObject({ initialised: true, setup_token_required: false });
    await guarded.stop();
  });

  test('every instance accepts the setup token of another one; only the newest token is valid (T154)', async () => {
    const open = await startTestApp({ environment: { HOST: '0.0.0.0' } });
    const ada = signUpBody(await testPerson('ada'));
    const second = await startSecondIfPossible(open);
    const elsewhere = { ...(second?.deps ?? open.deps), config: open.deps.config };
    const [first, newest] = [await makeSetupToken(elsewhere), await makeSetupToken(elsewhere)];
    expect([first, newest]).toEqual([expect.stringMatching(/^[\w-]{22}$/), expect.stringMatching(/^[\w-]{22}$/)]);
    const stored = await open.deps.db.read.selectFrom('site_settings').selectAll().execute();
    expect(JSON.stringify(stored)).not.toContain(newest);
    for (const setup_token of [undefined, '', first])
      expect((await register(open.guest(), ada, { setup_token })).status).toBe(403);
    expect((await register(open.guest(), ada, { setup_token: newest })).status).toBe(201);
    expect(await makeSetupToken(elsewhere)).toBeNull();
    await second?.stop();
    await open.stop();
  });

  test('after 20 wrong setup tokens from one address even the right one is refused', async () => {
    const guarded = await startTestApp({ environment: { SETUP_TOKEN: 'open sesame' } });
    const client = guarded.guest();
    const ada = signUpBody(await testPerson('ada'));
    for (let n = 0; n < 20; n += 1) expect((await register(client, ada, { setup_token: `${n}` })).status).toBe(403);
    expect((await register(client, ada, { setup_token: 'open sesame' })).status).toBe(429);
    await guarded.stop();
  });
});

describe('texts of the specification', () => {
  test('everything empty', async () => {
    const empty = {
      'user.name': ['User Name is empty'],
      'user.email': ['Incorrect email'],
      'user.password': ['Password is empty'],
      'user.master_password': ['Master Password is empty'],
    };
    for (const user of [{}, { username: ' ', email: '', password: '', master_password: '' }]) {
      const answer = await register(app.guest(), user);
      expect([answer.status, answer.json()['code'], answer.json()['message']]).toEqual([
        422,
        'validation',
        'User Name is empty',
      ]);
      expect(errorsOf(answer)).toEqual(empty);
    }
    expect(errorsOf(await app.guest().request({ path: PATH, json: {} }))).toEqual(empty);
  });

  test('wrong confirmations and a wrong address', async () => {
    const user = plainUser('ada', { email: 'nobody', password_confirmation: 'x', master_password_confirmation: 'y' });
    expect(errorsOf(await register(app.guest(), user))).toEqual({
      'user.email': ['Incorrect email'],
      'user.password_confirmation': ['Password Confirmation mismatch to Password'],
      'user.master_password_confirmation': ['Master Password Confirmation mismatch to Master Password'],
    });
    const without = plainUser('ada', { password_confirmation: null, master_password_confirmation: null });
    expect(Object.keys(errorsOf(await register(app.guest(), without)) as object)).toEqual([
      'user.password_confirmation',
      'user.master_password_confirmation',
    ]);
  });

  const MISMATCH = 'Password Confirmation mismatch to Password';
  /** Invalid inputs with their error, independent of other errors. */
  const FAULTS: readonly (readonly [object, string, string])[] = [
    [{ username: ' ' }, 'user.name', 'User Name is empty'],
    [{ username: 'ADA' }, 'user.name', 'This user name is already taken'],
    [{ username: 'a\0' }, 'user.name', 'The username is malformed.'],
    [{ email: 'nobody' }, 'user.email', 'Incorrect email'],
    [{ email: 'Ada@EXAMPLE.org' }, 'user.email', 'This email is already taken'],
    [{ email: 7 }, 'user.email', 'The email must be a text.'],
    [{ password: '', password_confirmation: '' }, 'user.password', 'Password is empty'],
    [{ password_confirmation: 'other' }, 'user.password_confirmation', MISMATCH],
    [{ master_password: '', master_password_confirmation: '' }, 'user.master_password', 'Master Password is empty'],
    [
      { master_password: 'ä'.repeat(513), master_password_confirmation: 'ä'.repeat(513) },
      'user.master_password',
      'The master password is too long (at most 1024 characters).',
    ],
    [
      { master_password_confirmation: 'other' },
      'user.master_password_confirmation',
      'Master Password Confirmation mismatch to Master Password',
    ],
  ];

  test('all errors of all fields are listed in one answer, in any combination', async () => {
    const ada = await app.signUp('ada');
    const before = await everything();
    for (const [at, [one, key, text]] of FAULTS.entries()) {
      for (const [other, otherKey, otherText] of FAULTS.slice(at + 1)) {
        if (Object.keys(one).some((member) => member in other)) continue;
        const answer = await register(ada, plainUser('bob', { ...one, ...other }));
        expect([answer.status, errorsOf(answer)], text).toEqual([422, { [key]: [text], [otherKey]: [otherText] }]);
      }
    }
    expect(await everything()).toEqual(before);
  });

  test('under the policy strict, weak passwords are listed beside missing fields', async () => {
    const ada = await app.signUp('ada');
    await ada.call(site.changeSettings, { body: { password_policy: 'strict' } });
    const weak = { password: 'short', password_confirmation: 'short' };
    const master = { master_password: 'brief', master_password_confirmation: 'brief' };
    expect(errorsOf(await register(ada, plainUser('bob', { username: '', ...weak, ...master })))).toEqual({
      'user.name': ['User Name is empty'],
      'user.password': ['The password must have at least 12 characters'],
      'user.master_password': ['The password must have at least 12 characters'],
    });
  });

  test('in the sealed form malformed keys do not hide other errors', async () => {
    const ada = await app.signUp('ada');
    const bob = signUpBody(await testPerson('bob'));
    const user = {
      ...bob,
      email: 'ada@example.org',
      password_confirmation: 'other',
      key_bundle: { ...bob.key_bundle, slots: [] },
    };
    const answer = await register(ada, user);
    expect([answer.status, answer.json()['code']]).toEqual([422, 'validation']);
    expect(Object.keys(errorsOf(answer) as object).toSorted()).toEqual([
      'user.email',
      'user.key_bundle.slots',
      'user.password_confirmation',
    ]);
  });

  test('taken names and addresses, in any case', async () => {
    const ada = await app.signUp('ada');
    const answer = await register(ada, plainUser('ADA', { email: 'Ada@EXAMPLE.org' }));
    expect(answer.status).toBe(422);
    expect(errorsOf(answer)).toEqual({
      'user.name': ['This user name is already taken'],
      'user.email': ['This email is already taken'],
    });
  });

  test('the same new user twice at the same time: one 201, one 422', async () => {
    const ada = await app.signUp('ada');
    const answers = await Promise.all([register(ada, plainUser('bob')), register(ada, plainUser('bob'))]);
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([201, 422]));
  });

  test('lengths', async () => {
    const long = plainUser('ada', { username: 'x'.repeat(101), email: `${'x'.repeat(250)}@example.org` });
    expect(errorsOf(await register(app.guest(), long))).toEqual({
      'user.name': ['The username is too long (at most 100 characters).'],
      'user.email': ['The email is too long (at most 254 characters).'],
    });
    const huge = 'ä'.repeat(513);
    const passwords = {
      password: huge,
      password_confirmation: huge,
      master_password: huge,
      master_password_confirmation: huge,
    };
    expect(Object.keys(errorsOf(await register(app.guest(), plainUser('ada', passwords))) as object)).toEqual([
      'user.password',
      'user.master_password',
    ]);
  });
});

describe('later users', () => {
  test('only a site admin may create them: no session 401, others 403 (T26)', async () => {
    const ada = await app.signUp('ada');
    const bob = await app.signUp('bob');
    const before = await everything();
    expect((await register(app.guest(), plainUser('carol'))).status).toBe(401);
    expect((await app.guest().request({ path: PATH, json: {}, withoutCsrf: true })).status).toBe(401);
    expect((await bob.request({ path: PATH, json: {}, withoutCsrf: true })).status).toBe(419);
    const refused = await register(bob, plainUser('carol'));
    expect([refused.status, refused.json()['code']]).toEqual([403, 'forbidden']);
    const after = await everything();
    expect(after.slice(0, 5)).toEqual(before.slice(0, 5));
    expect(after[5]?.at(-1)).toMatchObject({ event_type: 'access_refused', user_id: bob.userId });
    expect((await register(ada, plainUser('carol'))).status).toBe(201);
  });

  test('the admin keeps the session; the new user is not an admin and must make new keys', async () => {
    const ada = await app.signUp('ada');
    const { session_id } = await ada.call(session.me);
    const answer = await register(ada, plainUser('bob'));
    expect(answer.json()).toMatchObject({ name: 'bob', is_admin: false, must_rekey: true });
    expect(await ada.call(session.me)).toMatchObject({ session_id, user: { user_id: ada.userId } });
    await app.guest().call(session.login, { body: { email: 'bob@example.org', password: 'bob password' } });
  });

  test('members that only the server sets are not stored (T27)', async () => {
    const ada = await app.signUp('ada');
    const extra = {
      is_admin: true,
      epoch: 99,
      created_at: '1999-01-01T00:00:00.000Z',
      first_user: 1,
      user_id: ada.userId,
    };
    const answer = await register(ada, plainUser('bob', extra));
    expect(answer.json()).toMatchObject({ is_admin: false, created_at: '2026-03-01T09:30:00.000Z' });
    expect(answer.json()['user_id']).not.toBe(ada.userId);
    const rows = await app.deps.db.read
      .selectFrom('users')
      .select(['epoch', 'first_user'])
      .orderBy('created_at')
      .execute();
    expect(rows).toEqual([
      { epoch: 1, first_user: 1 },
      { epoch: 1, first_user: null },
    ]);
  });

  test('a taken id is 409', async () => {
    const ada = await app.signUp('ada');
    const again = { ...signUpBody(ada), username: 'other', email: 'other@example.org' };
    const answer = await register(ada, again);
    expect([answer.status, answer.json()['code']]).toEqual([409, 'id_taken']);
  });

  test('upper-case ids name the same person (T70)', async () => {
    const ada = await app.signUp('ada');
    const { certificate } = await ada.call(users.certificates, { params: { id: ada.userId.toUpperCase() } });
    expect(certificate.user_id).toBe(ada.userId);
  });
});

test('with SERVER_CRYPTO=off the plain form is refused before anything else, the sealed form works (T73)', async () => {
  const off = await startTestApp({ environment: { SERVER_CRYPTO: 'off' } });
  const answer = await register(off.guest(), {});
  expect([answer.status, answer.json()['code']]).toEqual([403, 'server_crypto_disabled']);
  await off.signUp('ada');
  await off.stop();
});
