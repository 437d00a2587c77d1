/** Saving backup settings needs the account password of the last ten minutes. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import * as backups from '@passwordbroker/core/contract/site/backups';
import * as credentials from '@passwordbroker/core/contract/account/credentials';
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
beforeEach(() => confirm());

const SAVED = { schedule: [3], enable: true, email_enable: true, email: 'ops@example.org' };
const save = (changes: object) => ada.request({ path: backups.changeSettings.path, json: { ...SAVED, ...changes } });
const confirm = () => ada.call(credentials.confirmPassword, { body: { password: ada.password } });
const stored = () => app.deps.db.read.selectFrom('backup_settings').selectAll().executeTakeFirstOrThrow();

test.each([
  { archive_password: 'another one' },
  { archive_password: '' },
  { email: 'thief@example.org' },
  { email: '', email_enable: false },
  { keep: 29 },
  { keep_days: 30 },
  { keep: 31 },
  {},
])('without a recently confirmed password %j is not saved, nor any other change of the request', async (changes) => {
  const before = await stored();
  app.clock.advance(11 * MINUTE);
  const refused = await save({ ...changes, schedule: [5] });
  expect([refused.status, refused.json<{ code: string }>().code]).toEqual([403, 'reauth_required']);
  expect(await stored()).toEqual(before);
});

test('an archive password that is absent or null stays unchanged', async () => {
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

test('days to keep: saved, unchanged if absent, 0 for no limit', async () => {
  expect((await save({ keep: 31, keep_days: 60 })).status).toBe(200);
  expect((await save({ keep: 31 })).status).toBe(200);
  expect(await ada.call(backups.settings)).toMatchObject({ keep_days: 60 });
  expect((await save({ keep_days: 0 })).status).toBe(200);
  expect(await ada.call(backups.settings)).toMatchObject({ keep_days: 0 });
});

test.each([-1, 3651, 1.5, 'many', {}])(
  'days to keep: %j is refused with a sentence, and nothing changes',
  async (keep_days) => {
    const before = await stored();
    const refused = await save({ keep_days });
    expect(refused.status).toBe(422);
    expect(refused.json<{ errors: unknown }>().errors).toEqual({
      keep_days: [expect.stringMatching(/^The keep days must be/)],
    });
    expect(await stored()).toEqual(before);
  },
);

test('the time when the schedule was enabled stays when other settings change', async () => {
  const since = (await stored()).enabled_at;
  expect(since).not.toBeNull();
  await save({ schedule: [4] });
  expect((await stored()).enabled_at).toBe(since);
  await save({ enable: false });
  expect((await stored()).enabled_at).toBeNull();
  await save({ enable: true });
  expect((await stored()).enabled_at).toBe(app.clock.now());
});
