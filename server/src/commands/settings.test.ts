import { afterAll, beforeAll, expect, test } from 'vitest';
import * as audit from '@passwordbroker/core/contract/audit';
import * as site from '@passwordbroker/core/contract/site';
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

/** What the API answers, as the command prints it. */
async function ofTheServer(): Promise<string[]> {
  const {
    updated_at: _,
    your_address: __,
    ...values
  } = {
    ...(await ada.call(site.settings)),
    ...(await ada.call(site.limits)),
    ...(await ada.call(site.siteNetworks)),
  };
  return Object.entries(values).map(([name, value]) => `${name}\t${String(value)}`);
}

test('settings list prints every setting and limit that the API answers', async () => {
  const { code, said } = await settings('list');
  expect(code).toBe(EXIT.done);
  expect(said.toSorted()).toEqual((await ofTheServer()).toSorted());
});

test('settings set changes one beside the running server, and is on record', async () => {
  expect(await settings('set', 'trash_days', '7')).toEqual({ code: EXIT.done, said: ['trash_days is 7 now.'] });
  expect(await settings('set', 'file_mib', '3')).toEqual({ code: EXIT.done, said: ['file_mib is 3 now.'] });
  expect([(await ada.call(site.settings)).trash_days, (await ada.call(site.limits)).file_mib]).toEqual([7, 3]);
  const { data } = await ada.call(audit.list, { query: { event_type: 'settings_changed' } });
  expect(data).toMatchObject([
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
