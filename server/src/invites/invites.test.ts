import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import * as invites from '@passwordbroker/core/contract/users/invites';
import * as site from '@passwordbroker/core/contract/site/site';
import * as session from '@passwordbroker/core/contract/account/session';
import { register } from '@passwordbroker/core/contract/users/users';
import { unlock } from '@passwordbroker/core/domain/keyring/keyring';
import { sha256 } from '../platform/ids-and-digests.ts';
import { signUpBody, startTestApp } from '../testing/test-app.ts';
import type { SignedIn, TestApp } from '../testing/test-app.ts';
import { HOUR, MINUTE } from '../testing/test-clock.ts';
import { TEST_KDF, testPerson } from '../testing/test-person.ts';
import { readKeyBundle } from '../users/keys/key-repository.ts';

const DAY = 24 * HOUR;
const NOT_VALID = { code: 'not_found', message: 'This invitation is no longer valid' };

let app: TestApp;
let ada: SignedIn;
beforeEach(async () => {
  app = await startTestApp({ environment: { PUBLIC_URL: 'https://vault.example.org', TRUST_PROXY: 'none' } });
  ada = await app.signUp('ada');
});
afterEach(() => app.stop());

const invite = (email: string, username?: string | null, headers: Record<string, string> = {}) =>
  ada.call(invites.create, { body: { user: { email, username } }, headers });
const tokenOf = ({ inviteLinkUrl }: { inviteLinkUrl: string }) => inviteLinkUrl.split('/').at(-1) ?? '';
const read = (token: string) => app.guest().call(invites.read, { params: { token } });
const accept = async (token: string, name: string, more: object = {}) => {
  const client = app.guest();
  const user = await client.call(invites.accept, {
    params: { token },
    body: { user: { ...signUpBody(await testPerson(name)), ...more } },
  });
  return { client, user };
};
const stateOf = async (email: string) =>
  (await ada.call(invites.listAll)).data.filter((row) => row.email === email).map(({ state }) => state);
const events = async () =>
  (
    await app.deps.db.read
      .selectFrom('audit_log')
      .select(['event_type', 'login', 'user_id'])
      .where('target_type', '=', 'invite')
      .orderBy('audit_id')
      .execute()
  ).map(({ event_type, login }) => [event_type, login]);

test('an invitation is a link on the public URL, returned once and stored as a hash (T65, T29)', async () => {
  const answer = await invite(' Bob@example.org ', 'bob', { host: 'evil.example', 'x-forwarded-host': 'evil.example' });
  expect(answer.inviteLinkUrl).toMatch(/^https:\/\/vault\.example\.org\/identity\/invite\/[\w-]{43}$/);
  expect(answer).toMatchObject({
    mail_sent: false,
    invite: {
      email: 'Bob@example.org',
      username: 'bob',
      state: 'open',
      invited_by: { user_id: ada.userId, name: 'ada' },
      created_at: new Date(app.clock.now()).toISOString(),
      expires_at: new Date(app.clock.now() + 7 * DAY).toISOString(),
    },
  });
  const token = tokenOf(answer);
  expect(await read(token)).toEqual({
    name: 'bob',
    email: 'Bob@example.org',
    expires_at: new Date(app.clock.now() + 7 * DAY).toISOString(),
    with_password: true,
  });
  expect((await ada.call(invites.listAll)).data).toEqual([answer.invite]);
  const rows = await app.deps.db.read.selectFrom('invites').selectAll().execute();
  expect(rows.map(({ token_hash }) => token_hash)).toEqual([sha256(Buffer.from(token))]);
  expect(JSON.stringify(rows) + app.log.join('')).not.toContain(token);
});

test('accepting creates the intended account, signs it in, and needs no new keys; it cannot make itself admin (T27)', async () => {
  const token = tokenOf(await invite('bob@example.org', 'bob'));
  const { client, user } = await accept(token, 'bob', {
    email: undefined,
    is_admin: true,
    epoch: 99,
    created_at: '1999-01-01T00:00:00.000Z',
  });
  expect(user.created_at).toBe(new Date(app.clock.now()).toISOString());
  expect(user).toMatchObject({
    name: 'bob',
    email: 'bob@example.org',
    is_admin: false,
    must_rekey: false,
    mp_exposed_at: null,
  });
  expect(await client.call(session.me)).toMatchObject({ message: 'loggedIn', user: { name: 'bob' } });
  await expect(read(token)).rejects.toMatchObject(NOT_VALID);
  await expect(accept(token, 'carol')).rejects.toMatchObject(NOT_VALID);
  expect(await stateOf('bob@example.org')).toEqual(['accepted']);
  expect(await events()).toEqual([
    ['invite_created', 'ada@example.org'],
    ['invite_accepted', 'bob@example.org'],
  ]);
});

