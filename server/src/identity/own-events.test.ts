/** What changed in an account in the 30 days before a sign-in, where the site sends no mail. */
import { afterEach, expect, test } from 'vitest';
import * as credentials from '@passwordbroker/core/contract/account/credentials';
import * as people from '@passwordbroker/core/contract/users/people';
import * as services from '@passwordbroker/core/contract/users/service-accounts';
import { createTestService, newServiceBody } from '../testing/test-service.ts';
import { startTestApp, type SignedIn, type TestApp } from '../testing/test-app.ts';
import type { TestClient } from '../testing/test-client.ts';
import { guard, loginOf, signInWith, WITH_MAIL } from './factors/testing/two-factors.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

let app: TestApp;
afterEach(() => app.stop());

const told = (person: TestClient) => person.call(credentials.ownEvents);

async function changeAll(ada: SignedIn, bob: SignedIn) {
  app.clock.advance(HOUR);
  const again = await app.signIn(bob);
  app.clock.advance(1000);
  await again.call(credentials.createToken, { body: { token_name: 'api' } });
  const { codes, phone } = await guard(app, again);
  await again.call(people.update, { params: { id: bob.userId }, body: { name: 'Robert' } });
  const admin = await app.signIn(ada);
  const body = { email: 'robert@example.org' };
  await admin.call(people.update, { params: { id: bob.userId }, body });
  app.clock.advance(HOUR);
  return { phone, code: codes[0] ?? '', robert: { ...bob, ...body } as SignedIn };
}

test('it is told at the next sign-in, newest first, and not in the session before', async () => {
  app = await startTestApp();
  const [ada, bob] = [await app.signUp('ada'), await app.signUp('bob')];
  expect((await told(bob)).events).toEqual([]);
  const { code, phone, robert } = await changeAll(ada, bob);
  const next = await signInWith(app, robert, code);
  const found = await told(next);
  const changes = [
    { event_type: 'user_updated', by_other: true, address: null },
    { event_type: 'factor_added', by_other: false, address: '127.0.0.1' },
    { event_type: 'token_created', by_other: false },
  ];
  expect(found).toMatchObject({ since: new Date(app.clock.now() - 30 * DAY).toISOString(), events: changes });
  app.clock.advance(60_000);
  expect(await told(next)).toEqual(found);
  // The recovery code of that sign-in is told at the next one.
  app.clock.advance(HOUR);
  const third = await told(await signInWith(app, robert, phone.code()));
  const used = { event_type: 'recovery_code_used', address: '127.0.0.1' };
  expect(third.events).toEqual([expect.objectContaining(used), ...found.events]);
});

test('a site admin is not told of changes of other accounts, service accounts among them', async () => {
  app = await startTestApp();
  const [ada, bob] = [await app.signUp('ada'), await app.signUp('bob')];
  const service = await createTestService(app, ada, 'deploy');
  const { body } = await newServiceBody('deploy', service.userId, 2);
  const { key_bundle, credential } = body;
  await ada.call(services.renewServiceKeys, { params: { id: service.userId }, body: { key_bundle, credential } });
  await ada.call(people.setAdmin, { params: { id: bob.userId }, body: { is_admin: true } });
  await ada.call(credentials.createToken, { body: { token_name: 'api' } });
  app.clock.advance(HOUR);
  expect((await told(await app.signIn(ada))).events).toMatchObject([{ event_type: 'token_created' }]);
  expect((await told(await app.signIn(bob))).events).toMatchObject([
    { event_type: 'user_admin_changed', by_other: true },
  ]);
});

test('neither a program that signs in nor another sign-in hides what happened; 30 days do', async () => {
  app = await startTestApp();
  const bob = await app.signUp('bob');
  await bob.call(credentials.createToken, { body: { token_name: 'of a stranger' } });
  const made = new Date(app.clock.now()).toISOString();
  app.clock.advance(HOUR);
  const program = loginOf(bob, { token_is_required: true, token_name: 'program' });
  expect((await app.guest().request(program)).status).toBe(200);
  app.clock.advance(HOUR);
  await app.signIn(bob);
  app.clock.advance(HOUR);
  const times = async () => (await told(await app.signIn(bob))).events.map(({ created_at }) => created_at);
  expect(await times()).toHaveLength(2);
  expect((await times()).at(-1)).toBe(made);
  app.clock.advance(30 * DAY);
  expect(await times()).toEqual([]);
});

test('a site that sends mail tells nothing, because each of them was mailed', async () => {
  app = await startTestApp({ environment: WITH_MAIL });
  const [ada, bob] = [await app.signUp('ada'), await app.signUp('bob')];
  const { code, robert } = await changeAll(ada, bob);
  expect(await told(await signInWith(app, robert, code))).toEqual({ since: null, events: [] });
});
