/** The clock of the machine is set by a day, forward and back, while people work (R63). */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { keptSince } from '../server/src/audit/retention.ts';
import { BASE, addGroup, addUser, guestOf, passwordOf, signIn, signUp, type Caller } from './testing/caller.ts';
import { examine } from './testing/doctor.ts';
import { newLedger } from './testing/ledger.ts';
import { startWithMovedClock, type MovedClock } from './testing/moved-clock.ts';
import type { RunningServer } from '../e2e/testing/server/server.ts';

const CLI = fileURLToPath(new URL('../server/dist/cli.js', import.meta.url));
const HOUR = 60 * 60_000;
const DAY = 24 * HOUR;
/** Longer than the intervals of the jobs that remove old rows. */
const ROUND = 75_000;

let server: RunningServer & MovedClock;
afterEach(async () => {
  await server.stop();
});

const isSignedIn = async (caller: Caller) => {
  const { text } = await caller.request('GET', '/identity/api/me');
  return text.includes('"loggedIn"');
};
const tryPassword = (caller: Caller, name: string, password = passwordOf(name).password) =>
  caller.request('POST', '/identity/api/login', { ...passwordOf(name), password });
/** A sign-in with a wrong password from a new browser. @returns the status */
async function guess(name: string): Promise<number> {
  const guest = guestOf(server);
  await guest.request('GET', '/sanctum/csrf-cookie');
  return (await tryPassword(guest, name, 'a wrong one')).status;
}
const lines = (text: string) => server.output().split(text).length - 1;

/** A client with a bearer token, which has no idle limit. */
async function scriptOf(name: string): Promise<Caller> {
  const guest = guestOf(server);
  await guest.request('GET', '/sanctum/csrf-cookie');
  const { token } = await guest.accepted<{ token: string }>('POST', '/identity/api/login', {
    ...passwordOf(name),
    token_is_required: true,
    token_name: 'ledger',
  });
  return guestOf(server, { authorization: `Bearer ${token}` });
}

async function expectWhole() {
  await server.end();
  const { code, output } = await examine(server.dataDir);
  expect(code, output).toBe(0);
  const env = { ...process.env, DATA_DIR: server.dataDir };
  // Throws unless the exit code is 0.
  await promisify(execFile)(process.execPath, [CLI, 'audit', 'verify'], { env, timeout: 60_000 });
}

test('the clock is set a day forward, back, a day back and forward again: no session outlives its limits, nobody stays locked out, nothing acknowledged is lost, and the log says so (R63)', async () => {
  server = await startWithMovedClock();
  const ada = await signUp(server);
  await addUser(server, ada, 'Bob');
  const groupId = await addGroup(ada, 'Ledger');
  const script = await scriptOf('Ada');
  const ledger = newLedger();
  const stop = new AbortController();
  const writing = ledger.write(script, groupId, 3, stop.signal);
  const move = async (ms: number) => {
    server.moveTo(ms);
    const before = ledger.acknowledged;
    await wait(3000);
    expect(ledger.acknowledged).toBeGreaterThan(before);
  };

  await move(DAY);
  expect(await isSignedIn(ada)).toBe(false);
  const ahead = await signIn(server, 'Ada');
  expect(await isSignedIn(ahead)).toBe(true);
  const statuses = new Set<number>();
  for (let tries = 0; tries < 12; tries += 1) statuses.add(await guess('Bob'));
  expect(statuses).toEqual(new Set([401, 429]));

  await move(0);
  // Otherwise this session would live for a day longer than the limits.
  expect(await isSignedIn(ahead)).toBe(false);
  // Otherwise Bob would be locked out until tomorrow.
  const bob = await signIn(server, 'Bob');
  expect(await isSignedIn(bob)).toBe(true);

  await move(-DAY);
  expect(await isSignedIn(bob)).toBe(false);
  const behind = await signIn(server, 'Bob');
  expect(await isSignedIn(behind)).toBe(true);

  await move(0);
  expect(await isSignedIn(behind)).toBe(false);
  expect(await isSignedIn(await signIn(server, 'Bob'))).toBe(true);
  expect(await isSignedIn(await signIn(server, 'Ada'))).toBe(true);
  stop.abort();
  await writing;
  expect(ledger.surprises).toEqual([]);
  expect(await ledger.compare(script, groupId)).toEqual([]);
  expect([lines('was set forward'), lines('was set back')]).toEqual([2, 2]);
  await expectWhole();
});

test('a clock set a day forward and back removes nothing early from the trash or the audit log; after a restart expired rows are removed (R63)', async () => {
  server = await startWithMovedClock();
  let ada = await signUp(server);
  const began = Date.now();
  // After this many days the rows have less than a day left in the audit log.
  const days = [27, 28, 29, 30, 31].find(
    (n) =>
      keptSince(began + n * DAY, 1).getTime() <= began && keptSince(began + n * DAY + 25 * HOUR, 1).getTime() > began,
  );
  if (days === undefined) throw new Error('The log is kept for a month of 28 to 31 days');
  const groupId = await addGroup(ada, 'Group');
  await ada.accepted('PUT', '/system/api/setting/site', { log_months: 1, trash_days: days + 1 });
  const entries = `${BASE}/entryGroups/${groupId}/entries`;
  const { entry_id } = await ada.accepted<{ entry_id: string }>('POST', entries, { title: 'Entry' });
  const { operation_id } = await ada.accepted<{ operation_id: string }>('DELETE', `${entries}/${entry_id}`);
  const isInTrash = async () => (await ada.request('GET', `${BASE}/trash`)).text.includes(operation_id);
  const firstEvents = async () => {
    const rows = await ada.request('GET', '/system/api/auditLog/export?format=ndjson');
    return rows.text
      .split('\n')
      .filter((row) => row !== '' && new Date(JSON.parse(row).created_at).getTime() < began + HOUR);
  };
  const startAt = async (ms: number) => {
    await server.end();
    server.moveTo(ms);
    await server.restart();
    ada = await signIn(server, 'Ada');
  };

  await startAt(days * DAY);
  expect([await isInTrash(), (await firstEvents()).length > 2]).toEqual([true, true]);
  server.moveTo(days * DAY + 25 * HOUR);
  await wait(ROUND);
  ada = await signIn(server, 'Ada');
  server.moveTo(days * DAY);
  ada = await signIn(server, 'Ada');
  expect([await isInTrash(), (await firstEvents()).length > 2]).toEqual([true, true]);
  // The export includes events from while the clock was wrong.
  expect((await ada.request('GET', '/system/api/auditLog/export?format=ndjson')).text).toContain(
    new Date(began + days * DAY + 25 * HOUR).toISOString().slice(0, 10),
  );

  await startAt(days * DAY + 25 * HOUR);
  await expect
    .poll(async () => [await isInTrash(), (await firstEvents()).length], { timeout: ROUND })
    .toEqual([false, 0]);
  await expectWhole();
});
