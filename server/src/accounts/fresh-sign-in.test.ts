/**
 * Calls that need the account password of the last ten minutes: with an older sign-in they change
 * nothing.
 */
import { afterEach, beforeEach, expect, test } from 'vitest';
import * as backups from '@passwordbroker/core/contract/site/backups';
import * as credentials from '@passwordbroker/core/contract/account/credentials';
import type { Endpoint } from '@passwordbroker/core/contract/endpoint';
import * as groups from '@passwordbroker/core/contract/groups/entry-groups';
import * as invites from '@passwordbroker/core/contract/users/invites';
import * as operations from '@passwordbroker/core/contract/entries/operations';
import * as people from '@passwordbroker/core/contract/users/people';
import * as session from '@passwordbroker/core/contract/account/session';
import * as site from '@passwordbroker/core/contract/site/site';
import * as users from '@passwordbroker/core/contract/users/users';
import { changedTables, readStored } from '../authorisation/testing/stored.ts';
import { makeGroup, putEntry, trash } from '../operations/testing/vault.ts';
import { signUpBody, startTestApp } from '../testing/test-app.ts';
import type { SignedIn, TestApp } from '../testing/test-app.ts';
import { MINUTE } from '../testing/test-clock.ts';
import { testPerson } from '../testing/test-person.ts';

let app: TestApp;
let ada: SignedIn;
let bob: SignedIn;
beforeEach(async () => {
  app = await startTestApp();
  [ada, bob] = [await app.signUp('ada'), await app.signUp('bob')];
});
afterEach(() => app.stop());

/** A call by Ada; Bob is another site admin. */
interface Act {
  readonly endpoint: Endpoint;
  readonly input: () => Promise<object> | object;
}

const ofBob = (body: object) => () => ({ params: { id: bob.userId }, body });
const deletedEntry = async () => {
  const g = await makeGroup(ada, 'G');
  const entries = [await putEntry(app.deps, g, 'Entry')];
  return { params: { operationId: await trash(app.deps, ada, { groupId: g, entries }) } };
};
const NEW_PASSWORD = { password: 'another passphrase 1', password_confirmation: 'another passphrase 1' };
const SCHEDULE = { schedule: [3], enable: true, email_enable: false };

const ACTS: Readonly<Record<string, Act>> = {
  'setting a password': { endpoint: people.update, input: ofBob(NEW_PASSWORD) },
  'changing an e-mail': { endpoint: people.update, input: ofBob({ email: 'robert@example.org' }) },
  deleting: { endpoint: people.remove, input: ofBob({}) },
  disabling: { endpoint: people.setDisabled, input: ofBob({ status: true }) },
  demoting: { endpoint: people.setAdmin, input: ofBob({ is_admin: false }) },
  promoting: {
    endpoint: people.setAdmin,
    input: async () => ({ params: { id: (await app.signUp('carol')).userId }, body: { is_admin: true } }),
  },
  'resetting keys': { endpoint: people.resetKeys, input: ofBob({ confirm_groups: [] }) },
  'creating a token': { endpoint: credentials.createToken, input: () => ({ body: { token_name: 'robot' } }) },
  inviting: { endpoint: invites.create, input: () => ({ body: { user: { email: 'dan@example.org' } } }) },
  'creating an account': {
    endpoint: users.register,
    input: async () => ({ body: { user: signUpBody(await testPerson('erin')) } }),
  },
  'changing settings': { endpoint: site.changeSettings, input: () => ({ body: { trash_days: 3 } }) },
  'changing limits': { endpoint: site.changeLimits, input: () => ({ body: { invite_days: 3 } }) },
  'changing networks': { endpoint: site.changeNetworks, input: () => ({ body: { sign_in_networks: '127.0.0.1' } }) },
  'changing the schedule of backups': { endpoint: backups.changeSettings, input: () => ({ body: SCHEDULE }) },
  restoring: { endpoint: operations.restore, input: async () => ({ ...(await deletedEntry()), body: {} }) },
  purging: { endpoint: operations.purge, input: deletedEntry },
};

test.each(Object.keys(ACTS))(
  '%s: refused ten minutes after the account password, and nothing is changed (T145)',
  async (name) => {
    await ada.call(people.setAdmin, { params: { id: bob.userId }, body: { is_admin: true } });
    const { endpoint, input } = ACTS[name]!;
    const sent = await input();
    app.clock.advance(10 * MINUTE);
    const before = await readStored(app.deps);
    await expect(ada.call(endpoint, sent)).rejects.toMatchObject({
      code: 'reauth_required',
      message: 'Confirm your password first',
    });
    expect(changedTables(before, await readStored(app.deps))).toEqual([]);
    await ada.call(credentials.confirmPassword, { body: { password: ada.password } });
    app.clock.advance(10 * MINUTE - 1);
    await ada.call(endpoint, sent);
    expect(changedTables(before, await readStored(app.deps))).not.toEqual([]);
  },
);

test('a stolen session cannot take over another admin by a password or by a year-long token (T145)', async () => {
  await ada.call(people.setAdmin, { params: { id: bob.userId }, body: { is_admin: true } });
  app.clock.advance(10 * MINUTE);
  await expect(ada.call(people.update, ofBob(NEW_PASSWORD)())).rejects.toMatchObject({ code: 'reauth_required' });
  const json = { email: bob.email, password: NEW_PASSWORD.password };
  expect((await app.guest().request({ path: session.login.path, json })).status).toBe(401);
  const year = { token_name: 'year', expires_in_days: 365 };
  await expect(ada.call(credentials.createToken, { body: year })).rejects.toMatchObject({ code: 'reauth_required' });
  expect(await ada.call(credentials.tokens)).toEqual([]);
  // Bob's own session still works.
  expect((await bob.call(session.me)).message).toBe('loggedIn');
});

test('a script that calls within ten minutes after its sign-in needs no confirmation, by cookie or by token (T145)', async () => {
  const answer = await app.guest().request({
    path: session.login.path,
    json: { email: ada.email, password: ada.password, token_is_required: true },
  });
  const headers = { authorization: `Bearer ${String(answer.json()['token'])}` };
  const invite = (email: string) =>
    app.guest().request({ path: invites.create.path, json: { user: { email } }, headers });
  app.clock.advance(10 * MINUTE - 1);
  expect((await invite('dan@example.org')).status).toBe(201);
  app.clock.advance(1);
  expect((await invite('erin@example.org')).json()['code']).toBe('reauth_required');
  const json = { password: ada.password };
  expect((await app.guest().request({ path: credentials.confirmPassword.path, json, headers })).status).toBe(200);
  expect((await invite('erin@example.org')).status).toBe(201);
});

test('changing a name and undoing a recent deletion of one’s own need no fresh sign-in (T145)', async () => {
  const g = await makeGroup(ada, 'G');
  app.clock.advance(10 * MINUTE);
  await ada.call(people.update, { params: { id: bob.userId }, body: { name: 'Robert' } });
  await ada.call(people.update, { params: { id: ada.userId }, body: { email: 'ada@example.net' } });
  const { operation_id } = await ada.call(groups.remove, { params: { g } });
  const undo = () => ada.call(operations.undo, { params: { operationId: operation_id }, body: {} });
  app.clock.advance(10 * MINUTE);
  await expect(undo()).rejects.toMatchObject({ code: 'reauth_required' });
  await ada.call(credentials.confirmPassword, { body: { password: ada.password } });
  await undo();
  const again = await ada.call(groups.remove, { params: { g } });
  app.clock.advance(10 * MINUTE - 1);
  await ada.call(operations.undo, { params: { operationId: again.operation_id }, body: {} });
});
