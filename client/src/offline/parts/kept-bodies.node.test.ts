/** File bodies of the offline copy: exactly those of its files, unchanged. */
import { changeSettings } from '@passwordbroker/core/contract/site/site';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { startTestApp, type SignedIn, type TestApp } from '../../../../server/src/testing/test-app.ts';
import { newDevice, openPage, type Device, type OfflineTestPage } from '../../testing/offline-page.node.ts';
import { groupWithSecret, mateOf, signUpAll, type Mate } from '../../testing/team.node.ts';
import type { FieldPath } from '../../vault/vault.ts';
import { isReady } from './parts.ts';

let app: TestApp;
let ada: SignedIn;
let elsewhere: Mate;
let path: FieldPath;
let device: Device;
let page: OfflineTestPage;

beforeAll(async () => {
  app = await startTestApp();
  const [first] = await signUpAll(app, ['ada']);
  if (first === undefined) throw new Error('nobody signed up');
  ada = first;
  elsewhere = await mateOf(await app.signIn(ada));
}, 60_000);
afterAll(() => app.stop());
beforeEach(async () => {
  path = await groupWithSecret(elsewhere, 'a value');
  device = newDevice();
  page = await openPage(await app.signIn(ada), device);
  await page.unlock();
  await page.engine.enable();
  await page.engine.setFileLimit(50_000);
  await vi.waitFor(() => expect(isReady(page.state().parts)).toBe(true), 20_000);
});
afterEach(async () => {
  page.close();
  await elsewhere.write.removeGroup(path.entryGroupId);
});

const file = (size: number) => new File([new Uint8Array(size).fill(7)], `${size}.bin`);
const add = (size: number) => elsewhere.write.createField(path, { type: 'file', title: `${size}`, file: file(size) });
const bodies = () => [...(device.copies.kept.bodies.get(page.name)?.values() ?? [])];
const kept = () => bodies().map(({ fieldId, rev }) => `${fieldId} ${rev}`);
const keeps = (...expected: readonly string[]) =>
  vi.waitFor(() => expect(kept().sort()).toEqual([...expected].sort()), 20_000);

test('a file that is replaced, exceeds the limit or is removed leaves no body behind', async () => {
  const [one, two, three] = [await add(1_000), await add(2_000), await add(3_000)];
  await keeps(`${one.field_id} 1`, `${two.field_id} 1`, `${three.field_id} 1`);
  const change = { type: 'file', title: 'other' } as const;
  await elsewhere.write.updateField({ ...path, field: one }, { ...change, file: file(4_000) });
  await keeps(`${one.field_id} 2`, `${two.field_id} 1`, `${three.field_id} 1`);
  await elsewhere.write.updateField({ ...path, field: two }, { ...change, file: file(90_000) });
  await keeps(`${one.field_id} 2`, `${three.field_id} 1`);
  await elsewhere.write.removeField({ ...path, field: three });
  await keeps(`${one.field_id} 2`);
  await elsewhere.write.removeEntries(path.entryGroupId, [path.entryId]);
  await keeps();
});

test.each([
  ['forbidden', 403],
  ['not_found', 404],
] as const)('a file that is %s by now is skipped, and the others are downloaded', async (code, status) => {
  const fieldId = crypto.randomUUID();
  let refused = 0;
  page.real.refuse = (name) => {
    if (!name.includes(`${fieldId}/file?`)) return null;
    refused += 1;
    return { code, status };
  };
  await elsewhere.write.createField(path, { type: 'file', title: 'Lost', file: file(1_000) }, { fieldId });
  await vi.waitFor(() => expect(refused).toBe(1), 20_000);
  const two = await add(2_000);
  await keeps(`${two.field_id} 1`);
});

test.each([
  ['unavailable', 503],
  ['too_many_requests', 429],
  ['internal', 500],
] as const)('files that the server could not provide (%s) are downloaded later', async (code, status) => {
  let refused = 0;
  let isDown = true;
  page.real.refuse = (name) => {
    if (!isDown || !name.includes('/file?')) return null;
    refused += 1;
    return { code, status };
  };
  const one = await add(1_000);
  await vi.waitFor(() => expect(refused).toBeGreaterThan(0), 20_000);
  const two = await add(2_000);
  await vi.waitFor(() => expect(refused).toBeGreaterThan(1), 20_000);
  expect(kept()).toEqual([]);
  isDown = false;
  // No change follows: the next check of the server fetches it.
  await keeps(`${one.field_id} 1`, `${two.field_id} 1`);
});

test('files for which the browser has no room are retried with increasing delay', async () => {
  const whole = { ...device.copies };
  device.copies.keepBody = () => Promise.reject(new DOMException('no room', 'QuotaExceededError'));
  const asked = () => page.real.requests.filter((request) => request.includes('/file?')).length;
  const one = await add(1_000);
  await vi.waitFor(() => expect(asked()).toBeGreaterThan(2), 20_000);
  // The page checks every 40 ms.
  const before = asked();
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  expect(asked() - before).toBeLessThan(6);
  Object.assign(device.copies, whole);
  await keeps(`${one.field_id} 1`);
});

test('file bodies are removed at the next check when the site forbids them, and return when it allows them', async () => {
  const one = await add(1_000);
  await keeps(`${one.field_id} 1`);
  const site = (offline_files: boolean) => ada.call(changeSettings, { body: { offline_files } });
  await site(false);
  await keeps();
  expect(page.state()).toMatchObject({ enabled: true, filesAllowed: false, fileLimit: 50_000 });
  const asked = () => page.real.requests.filter((request) => request.includes('/file?')).length;
  const before = asked();
  await add(2_000);
  await vi.waitFor(() => expect(isReady(page.state().parts)).toBe(true), 20_000);
  expect([asked(), kept()]).toEqual([before, []]);
  // Stored for the next page load, before the server is asked.
  page.close();
  page = await openPage(await app.signIn(ada), device);
  await vi.waitFor(() => expect(page.state()).toMatchObject({ enabled: true, filesAllowed: false }), 20_000);
  await site(true);
  await page.unlock();
  await vi.waitFor(() => expect(kept()).toHaveLength(2), 20_000);
  expect(page.state()).toMatchObject({ filesAllowed: true });
});
