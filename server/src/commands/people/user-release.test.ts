import { afterAll, beforeAll, expect, test } from 'vitest';
import * as audit from '@passwordbroker/core/contract/site/audit';
import * as session from '@passwordbroker/core/contract/account/session';
import { startTestApp } from '../../testing/test-app.ts';
import type { SignedIn, TestApp } from '../../testing/test-app.ts';
import { EXIT } from '../command.ts';
import { runCommandLine } from '../run.ts';

let app: TestApp;
let ada: SignedIn;
let bob: SignedIn;
beforeAll(async () => {
  app = await startTestApp();
  [ada, bob] = [await app.signUp('ada'), await app.signUp('bob')];
});
afterAll(() => app.stop());

async function release(...args: string[]) {
  const said: string[] = [];
  const take = (line: string) => void said.push(line);
  const secret = () => Promise.resolve('');
  const terminal = { say: take, tell: take, secret, knownSecret: secret };
  return { code: await runCommandLine(['user', 'release', ...args], app.environment, terminal), said: said.join('\n') };
}

test('releasing an account clears its failed sign-ins and is logged', async () => {
  const attempt = async (password: string) => {
    const json = { email: bob.email, password };
    return (await app.guest().request({ path: session.login.path, json })).status;
  };
  for (let n = 0; n < 10; n += 1) expect(await attempt('wrong')).toBe(401);
  expect(await attempt(bob.password)).toBe(429);
  expect(await release('BOB@example.org')).toEqual({
    code: EXIT.done,
    said: 'Failed sign-ins hold bob@example.org up no more.',
  });
  expect(await attempt(bob.password)).toBe(200);
  const { data } = await ada.call(audit.list, { query: { target_id: bob.userId, event_type: 'user_updated' } });
  expect(data).toMatchObject([{ login: null, address: 'command line' }]);
  const rows = app.deps.db.read.selectFrom('audit_log').select('details').where('event_type', '=', 'user_updated');
  expect(await rows.execute()).toEqual([{ details: '{"released":true}' }]);
  // Existing sessions stay signed in.
  expect(await bob.call(session.me)).toMatchObject({ message: 'loggedIn' });
});

test('an unknown person is an error', async () => {
  expect((await release('x@example.org')).code).toBe(EXIT.failed);
});
