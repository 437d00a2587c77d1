/** Saving the settings of backups: what wants the account password of the last ten minutes, and what does not (T22 has the calls themselves). */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import * as backups from '@passwordbroker/core/contract/backups';
import { startTestApp } from '../testing/test-app.ts';
import type { SignedIn, TestApp } from '../testing/test-app.ts';
import { MINUTE } from '../testing/test-clock.ts';

let app: TestApp;
let ada: SignedIn;
beforeAll(async () => {
  app = await startTestApp();
  ada = await app.signUp('ada');
  await ada.call(backups.changeSettings, { body: { ...SAVED, archive_password: 'the first one' } });
});
afterAll(() => app.stop());
beforeEach(() => app.clock.advance(11 * MINUTE));

const SAVED = { schedule: [3], enable: true, email_enable: true, email: 'ops@example.org' };
const save = (changes: object) => ada.request({ path: backups.changeSettings.path, json: { ...SAVED, ...changes } });
const stored = () => app.deps.db.read.selectFrom('backup_settings').selectAll().executeTakeFirstOrThrow();

test.each([
  { archive_password: 'another one' },
  { archive_password: '' },
  { email: 'thief@example.org' },
  { email: '', email_enable: false },
  { keep: 29 },
])('an old sign-in does not save %j, and nothing of what came with it', async (changes) => {
  const before = await stored();
  const refused = await save({ ...changes, schedule: [5] });
  expect([refused.status, refused.json<{ code: string }>().code]).toEqual([403, 'reauth_required']);
  expect(await stored()).toEqual(before);
});

test('what does not touch them is saved without asking, also when the same address comes along', async () => {
  expect((await save({ schedule: [3, 15], keep: 31, archive_password: null, email: ' ops@example.org ' })).status).toBe(
    200,
  );
  expect((await save({ email_enable: false, keep: 31 })).status).toBe(200);
  expect(await ada.call(backups.settings)).toMatchObject({
    keep: 31,
    archive_password_set: true,
    email_possible: false,
  });
});
