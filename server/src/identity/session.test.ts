import { afterEach, beforeEach, expect, test } from 'vitest';
import * as session from '@passwordbroker/core/contract/session';
import { startTestApp } from '../testing/test-app.ts';
import type { TestApp } from '../testing/test-app.ts';

let app: TestApp;
beforeEach(async () => {
  app = await startTestApp();
});
afterEach(() => app.stop());

test('me: firstUser, then loggedIn for the one who signed up and guest for everyone else', async () => {
  expect(await app.guest().call(session.me)).toEqual({ message: 'firstUser', user: null, session_id: null });
  const ada = await app.signUp('ada');
  const me = await ada.call(session.me);
  expect(me).toMatchObject({ message: 'loggedIn', user: { user_id: ada.userId, name: 'ada', is_admin: true } });
  expect(me.session_id).toMatch(/^[0-9a-f-]{36}$/);
  expect(await app.guest().call(session.me)).toEqual({ message: 'guest', user: null, session_id: null });
});
