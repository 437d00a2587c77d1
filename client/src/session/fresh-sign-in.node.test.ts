import { confirmPassword } from '@passwordbroker/core/contract/account/credentials';
import { changeSettings } from '@passwordbroker/core/contract/site/site';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startTestApp, type SignedIn, type TestApp } from '../../../server/src/testing/test-app.ts';
import { MINUTE } from '../../../server/src/testing/test-clock.ts';
import { vaultOf } from '../testing/real-vault.node.ts';
import { ConfirmationCancelled, createFreshSignIn } from './fresh-sign-in.ts';

let app: TestApp;
let ada: SignedIn;
let http: ReturnType<typeof vaultOf>['http'];
let fresh: ReturnType<typeof createFreshSignIn>;

beforeAll(async () => {
  app = await startTestApp();
  ada = await app.signUp('ada');
});
afterAll(async () => {
  await app.stop();
});
beforeEach(async () => {
  ada = await app.signIn(ada);
  http = vaultOf(ada).http;
  fresh = createFreshSignIn();
});

const change = (trash_days: number) => () => http.call(changeSettings, { body: { trash_days } });

/** Resolves when the question is asked. */
const asked = () =>
  new Promise<void>((resolve) => {
    const stop = fresh.subscribe(() => {
      if (!fresh.isAsking()) return;
      stop();
      resolve();
    });
  });

test('soon after signing in no password is asked for', async () => {
  expect(await fresh.run(change(20))).toMatchObject({ trash_days: 20 });
  expect(fresh.isAsking()).toBe(false);
});

test('later the password is asked for once, and every waiting operation runs again', async () => {
  app.clock.advance(11 * MINUTE);
  const question = asked();
  const acts = Promise.all([fresh.run(change(21)), fresh.run(change(21))]);
  await question;
  await http.call(confirmPassword, { body: { password: ada.password } });
  fresh.confirmed();
  expect(fresh.isAsking()).toBe(false);
  expect(await acts).toMatchObject([{ trash_days: 21 }, { trash_days: 21 }]);
});

test('a premature confirmation asks again', async () => {
  app.clock.advance(11 * MINUTE);
  const question = asked();
  const act = fresh.run(change(22));
  await question;
  const again = asked();
  fresh.confirmed();
  await again;
  await http.call(confirmPassword, { body: { password: ada.password } });
  fresh.confirmed();
  expect(await act).toMatchObject({ trash_days: 22 });
});

test('cancelling the question drops the operation without running it', async () => {
  app.clock.advance(11 * MINUTE);
  const question = asked();
  const [dropped, silent] = [fresh.run(change(23)), fresh.tryRun(change(24))];
  await question;
  fresh.cancel();
  await expect(dropped).rejects.toBeInstanceOf(ConfirmationCancelled);
  expect(await silent).toBeNull();
  expect(await fresh.tryRun(async () => ({ other: true }))).toEqual({ other: true });
});

test('an operation refused before another one’s question was cancelled does not ask again', async () => {
  app.clock.advance(11 * MINUTE);
  let refuseNow: () => void = () => undefined;
  const late = () => {
    const waits = new Promise<void>((resolve) => (refuseNow = resolve));
    return fresh.run(async () => {
      await waits;
      return change(25)();
    });
  };
  const question = asked();
  const [first, second] = [fresh.tryRun(change(24)), late()];
  await question;
  fresh.cancel();
  refuseNow();
  expect(await first).toBeNull();
  await expect(second).rejects.toBeInstanceOf(ConfirmationCancelled);
  expect(fresh.isAsking()).toBe(false);
});

test('any other refusal is passed on to the caller', async () => {
  await expect(fresh.tryRun(change(0))).rejects.toMatchObject({ code: 'validation' });
  expect(fresh.isAsking()).toBe(false);
});
