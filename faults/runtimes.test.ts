/**
 * A clone on each Node version of the README: `npm start`, one request, SIGTERM (T159). Prints a
 * table of start times (docs/adr/0014-runtimes-and-plain-builds.md).
 */
import { readdirSync } from 'node:fs';
import { afterAll, afterEach, expect, test } from 'vitest';
import { type Caller, BASE, MASTER_PASSWORD, addGroup, signIn, signUp } from './testing/caller.ts';
import { type Clone, type Started, cloneFor, hasRuntimes, runtimeOf } from './testing/runtimes.ts';

const SUPPORTED = [20, 22, 24, 26];
const SECRET = 'opens on every Node ☂';
const ARCHIVE_PASSWORD = 'from one Node to the next';
const STARTS = 7;
const suite = hasRuntimes ? test.each(SUPPORTED) : test.skip.each(SUPPORTED);
const reason = hasRuntimes ? '' : ' (skipped: the pinned binaries are for Linux on x64)';

const rows: string[] = [];
let clone: Clone | null = null;
let started: Started | null = null;
afterEach(async () => {
  await started?.end();
  await clone?.remove();
});
afterAll(() => {
  const head = [
    '| Node | first `npm start` | next `npm start` | process ready | bare Node | ratio |',
    '| --- | --- | --- | --- | --- | --- |',
  ];
  console.info([...head, ...rows].join('\n'));
});

suite(`T159: npm start on a fresh clone, a round trip and SIGTERM on Node %i${reason}`, async (major) => {
  const bin = await runtimeOf(major);
  clone = await cloneFor(bin);
  expect(clone.version).toMatch(new RegExp(`^v${major}\\.`));
  started = await clone.start('data');
  const first = started.readyAfter;
  await signUp(started);
  const ada = await signIn(started, 'Ada');
  const group = await addGroup(ada, 'Group');
  const entries = `${BASE}/entryGroups/${group}/entries`;
  const { entry_id } = await ada.accepted<{ entry_id: string }>('POST', entries, { title: 'Entry' });
  const fields = `${entries}/${entry_id}/fields`;
  const field = { type: 'password', login: 'ada', value: SECRET, master_password: MASTER_PASSWORD };
  const { field_id } = await ada.accepted<{ field_id: string }>('POST', fields, field);
  const reveal = async (caller: Caller) => {
    const { status, text } = await caller.request('POST', `${fields}/${field_id}/decrypted`, {
      master_password: MASTER_PASSWORD,
    });
    expect(status, text).toBe(200);
    return Buffer.from(text, 'base64').toString();
  };
  expect(await reveal(ada)).toBe(SECRET);
  expect(await started.end(), started.output()).toBe(0);

  started = await clone.start('data');
  const next = started.readyAfter;
  const again = await signIn(started, 'Ada');
  expect(await reveal(again)).toBe(SECRET);
  const settings = { schedule: [3], enable: false, email_enable: false, archive_password: ARCHIVE_PASSWORD };
  await again.accepted('POST', '/system/api/setting/backupSetting/backup', settings);
  await clone.command('data', ['backup', 'create']);
  expect(await started.end(), started.output()).toBe(0);
  started = null;

  const [archive = ''] = readdirSync(clone.path('data', 'backups'));
  const restore = ['backup', 'restore', clone.path('data', `backups/${archive}`), '--password-stdin'];
  await clone.command('restored', restore, `${ARCHIVE_PASSWORD}\n`);
  started = await clone.start('restored');
  expect(await reveal(await signIn(started, 'Ada'))).toBe(SECRET);
  expect(await started.end(), started.output()).toBe(0);
  started = null;
  rows.push(`| ${[clone.version.slice(1), seconds(first), seconds(next), ...(await coldStarts(clone))].join(' | ')} |`);
});

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

async function coldStarts(of: Clone): Promise<string[]> {
  const starts = [];
  for (let count = 0; count < STARTS; count += 1) starts.push(await of.coldStart('restored'));
  const [ready, bare] = [median(starts.map((one) => one.ready)), median(starts.map((one) => one.bare))];
  return [`${ready.toFixed(0)} ms`, `${bare.toFixed(0)} ms`, (ready / bare).toFixed(1)];
}
