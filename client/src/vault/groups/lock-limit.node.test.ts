import { changeLimits } from '@passwordbroker/core/contract/site/site';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type SignedIn, type TestApp } from '../../../../server/src/testing/test-app.ts';
import { mateOf, type Mate } from '../../testing/team.node.ts';
import { keepLockLimit } from '../../vault-part.ts';

let app: TestApp;
let ada: SignedIn;
let her: Mate;
const learned: number[] = [];

beforeAll(async () => {
  app = await startTestApp();
  ada = await app.signUp('ada');
  her = await mateOf(ada);
  keepLockLimit({ ...her, lockAfter: { learn: (minutes) => learned.push(minutes) } });
}, 60_000);
afterAll(() => app.stop());

const openAgain = async () => {
  her.keyring.lock();
  await her.keyring.unlock(ada.masterPassword);
};

test('each unlock reads the limit of the site; a failed request keeps the former limit', async () => {
  await openAgain();
  await expect.poll(() => learned, { timeout: 20_000 }).toEqual([60]);
  await ada.call(changeLimits, { body: { lock_minutes: 3 } });
  await openAgain();
  await expect.poll(() => learned, { timeout: 20_000 }).toEqual([60, 3]);
  her.refuse = (request) => (request.endsWith('/limits') ? { code: null, status: 503 } : null);
  const before = her.requests.length;
  await openAgain();
  await expect
    .poll(() => her.requests.slice(before).some((request) => request.endsWith('/limits')), { timeout: 20_000 })
    .toBe(true);
  her.refuse = null;
  await openAgain();
  await expect.poll(() => learned, { timeout: 20_000 }).toEqual([60, 3, 3]);
});
