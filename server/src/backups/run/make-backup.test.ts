/** One process at a time makes backups; one that lost its lease changes nothing of its successor. */
import { link, mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import * as backups from '@passwordbroker/core/contract/site/backups';
import type { Deps } from '../../http/context.ts';
import { LEASE_EXPIRES, Lease, LeaseLost } from '../../platform/leases/lease.ts';
import { startTestApp } from '../../testing/test-app.ts';
import type { SignedIn, TestApp } from '../../testing/test-app.ts';
import { changeBackup, findBackup } from '../backup-repository.ts';
import { makeAsked, makeWaiting } from './make-backup.ts';
import { restoreInto } from '../testing/archive.ts';
import { heldUp } from '../testing/held-up.ts';
import { fillVault } from '../testing/vault.ts';

let app: TestApp;
let ada: SignedIn;
beforeAll(async () => {
  app = await startTestApp();
  ({ ada } = await fillVault(app));
});
afterAll(() => app.stop());
beforeEach(() => app.clock.advance(60_000));

const folder = () => app.deps.config.backupDir;
const ask = async () => (await ada.call(backups.create)).backup_id;
const shown = (id: string) => ada.call(backups.get, { params: { id } });

/** Takes the lease of a holder whose heartbeat expired. */
async function takeOver(): Promise<Lease> {
  let now = 0;
  const lease = new Lease(app.deps.db, 'backups', { elapsed: () => now });
  expect(await lease.hold()).toBe(false);
  now += LEASE_EXPIRES;
  expect(await lease.hold()).toBe(true);
  return lease;
}

test('an attempt that lost its lease before naming its archive changes nothing of its successor', async () => {
  const id = await ask();
  // The first transaction marks the start; the second records the archive's name and 'created'.
  const slow = heldUp(app.deps, (act) => act >= 2);
  const late = makeWaiting(slow.deps);
  await slow.reached;
  expect((await readdir(folder())).filter((name) => name.endsWith('.part'))).toHaveLength(1);
  const creating = await shown(id);
  expect([creating.state, creating.verified_at, creating.counts]).toEqual(['creating', null, null]);
  expect(creating.progress).toBeGreaterThanOrEqual(0);
  expect(await makeWaiting(app.deps, await takeOver())).toBe(1);
  const made = await shown(id);
  const bytes = await readFile(join(folder(), made.file_name));
  slow.letGo();
  await expect(late).rejects.toBeInstanceOf(LeaseLost);
  expect(await shown(id)).toEqual(made);
  expect(made.state).toBe('created');
  expect((await readFile(join(folder(), made.file_name))).equals(bytes)).toBe(true);
  expect(await readdir(folder())).toEqual([made.file_name]);
  expect(await readdir(join(app.dataDir, 'backup-work'))).toEqual([]);
  const { counts } = await restoreInto(join(folder(), made.file_name), null);
  expect(counts).toEqual(made.counts);
});

test("an attempt that fails while another one runs does not affect the other's archive", async () => {
  const id = await ask();
  const slow = heldUp(app.deps, (act) => act >= 2);
  const first = makeWaiting(slow.deps);
  await slow.reached;
  const other = heldUp(app.deps, (act) => act >= 3);
  const second = makeWaiting(other.deps, await takeOver());
  // The second attempt has verified its archive; the first one ends before it names its own.
  await other.reached;
  slow.letGo();
  await expect(first).rejects.toBeInstanceOf(LeaseLost);
  other.letGo();
  expect(await second).toBe(1);
  expect(await shown(id)).toMatchObject({ state: 'created', error_message: null });
});

test('unknown files in the folder stay; temporary files of own attempts are removed', async () => {
  await mkdir(folder(), { recursive: true });
  const ours = (await app.deps.db.read.selectFrom('backups').select('backup_id').executeTakeFirstOrThrow()).backup_id;
  const strangers = ['.0197f1d2-0000-7000-8000-000000000002.aaaa.part', 'other.tar.gz'];
  for (const name of [...strangers, `.${ours}.bbbb.part`]) await writeFile(join(folder(), name), 'x');
  const id = await ask();
  await makeWaiting(app.deps);
  const names = await readdir(folder());
  expect(names).toEqual(expect.arrayContaining([...strangers, (await shown(id)).file_name]));
  expect(names.filter((name) => name.includes('bbbb'))).toEqual([]);
});

test('an existing file is not overwritten: the backup takes the name of the next free second', async () => {
  const id = await ask();
  const row = await findBackup(app.deps.db.read, id);
  const path = join(folder(), row?.file_name ?? '');
  await writeFile(path, 'put there by somebody');
  await makeWaiting(app.deps);
  const made = await shown(id);
  expect(made).toMatchObject({ state: 'created', error_message: null });
  expect(made.file_name).toMatch(/^pb_backup_\d{4}_\d\d_\d\d__\d\d_\d\d_\d\d\.tar\.gz$/);
  expect(made.file_name > (row?.file_name ?? '')).toBe(true);
  expect(await readFile(path, 'utf8')).toBe('put there by somebody');
  expect((await restoreInto(join(folder(), made.file_name), null)).counts).toEqual(made.counts);
});

test('two sites with one folder that request a backup in the same second both get a complete archive', async () => {
  const other = await startTestApp({ environment: { BACKUP_DIR: folder() } });
  try {
    const { ada: eve } = await fillVault(other);
    other.clock.advance(app.clock.now() - other.clock.now());
    const [ours, theirs] = [await ask(), (await eve.call(backups.create)).backup_id];
    const theirRow = () => eve.call(backups.get, { params: { id: theirs } });
    // Neither sees the other's files, so both choose the same name.
    expect((await shown(ours)).file_name).toBe((await theirRow()).file_name);
    const made = await Promise.all([makeWaiting(app.deps), makeWaiting(other.deps)]);
    expect(made).toEqual([1, 1]);
    const both = [await shown(ours), await theirRow()];
    expect(both.map(({ state }) => state)).toEqual(['created', 'created']);
    expect(new Set(both.map(({ file_name }) => file_name)).size).toBe(2);
    for (const { file_name, size, counts } of both) {
      expect((await readFile(join(folder(), file_name))).length).toBe(size);
      expect((await restoreInto(join(folder(), file_name), null)).counts).toEqual(counts);
    }
  } finally {
    await other.stop();
  }
});

test('resuming after a dead process removes the archive of its attempt, whatever its name, and no other file', async () => {
  const id = await ask();
  const name = (await findBackup(app.deps.db.read, id))?.file_name ?? '';
  // Another site used this name first; our attempt took the next name and died before recording it.
  await writeFile(join(folder(), name), 'of the other site');
  const part = join(folder(), `.${id}.dead.part`);
  await writeFile(part, 'ours, not told');
  await link(part, join(folder(), 'pb_backup_untold.tar.gz'));
  await app.deps.db.transact((tx) => changeBackup(tx, id, { state: 'creating', attempts: 1 }));
  expect(await makeWaiting(app.deps)).toBe(1);
  expect(await readFile(join(folder(), name), 'utf8')).toBe('of the other site');
  const names = await readdir(folder());
  expect(names).not.toContain('pb_backup_untold.tar.gz');
  expect(names.filter((one) => one.startsWith(`.${id}`))).toEqual([]);
  const made = await shown(id);
  expect(made.state).toBe('created');
  expect(names).toContain(made.file_name);
});

test('one of several waiting backups can be made alone', async () => {
  const [first, second] = [await ask(), await ask()];
  await makeAsked(app.deps, second);
  expect([(await shown(first)).state, (await shown(second)).state]).toEqual(['await', 'created']);
  await makeWaiting(app.deps);
  expect((await shown(first)).state).toBe('created');
});

test('a backup that was committed counts as created despite a lost connection', async () => {
  const id = await ask();
  const { db } = app.deps;
  // The commit succeeds, but its response is lost.
  let acts = 0;
  const transact: Deps['db']['transact'] = async (work) => {
    const done = await db.transact(work);
    acts += 1;
    if (acts === 2) throw new Error('connection lost');
    return done;
  };
  await makeWaiting({ ...app.deps, db: { ...db, transact } });
  const made = await shown(id);
  expect(made).toMatchObject({ state: 'created', error_message: null });
  expect(await readdir(folder())).toContain(made.file_name);
});

test('after three attempts without a result the backup fails with an error', async () => {
  const id = await ask();
  await app.deps.db.transact((tx) => changeBackup(tx, id, { state: 'creating', attempts: 3 }));
  expect(await makeWaiting(app.deps)).toBe(0);
  expect(await shown(id)).toMatchObject({
    state: 'error',
    error_message: 'The server stopped while the backup was made.',
  });
});

test('at most 50 backups wait, also with concurrent requests', async () => {
  const create = async () => (await ada.request({ method: 'POST', path: backups.create.path })).status;
  const asked = await Promise.all(Array.from({ length: 60 }, create));
  expect(asked.filter((status) => status === 201).length).toBe(50);
  expect(asked.filter((status) => status === 429).length).toBe(10);
  await app.deps.db.transact((tx) => tx.deleteFrom('backups').where('state', '=', 'await').execute());
});

test('a server stop during a backup puts it back into the queue without counting an attempt', async () => {
  const id = await ask();
  const stopping = new AbortController();
  const making = makeWaiting(app.deps, undefined, stopping.signal);
  const row = () => findBackup(app.deps.db.read, id);
  await expect.poll(row, { interval: 1, timeout: 20_000 }).toMatchObject({ state: 'creating', attempts: 1 });
  stopping.abort();
  await expect(making).rejects.toThrow();
  expect(await row()).toMatchObject({ state: 'await', attempts: 0, progress: null });
  expect(await makeWaiting(app.deps)).toBe(1);
  expect(await shown(id)).toMatchObject({ state: 'created' });
});
