/**
 * Former keys of a person are requested once in two minutes, and again for another key than the one shown.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { certificates } from '@passwordbroker/core/contract/users/users';
import { startTestApp, type SignedIn, type TestApp } from '../../../../server/src/testing/test-app.ts';
import { mateOf, signUpAll } from '../../testing/team.node.ts';
import { listedMembers } from './listed-members.ts';

let app: TestApp;
let [ada, bob]: SignedIn[] = [];
beforeAll(async () => {
  app = await startTestApp();
  [ada, bob] = await signUpAll(app, ['ada', 'bob']);
}, 60_000);
afterAll(() => app.stop());

test('former keys of a member of many groups are requested once', async () => {
  const her = await mateOf(ada!);
  let now = 0;
  const lists = listedMembers(her.http, { members: () => Promise.resolve([]) }, () => now);
  const { certificate } = await her.http.call(certificates, { params: { id: bob!.userId } });
  const asked = () => her.requests.filter((request) => request.includes(`${bob!.userId}/certificate`)).length;
  her.requests.length = 0;
  await Promise.all([lists.formerOf(certificate), lists.formerOf(certificate)]);
  expect([await lists.formerOf(certificate), asked()]).toEqual([[], 1]);
  await lists.formerOf({ ...certificate, fpr: 'ab'.repeat(32) });
  expect(asked()).toBe(2);
  await lists.formerOf(certificate);
  expect(asked()).toBe(2);
  now = 120_000;
  await lists.formerOf(certificate);
  expect(asked()).toBe(3);
});
