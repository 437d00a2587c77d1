/**
 * Allowed networks are checked at sign-in and at every use of a session or token, and cannot lock
 * out their author.
 */
import { afterEach, beforeEach, expect, test } from 'vitest';
import * as audit from '@passwordbroker/core/contract/site/audit';
import * as credentials from '@passwordbroker/core/contract/account/credentials';
import * as invites from '@passwordbroker/core/contract/users/invites';
import * as session from '@passwordbroker/core/contract/account/session';
import * as site from '@passwordbroker/core/contract/site/site';
import { runCommandLine } from '../commands/run.ts';
import { startTestApp } from '../testing/test-app.ts';
import type { SignedIn, TestApp } from '../testing/test-app.ts';
import { MINUTE } from '../testing/test-clock.ts';
import { testPerson } from '../testing/test-person.ts';

/** Requests come through a proxy on this machine that sends X-Forwarded-For. */
const environment = { TRUST_PROXY: 'loopback' };
const LOCAL = '127.0.0.1';
const OFFICE = '198.51.100.7';
const ELSEWHERE = '203.0.113.9';
const from = (address: string) => ({ 'x-forwarded-for': address });

let app: TestApp;
let ada: SignedIn;
let bob: SignedIn;
beforeEach(async () => {
  app = await startTestApp({ environment });
  ada = await app.signUp('ada');
  bob = await app.signUp('bob');
});
afterEach(() => app.stop());

const set = (body: object) => ada.call(site.changeNetworks, { body });
const signIn = async ({ email, password }: SignedIn, address: string, wrong = '') => {
  const json = { email, password: password + wrong };
  const answer = await app.guest().request({ path: session.login.path, json, headers: from(address) });
  return [answer.status, answer.json()['message']];
};
const statusFrom = async (person: SignedIn, address: string) =>
  (await person.request({ path: '/system/api/setting/site', headers: from(address) })).status;

const REFUSED = (address: string) => [
  403,
  `Signing in from your network (${address}) is not allowed on this site. Ask an administrator.`,
];

test('a sign-in from outside the list is refused with any password; inside it works', async () => {
  await set({ sign_in_networks: `${LOCAL}\n198.51.100.0/24 2001:db8::/32` });
  expect(await ada.call(site.siteNetworks)).toMatchObject({
    sign_in_networks: '127.0.0.1, 198.51.100.0/24, 2001:db8::/32',
    admin_networks: '',
    your_address: LOCAL,
  });
  expect((await signIn(bob, OFFICE))[0]).toBe(200);
  expect((await signIn(bob, '2001:db8:7::1'))[0]).toBe(200);
  expect((await signIn(bob, '::ffff:198.51.100.9'))[0]).toBe(200);
  // The same answer for a right and a wrong password.
  expect(await signIn(bob, ELSEWHERE)).toEqual(REFUSED(ELSEWHERE));
  expect(await signIn(bob, ELSEWHERE, 'x')).toEqual(REFUSED(ELSEWHERE));
  expect(await signIn(bob, '2001:db9::1')).toEqual(REFUSED('2001:db9::1'));
  const json = { email: bob.email, password: bob.password, token_is_required: true };
  const token = await app.guest().request({ path: session.login.path, json, headers: from(ELSEWHERE) });
  expect(token.status).toBe(403);
});

test('existing sessions and tokens work inside the list only, from the next request on', async () => {
  const { token } = await bob.call(credentials.createToken, { body: { token_name: 'ci' } });
  const bearer = { authorization: `Bearer ${token}` };
  const both = async (address: string) => [
    await statusFrom(bob, address),
    (await app.guest().request({ path: '/system/api/setting/site', headers: { ...bearer, ...from(address) } })).status,
  ];
  expect(await both(ELSEWHERE)).toEqual([200, 200]);
  await set({ sign_in_networks: `${LOCAL}, ${OFFICE}` });
  expect(await both(ELSEWHERE)).toEqual([401, 401]);
  expect(await both(OFFICE)).toEqual([200, 200]);
  await set({ sign_in_networks: '' });
  expect(await both(ELSEWHERE)).toEqual([200, 200]);
});