test('the plain form: the server makes the keys, with the chosen master password', async () => {
  const token = tokenOf(await invite('bob@example.org'));
  expect(await read(token)).toMatchObject({ name: null });
  const secrets = {
    password: 'pw',
    password_confirmation: 'pw',
    master_password: 'mp',
    master_password_confirmation: 'mp',
  };
  const answer = await app.guest().request({
    path: `/identity/api/invite/${token}`,
    form: Object.fromEntries(
      Object.entries({ username: 'Robert', ...secrets }).map(([name, value]) => [`user[${name}]`, value]),
    ),
  });
  expect(answer.status).toBe(201);
  expect(answer.json()).toMatchObject({ name: 'Robert', must_rekey: false, mp_exposed_at: expect.any(String) });
  const bundle = await readKeyBundle(app.deps.db, String(answer.json()['user_id']));
  await unlock({ bundle: bundle!, masterPassword: 'mp', kdf: TEST_KDF });
});

test('values fixed by the inviter cannot be changed, and a refusal does not use up the link (T28)', async () => {
  const token = tokenOf(await invite('bob@example.org', 'Bob'));
  const refused = (more: object) => accept(token, 'bob', { username: 'Bob', ...more });
  await expect(refused({ email: 'eve@example.org' })).rejects.toMatchObject({
    errors: { 'user.email': ['The email is fixed by the invitation'] },
  });
  await expect(refused({ username: 'Eve' })).rejects.toMatchObject({
    errors: { 'user.name': ['The user name is fixed by the invitation'] },
  });
  await expect(refused({ password: '' })).rejects.toMatchObject({ errors: { 'user.password': ['Password is empty'] } });
  await expect(refused({ user_id: ada.userId })).rejects.toMatchObject({ code: 'bad_sealed_value' });
  expect((await refused({ email: 'BOB@example.org' })).user).toMatchObject({ name: 'Bob', email: 'bob@example.org' });
});

test('all errors are listed in one answer', async () => {
  const token = tokenOf(await invite('bob@example.org', 'Bob'));
  const wrong = { username: 'Eve', email: 'eve@example.org', password: '', password_confirmation: 'other' };
  await expect(accept(token, 'bob', wrong)).rejects.toMatchObject({
    errors: {
      'user.name': ['The user name is fixed by the invitation'],
      'user.email': ['The email is fixed by the invitation'],
      'user.password': ['Password is empty'],
      'user.password_confirmation': ['Password Confirmation mismatch to Password'],
    },
  });
});

test('a missing name has to be chosen, and must not be taken', async () => {
  const token = tokenOf(await invite('bob@example.org', ''));
  await expect(accept(token, 'bob', { username: ' ' })).rejects.toMatchObject({
    errors: { 'user.name': ['User Name is empty'] },
  });
  await expect(accept(token, 'bob', { username: 'ADA' })).rejects.toMatchObject({
    errors: { 'user.name': ['This user name is already taken'] },
  });
  expect((await accept(token, 'bob')).user.name).toBe('bob');
});

