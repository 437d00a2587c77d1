import { afterAll, beforeAll, expect, test } from 'vitest';
import * as audit from '@passwordbroker/core/contract/site/audit';
import * as backups from '@passwordbroker/core/contract/site/backups';
import * as site from '@passwordbroker/core/contract/site/site';
import { startTestApp } from '../testing/test-app.ts';
import type { SignedIn, TestApp } from '../testing/test-app.ts';
import { EXIT } from './command.ts';
import { runCommandLine } from './run.ts';

let app: TestApp;
let ada: SignedIn;
beforeAll(async () => {
  app = await startTestApp();
  ada = await app.signUp('ada');
});
afterAll(() => app.stop());

async function settings(...args: string[]) {
  const said: string[] = [];
  const take = (line: string) => void said.push(line);
  const secret = () => Promise.resolve('');
  const terminal = { say: take, tell: take, secret, knownSecret: secret };
  return { code: await runCommandLine(['settings', ...args], app.environment, terminal), said };
}

/** What the API tells beside the settings: counts and the state of the site, which nobody sets. */
const NOT_SET = new Set([
  'updated_at',
  'your_address',
  'without_factor',
  'unlinked',
  'accounts',
  'tokens',
  'local_sign_in_overruled',
]);

/** The settings of the API, formatted like the command's output. */
async function ofTheServer(): Promise<string[]> {
  const values = {
    ...(await ada.call(site.settings)),
    ...(await ada.call(site.limits)),
    ...(await ada.call(site.siteNetworks)),
    ...(await ada.call(site.signIn)),
  };
  const { schedule, enable, email_enable, email, keep, keep_days } = await ada.call(backups.settings);
  const ofBackups = { schedule, enable, email_enable, email: email ?? '', keep, keep_days };
  return [
    ...Object.entries(values).filter(([name]) => !NOT_SET.has(name)),
    ...Object.entries(ofBackups).map(([name, value]) => [`backup_${name}`, value] as const),
  ].map(([name, value]) => `${name}\t${String(value)}`);
}

test('settings list prints every setting and limit that the API answers', async () => {
  const { code, said } = await settings('list');
  expect(code).toBe(EXIT.done);
  expect(said.toSorted()).toEqual((await ofTheServer()).toSorted());
});

test('settings set changes a setting beside the running server, and is logged', async () => {
  expect(await settings('set', 'trash_days', '7')).toEqual({ code: EXIT.done, said: ['trash_days is 7 now.'] });
  expect(await settings('set', 'file_mib', '3')).toEqual({ code: EXIT.done, said: ['file_mib is 3 now.'] });
  const quota = await settings('set', 'person_quota_mib', '1024');
  expect(quota).toEqual({ code: EXIT.done, said: ['person_quota_mib is 1024 now.'] });
  expect((await ada.call(site.limits)).person_quota_mib).toBe(1024);
  expect([(await ada.call(site.settings)).trash_days, (await ada.call(site.limits)).file_mib]).toEqual([7, 3]);
  const { data } = await ada.call(audit.list, { query: { event_type: 'settings_changed' } });
  expect(data).toMatchObject([
    { login: null, address: 'command line' },
    { login: null, address: 'command line' },
    { login: null, address: 'command line' },
  ]);
});

test('an unknown name and an impossible value are refused with a sentence, and nothing changes', async () => {
  const before = await ofTheServer();
  expect(await settings('set', 'toString', '7')).toMatchObject({ code: EXIT.usage });
  const refused = await settings('set', 'trash_days', '366');
  expect(refused).toEqual({ code: EXIT.failed, said: ['The trash days must be between 1 and 365.'] });
  expect(await settings('set', 'server_crypto', 'sometimes')).toEqual({
    code: EXIT.failed,
    said: ['The server crypto must be one of: allowed, off.'],
  });
  expect(await settings('set', 'server_crypto')).toMatchObject({ code: EXIT.usage });
  expect(await ofTheServer()).toEqual(before);
});

test('settings set changes the settings of backups by the rules of the form', async () => {
  const refused = await settings('set', 'backup_keep_days', '90');
  expect(refused).toEqual({ code: EXIT.failed, said: ['Picking time is required'] });
  expect((await settings('set', 'backup_schedule', '15, 3')).said).toEqual(['backup_schedule is 3,15 now.']);
  expect((await settings('set', 'backup_keep_days', '90')).said).toEqual(['backup_keep_days is 90 now.']);
  expect((await settings('set', 'backup_keep_days', '3651')).said).toEqual([
    'The keep days must be between 0 and 3650.',
  ]);
  expect((await settings('set', 'backup_email_enable', 'true')).said).toEqual(['Please enter a valid email address.']);
  await settings('set', 'backup_email', 'ops@example.org');
  await settings('set', 'backup_enable', 'true');
  expect(await ada.call(backups.settings)).toMatchObject({
    schedule: [3, 15],
    enable: true,
    keep_days: 90,
    email: 'ops@example.org',
  });
  expect((await settings('set', 'backup_email', '')).said).toEqual(['backup_email is empty now.']);
  expect(await settings('set', 'backup_archive_password', 'x')).toMatchObject({ code: EXIT.usage });
  const { data } = await ada.call(audit.list, { query: { event_type: 'settings_changed', perPage: 1 } });
  expect(data).toMatchObject([{ target_type: 'backup', login: null, address: 'command line' }]);
});