test('the list of site admins applies to them only, and is revealed only with the right password', async () => {
  await set({ admin_networks: LOCAL });
  expect(await statusFrom(ada, OFFICE)).toBe(401);
  expect(await statusFrom(bob, OFFICE)).toBe(200);
  expect((await signIn(bob, OFFICE))[0]).toBe(200);
  expect(await signIn(ada, OFFICE)).toEqual(REFUSED(OFFICE));
  expect(await signIn(ada, OFFICE, 'x')).toEqual([401, 'Invalid email or password']);
  const { data } = await ada.call(audit.list, { query: { event_type: 'login_failed' } });
  expect(data.map(({ login, address }) => [login, address])).toEqual([
    [ada.email, OFFICE],
    [ada.email, OFFICE],
  ]);
});

test('an invitation cannot be accepted from outside, and stays valid', async () => {
  await set({ sign_in_networks: LOCAL });
  const { inviteLinkUrl } = await ada.call(invites.create, { body: { user: { email: 'carol@example.org' } } });
  const carol = await testPerson('carol');
  const path = `/identity/api/invite/${inviteLinkUrl.split('/').at(-1) ?? ''}`;
  const person = { user_id: carol.userId, username: 'carol', email: carol.email, key_bundle: carol.bundle };
  const json = { user: { ...person, password: carol.password, password_confirmation: carol.password } };
  const accept = async (address: string) => (await app.guest().request({ path, json, headers: from(address) })).status;
  expect(await accept(ELSEWHERE)).toBe(403);
  expect(await accept(LOCAL)).toBe(201);
});

test('a list without the address of its author is refused with a sentence, and nothing changes', async () => {
  for (const name of ['sign_in_networks', 'admin_networks'] as const) {
    await expect(set({ [name]: '198.51.100.0/24' })).rejects.toMatchObject({
      code: 'validation',
      errors: { [name]: [`Your own address, ${LOCAL}, is not in this list, so it would lock you out. Add it first.`] },
    });
    for (const wrong of ['here', '10.0.0.0/33', '10.0.0/8', '::1/129', '10.0.0.0/8/8', '10.0.0.0/-1', 'fe80::1%lo']) {
      await expect(set({ [name]: `${LOCAL}, ${wrong}` })).rejects.toMatchObject({ code: 'validation' });
    }
  }
  expect(await ada.call(site.siteNetworks)).toMatchObject({ sign_in_networks: '', admin_networks: '' });
  app.clock.advance(10 * MINUTE);
  await expect(set({ sign_in_networks: LOCAL })).rejects.toMatchObject({ code: 'reauth_required' });
});

test('the command sets a list without checking an address, and resets it', async () => {
  const settings = async (...args: string[]) => {
    const said: string[] = [];
    const take = (line: string) => void said.push(line);
    const secret = () => Promise.resolve('');
    const terminal = { say: take, tell: take, secret, knownSecret: secret };
    await runCommandLine(['settings', ...args], app.environment, terminal);
    return said;
  };
  expect(await settings('set', 'admin_networks', OFFICE)).toEqual([`admin_networks is ${OFFICE} now.`]);
  expect(await statusFrom(ada, LOCAL)).toBe(401);
  expect(await settings('set', 'admin_networks', 'nowhere')).toEqual([
    'Write addresses or ranges, such as 192.0.2.7, 10.0.0.0/8 or 2001:db8::/32, with commas between.',
  ]);
  expect(await settings('set', 'admin_networks', '')).toEqual(['admin_networks is empty now.']);
  expect(await statusFrom(ada, LOCAL)).toBe(200);
  expect((await ada.call(audit.list, { query: { event_type: 'settings_changed' } })).data).toHaveLength(2);
});
