/** Repeated refusals are counted, so that they cannot fill the audit log (T150). */
import { afterEach, beforeEach, expect, test } from 'vitest';
import * as audit from '@passwordbroker/core/contract/site/audit';
import * as groups from '@passwordbroker/core/contract/groups/entry-groups';
import * as session from '@passwordbroker/core/contract/account/session';
import { startTestApp } from '../testing/test-app.ts';
import type { SignedIn, TestApp } from '../testing/test-app.ts';
import { startAudit } from './start-audit.ts';

let app: TestApp;
let ada: SignedIn;
let bob: SignedIn;
beforeEach(async () => {
  app = await startTestApp();
  ada = await app.signUp('ada');
  bob = await app.signUp('bob');
});
afterEach(() => app.stop());

const LOG = { path: '/system/api/auditLog' };
const refusals = async () => {
  const { data } = await ada.call(audit.list, { query: { event_type: 'access_refused', perPage: 100 } });
  return data.toReversed();
};
const countOf = (rows: Awaited<ReturnType<typeof refusals>>) =>
  rows.reduce((sum, { details }) => sum + Number(details?.['count'] ?? 1), 0);

/** Runs the job of each minute and of a start. */
const countUp = () => startAudit(app.deps).stop();

test('1,360 refusals of one account: the first is logged at once, the others as one row with their number (T150)', async () => {
  const statuses = new Set<number>();
  const attack = async () => {
    for (let call = 0; call < 40; call += 1) statuses.add((await bob.request(LOG)).status);
  };
  await Promise.all(Array.from({ length: 34 }, attack));
  expect([...statuses]).toEqual([403]);
  const refusal = { route: LOG.path, method: 'GET', code: 'forbidden' };
  expect(await refusals()).toMatchObject([{ user_id: bob.userId, login: bob.email, details: refusal }]);
  await countUp();
  const rows = await refusals();
  expect(rows).toHaveLength(2);
  expect(rows[1]).toMatchObject({ user_id: bob.userId, login: bob.email, details: { ...refusal, count: 1359 } });
  expect(await ada.call(audit.verify)).toMatchObject({ ok: true, unsealed: 0 });
});

test('people, routes and reasons have separate counters, and a single refusal has one row', async () => {
  const { entryGroup } = await ada.call(groups.create, { body: { name: 'Hers' } });
  const { entry_group_id: g } = entryGroup;
  await bob.request({ path: `/passwordBroker/api/entryGroups/${g}/history` });
  for (let call = 0; call < 3; call += 1) await bob.request({ path: `/passwordBroker/api/entryGroups/${g}/users` });
  const carol = await app.signUp('carol');
  for (let call = 0; call < 2; call += 1) await carol.request(LOG);
  await countUp();
  const told = (await refusals()).map(({ login, details }) => [login, details?.['route'], details?.['count'] ?? 1]);
  const [history, users] = ['history', 'users'].map((page) => `/passwordBroker/api/entryGroups/:g/${page}`);
  expect(told.slice(0, 3)).toEqual([
    [bob.email, history, 1],
    [bob.email, users, 1],
    [carol.email, LOG.path, 1],
  ]);
  expect(told.slice(3)).toHaveLength(2);
  expect(told.slice(3)).toEqual(
    expect.arrayContaining([
      [bob.email, users, 2],
      [carol.email, LOG.path, 1],
    ]),
  );
});

test('counters survive a restart; after they are written the next refusal is a first one again', async () => {
  for (let call = 0; call < 5; call += 1) await bob.request(LOG);
  await bob.call(session.logout);
  await app.restart();
  await countUp();
  const again = await app.signIn(bob);
  await again.request(LOG);
  const rows = await refusals();
  expect(rows.map(({ details }) => details?.['count'] ?? null)).toEqual([null, 4, null]);
  expect(countOf(rows)).toBe(6);
});
