/** What changed in an account since the last sign-in, where the site sends no mail. */
import { afterEach, expect, test } from 'vitest';
import * as credentials from '@passwordbroker/core/contract/account/credentials';
import * as people from '@passwordbroker/core/contract/users/people';
import { startTestApp, type SignedIn, type TestApp } from '../testing/test-app.ts';
import type { TestClient } from '../testing/test-client.ts';
import { guard, signInWith, WITH_MAIL } from './factors/testing/two-factors.ts';

const HOUR = 3_600_000;

let app: TestApp;
afterEach(() => app.stop());

const told = (person: TestClient) => person.call(credentials.ownEvents);

async function changeAll(ada: SignedIn, bob: SignedIn) {
  app.clock.advance(HOUR);
  const again = await app.signIn(bob);
  const since = new Date(app.clock.now()).toISOString();
  app.clock.advance(1000);
  await again.call(credentials.createToken, { body: { token_name: 'api' } });
  const { codes, phone } = await guard(app, again);
  await again.call(people.update, { params: { id: bob.userId }, body: { name: 'Robert' } });
  const admin = await app.signIn(ada);
  const body = { email: 'robert@example.org' };
  await admin.call(people.update, { params: { id: bob.userId }, body });
  app.clock.advance(HOUR);
  return { since, phone, code: codes[0] ?? '', robert: { ...bob, ...body } as SignedIn };
}

test('it is told at the next sign-in, once and newest first, and not in the session before', async () => {
  app = await startTestApp();
  const [ada, bob] = [await app.signUp('ada'), await app.signUp('bob')];
  expect(await told(bob)).toEqual({ since: null, events: [] });
  const { since, code, phone, robert } = await changeAll(ada, bob);
  const next = await signInWith(app, robert, code);
  const found = await told(next);
  expect(found).toMatchObject({
    since,
    events: [
      { event_type: 'user_updated', by_other: true, address: null },
      { event_type: 'factor_added', by_other: false, address: '127.0.0.1' },
      { event_type: 'token_created', by_other: false },
    ],
  });
  app.clock.advance(60_000);
  expect(await told(next)).toEqual(found);
  // The recovery code of that sign-in is told at the next one.
  app.clock.advance(HOUR);
  const third = await told(await signInWith(app, robert, phone.code()));
  expect(third).toMatchObject({ events: [{ event_type: 'recovery_code_used', address: '127.0.0.1' }] });
  expect(third.events).toHaveLength(1);
});

test('a site that sends mail tells nothing, because each of them was mailed', async () => {
  app = await startTestApp({ environment: WITH_MAIL });
  const [ada, bob] = [await app.signUp('ada'), await app.signUp('bob')];
  const { code, robert } = await changeAll(ada, bob);
  expect(await told(await signInWith(app, robert, code))).toEqual({ since: null, events: [] });
});
