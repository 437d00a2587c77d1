/** An empty change is not stored, and the copy continues from the same cursor. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import * as offline from '@passwordbroker/core/contract/account/offline';
import { utf8 } from '@passwordbroker/core/crypto/bytes';
import { startTestApp, type TestApp } from '../../../server/src/testing/test-app.ts';
import { newDevice, openPage, ORIGIN, type Device, type OfflineTestPage } from '../testing/offline-page.node.ts';
import { addSecret, groupWithSecret, mateOf, signUpAll, type Mate } from '../testing/team.node.ts';
import type { FieldPath } from '../vault/vault.ts';
import { isReady } from './parts/parts.ts';

let app: TestApp;
let elsewhere: Mate;
let path: FieldPath;
let device: Device;
let page: OfflineTestPage;

beforeAll(async () => {
  app = await startTestApp();
  const [ada] = await signUpAll(app, ['ada']);
  if (ada === undefined) throw new Error('nobody signed up');
  elsewhere = await mateOf(await app.signIn(ada));
  path = await groupWithSecret(elsewhere, 'first value');
  device = newDevice();
  page = await openPage(await app.signIn(ada), device);
  await page.unlock();
  await page.engine.enable();
  await vi.waitFor(() => expect(isReady(page.state().parts)).toBe(true), 20_000);
  // From here on only this test writes to the copy.
  page.engine.stop();
}, 60_000);
afterAll(async () => {
  page.close();
  await app.stop();
});

const pieces = () => device.copies.kept.pieces.get(page.name) ?? [];
async function follow() {
  const checked = await page.real.keyring.call('checkCopy', { origin: ORIGIN });
  if (checked.state !== 'found') throw new Error('no copy');
  const { cursor: since } = checked;
  const { applicationId: user_application_id = '' } = device.copies.kept.records.get(page.name) ?? {};
  const answer = await page.real.http.call(offline.entryGroupsWithFields, { query: { user_application_id, since } });
  const sent = utf8(JSON.stringify(answer)).buffer as ArrayBuffer;
  return { since, answer, taken: await page.real.keyring.call('takeCopy', { origin: ORIGIN, answer: sent, since }) };
}

test('an empty change is not stored, and the next change applies', async () => {
  const before = pieces();
  const { since, answer, taken } = await follow();
  expect(answer.delta).toEqual({ trees: null, groups: [], gone_groups: [], gone_entries: [] });
  expect(taken).toMatchObject({ cursor: since, isWhole: false, files: [], goneFiles: [] });
  expect(pieces()).toEqual(before);

  await addSecret(elsewhere, path, 'second value');
  const next = await follow();
  expect([next.since, next.answer.delta?.groups.length]).toEqual([since, 1]);
  expect(next.taken.cursor).not.toBe(since);
  expect(pieces()).toHaveLength(before.length + 1);
  expect(await page.real.keyring.call('checkCopy', { origin: ORIGIN })).toMatchObject({ state: 'found' });
});
