/**
 * While one instance restores a vault, the others answer 503 and accept no first sign-up; they serve the
 * restored vault at once.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as session from '@passwordbroker/core/contract/account/session';
import * as system from '@passwordbroker/core/contract/site/system';
import * as users from '@passwordbroker/core/contract/users/users';
import { ARCHIVE_PASSWORD, archiveOf } from '../backups/testing/archive.ts';
import { CANARY, fillVault, secretOf } from '../backups/testing/vault.ts';
import type { Vault } from '../backups/testing/vault.ts';
import { startSecond } from '../testing/second-instance.ts';
import type { SecondInstance } from '../testing/second-instance.ts';
import { signUpBody, startTestApp } from '../testing/test-app.ts';
import type { TestApp } from '../testing/test-app.ts';
import { testPerson } from '../testing/test-person.ts';
import { recoverFrom } from './recover.ts';

let source: TestApp;
let one: TestApp;
let two: SecondInstance;
let vault: Vault;
let archive: string;
beforeAll(async () => {
  source = await startTestApp({ environment: { DATABASE_URL: '' } });
  vault = await fillVault(source, ['ada']);
  archive = await archiveOf(source);
  one = await startTestApp();
  two = await startSecond(one);
});
afterAll(async () => {
  await two.stop();
  await one.stop();
  await source.stop();
});

test('during a recovery the other instance answers 503 and accepts no first sign-up', async () => {
  const stranger = await testPerson('mallory');
  const asked = async () => {
    const guest = two.at();
    const me = await guest.request({ path: session.me.path });
    const setup = await guest.request({ path: system.setup.path });
    const signUp = await guest.request({ path: users.register.path, json: { user: signUpBody(stranger) } });
    const logIn = await guest.request({ path: session.login.path, json: { email: 'x@example.org', password: 'x' } });
    return {
      said: me.status === 200 ? me.json<{ message: string }>().message : me.status,
      all: [setup, signUp, logIn],
    };
  };
  expect((await two.at().request({ path: session.me.path })).json()).toMatchObject({ message: 'firstUser' });
  const origin = { address: 'test', agentHash: null, userAgent: '', client: null };
  let isOver = false;
  const recovery = recoverFrom(one.deps, { path: archive, password: ARCHIVE_PASSWORD, origin }).finally(() => {
    isOver = true;
  });
  const { read } = one.deps.db;
  const isTaken = async () => {
    const lease = await read.selectFrom('leases').select('owner').where('name', '=', 'recovery').executeTakeFirst();
    return (lease?.owner ?? null) !== null;
  };
  await expect.poll(isTaken, { timeout: 20_000, interval: 1 }).toBe(true);
  const answers: Awaited<ReturnType<typeof asked>>[] = [];
  while (!isOver) {
    answers.push(await asked());
    await pause(50);
  }
  await recovery;
  const during = answers.filter(({ said }) => said === 503);
  expect(during.length).toBeGreaterThan(0);
  expect(new Set(answers.map(({ said }) => said))).not.toContain('firstUser');
  // The last one may have come after the end of the recovery.
  for (const { all } of during.slice(0, -1)) {
    expect(all.map(({ status }) => status)).toEqual([503, 503, 503]);
    expect(all.map(({ headers }) => headers['retry-after'])).toEqual(['5', '5', '5']);
  }
  expect(await read.selectFrom('users').select('email').execute()).toEqual([{ email: vault.ada.email }]);
});

test('the restored vault is available on the other instance at once', async () => {
  expect((await two.at().request({ path: session.me.path })).json()).toMatchObject({ message: 'guest' });
  const ada = await one.signIn(vault.ada);
  expect(await secretOf(vault, ada)).toBe(CANARY);
  expect((await two.at(ada).request({ path: session.me.path })).json()).toMatchObject({ message: 'loggedIn' });
});