test('unknown, used, revoked and expired links get the same response (T28)', async () => {
  const expired = tokenOf(await invite('expired@example.org'));
  app.clock.advance(7 * DAY);
  await ada.call(session.csrfCookie);
  await ada.call(session.login, { body: { email: ada.email, password: ada.password } });
  const revoked = await invite('revoked@example.org');
  await ada.call(invites.revoke, { params: { inviteId: revoked.invite.invite_id } });
  const replaced = tokenOf(await invite('bob@example.org'));
  const used = tokenOf(await invite('bob@example.org'));
  await accept(used, 'bob');
  const answers = [];
  for (const token of ['x', '%20', 'a'.repeat(400), expired, tokenOf(revoked), replaced, used]) {
    for (const request of [{}, { json: { user: {} } }]) {
      const { status, text } = await app.guest().request({ path: `/identity/api/invite/${token}`, ...request });
      answers.push([status, text.replace(/"request_id":"[^"]*"/, '')]);
    }
  }
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  expect(answers[0]?.[0]).toBe(404);
  expect(await stateOf('expired@example.org')).toEqual(['expired']);
  expect(await stateOf('bob@example.org')).toEqual(['accepted', 'revoked']);
  expect(await stateOf('revoked@example.org')).toEqual(['revoked']);
});

test('an invitation that had expired before a new one stays expired, not revoked', async () => {
  await invite('bob@example.org');
  app.clock.advance(8 * DAY);
  await ada.call(session.csrfCookie);
  await ada.call(session.login, { body: { email: ada.email, password: ada.password } });
  await invite('bob@example.org');
  expect(await stateOf('bob@example.org')).toEqual(['open', 'expired']);
});

test('two concurrent acceptances: one account, and the link is used', async () => {
  const token = tokenOf(await invite('bob@example.org'));
  const results = await Promise.allSettled([
    accept(token, 'bob', { email: undefined }),
    accept(token, 'carol', { email: undefined }),
  ]);
  expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  for (const result of results) if (result.status === 'rejected') expect(result.reason).toMatchObject(NOT_VALID);
});

test('a thousand guessed links are stopped after twenty (T29)', async () => {
  const token = tokenOf(await invite('bob@example.org'));
  const guess = (link: string, address: string) =>
    app.guest().request({ path: `/identity/api/invite/${link}`, address });
  const statuses = [];
  const guesses = Array.from({ length: 1000 }, () => randomBytes(32).toString('base64url'));
  for (const one of guesses) statuses.push((await guess(one, '10.0.0.1')).status);
  expect(statuses).toEqual(guesses.map((_, at) => (at < 20 ? 404 : 429)));
  expect((await guess(token, '10.0.0.1')).status).toBe(429);
  expect((await guess(token, '10.0.0.2')).status).toBe(200);
  // Opening a valid link repeatedly does not count as guessing.
  for (let n = 0; n < 25; n += 1) expect((await guess(token, '10.0.0.3')).status).toBe(200);
  app.clock.advance(16 * MINUTE);
  expect((await guess(token, '10.0.0.1')).status).toBe(200);
});

test('addresses and names that cannot be invited are refused (T90)', async () => {
  await app.signUp('bob');
  for (const email of [
    '',
    'bob',
    'bob@example',
    'a@example.org\r\nBcc: eve@example.org',
    'a\u001b[31m@example.org',
    null,
  ]) {
    await expect(invite(email as string)).rejects.toMatchObject({
      errors: { 'user.email': ['Please enter a valid email address.'] },
    });
  }
  await expect(invite('BOB@example.org', 'ADA')).rejects.toMatchObject({
    errors: { 'user.email': ['This email is already taken'], 'user.name': ['This user name is already taken'] },
  });
  await expect(invite('carol@example.org', 'Carol\r\nBcc: eve@example.org')).rejects.toMatchObject({
    errors: { 'user.name': ['The username is malformed.'] },
  });
  await expect(ada.call(invites.create, { body: {} })).rejects.toMatchObject({ code: 'validation' });
  expect((await ada.call(invites.listAll)).data).toEqual([]);
});

test('revoking twice, or an accepted invitation, is a conflict', async () => {
  const { invite: open, ...link } = await invite('bob@example.org');
  await accept(tokenOf(link), 'bob');
  const revoke = (inviteId: string) => ada.call(invites.revoke, { params: { inviteId } });
  await expect(revoke(open.invite_id)).rejects.toMatchObject({ code: 'conflict' });
  await expect(revoke(app.deps.newId())).rejects.toMatchObject({ code: 'not_found' });
});

test('the lifetime of an invitation is a setting of the site', async () => {
  await ada.call(site.changeLimits, { body: { invite_days: 1 } });
  const token = tokenOf(await invite('bob@example.org'));
  app.clock.advance(DAY - 1);
  expect((await app.guest().request({ path: `/identity/api/invite/${token}` })).status).toBe(200);
  app.clock.advance(1);
  await expect(read(token)).rejects.toMatchObject(NOT_VALID);
});

test('an address that got an account meanwhile cannot accept', async () => {
  const token = tokenOf(await invite('bob@example.org'));
  await app.signUp('bob');
  const carol = await testPerson('carol');
  await expect(accept(token, 'carol', { email: 'bob@example.org', username: 'other' })).rejects.toMatchObject({
    errors: { 'user.email': ['This email is already taken'] },
  });
  await ada.call(register, { body: { user: signUpBody(carol) } });
});

test('under the strict policy weak passwords, and a master password equal to the account password, are refused (T112)', async () => {
  await ada.call(site.changeSettings, { body: { password_policy: 'strict' } });
  const token = tokenOf(await invite('bob@example.org', 'bob'));
  const strong = 'vivid-otter-7-climbs-a-purple-ladder';
  const send = (password: string, master_password: string) =>
    app.guest().request({
      path: `/identity/api/invite/${token}`,
      json: {
        user: {
          password,
          password_confirmation: password,
          master_password,
          master_password_confirmation: master_password,
        },
      },
    });
  const errors = async (password: string, master: string) => (await send(password, master)).json()['errors'];
  const weak = ['This password is easy to guess. Choose a longer one.'];
  expect(await errors('password1234', 'letmein12345')).toEqual({ 'user.password': weak, 'user.master_password': weak });
  expect(await errors(strong, strong)).toEqual({ 'user.master_password': weak });
  expect((await send(strong, `another ${strong}`)).status).toBe(201);
});
