/** `backup create|list|verify|restore`, on real data folders. */
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { changeSettings, create, get } from '@passwordbroker/core/contract/site/backups';
import { fillVault } from '../../backups/testing/vault.ts';
import { startTestApp } from '../../testing/test-app.ts';
import type { SignedIn, TestApp } from '../../testing/test-app.ts';
import { EXIT } from '../command.ts';
import { runCommandLine } from '../run.ts';

let app: TestApp;
let ada: SignedIn;
let other: string;
let elsewhere: Environment;
beforeAll(async () => {
  app = await startTestApp();
  other = await mkdtemp(join(tmpdir(), 'passwordbroker-other-'));
  elsewhere = { DATA_DIR: other };
  ({ ada } = await fillVault(app));
  const body = { schedule: [3], enable: true, email_enable: false, archive_password: 'the archive password' };
  await ada.call(changeSettings, { body });
});
afterAll(async () => {
  await app.stop();
  await rm(other, { recursive: true });
});

type Environment = Readonly<Record<string, string>>;

async function run(args: readonly string[], environment: Environment, secret = 'the archive password') {
  const said: string[] = [];
  const told: string[] = [];
  const terminal = {
    say: (text: string) => void said.push(text),
    tell: (text: string) => void told.push(text),
    secret: () => Promise.reject(new Error('A password that exists is not typed twice')),
    knownSecret: () => Promise.resolve(secret),
  };
  const code = await runCommandLine(args, environment, terminal);
  return { code, said: said.join('\n'), told: told.join('\n') };
}

const COUNTS = '1 user, 1 group, 3 entries, 2 fields, 3 revisions, 1 file';

test('backup creates, lists, verifies and restores into another folder beside the running server', async () => {
  expect((await run(['backup', 'list'], app.environment)).told).toBe('No backup data available.');
  const made = await run(['backup', 'create'], app.environment);
  expect([made.code, made.told]).toEqual([EXIT.done, `Restored on trial: ${COUNTS}.`]);
  const [name = ''] = made.said.split('  ');
  expect(name).toMatch(/^pb_backup_[\d_]+\.tar\.gz\.age$/);
  const path = join(app.dataDir, 'backups', name);
  const list = await run(['backup', 'list'], app.environment);
  expect(list.said).toMatch(/^created .*\.age {2}\d+ bytes {2}verified$/);
  const verified = await run(['backup', 'verify', path], elsewhere);
  expect([verified.code, verified.said]).toEqual([
    EXIT.done,
    `The archive is whole: ${COUNTS}, ${(await readFile(path)).length} bytes.`,
  ]);
  expect(await run(['backup', 'verify', path], elsewhere, 'wrong')).toEqual({
    code: EXIT.failed,
    said: '',
    told: 'The backup needs a password or the password is wrong.',
  });
  expect((await run(['backup', 'restore', path], app.environment)).code).toBe(EXIT.failed);
  const restored = await run(['backup', 'restore', path], elsewhere);
  expect([restored.code, restored.told]).toEqual([EXIT.done, '']);
  expect((await run(['backup', 'restore', path], elsewhere)).told).toBe(
    'This server already has users, so no backup can be restored here',
  );
  expect((await run(['doctor'], elsewhere)).code).toBe(EXIT.done);
});

test('an unknown error of a backup is logged on stderr, and other waiting backups are left to the server', async () => {
  const { backup_id: id } = await ada.call(create);
  await app.deps.db.transact((tx) => sql`create table nobody_knows (id integer)`.execute(tx));
  try {
    const failed = await run(['backup', 'create'], app.environment);
    expect([failed.code, failed.said]).toEqual([EXIT.failed, '']);
    const [logged = '', sentence] = failed.told.split('\n');
    expect(JSON.parse(logged)).toMatchObject({ level: 'error', event: 'backup', error: { name: 'BackupFailed' } });
    // The stack trace of the worker thread.
    expect(logged).toContain('refuseUnknownTables');
    expect(sentence).toBe('Something went wrong. The log says what.');
  } finally {
    await app.deps.db.transact((tx) => sql`drop table nobody_knows`.execute(tx));
  }
  expect(await ada.call(get, { params: { id } })).toMatchObject({ state: 'await' });
});

test('foreign, damaged and missing files are reported', async () => {
  const path = join(other, 'file');
  await writeFile(path, 'no backup');
  const foreign = await run(['backup', 'verify', path], elsewhere);
  expect([foreign.code, foreign.told]).toEqual([EXIT.failed, 'The file is not a backup of this product.']);
  const damaged = `${path}.damaged`;
  const [archive = ''] = await readdir(join(app.dataDir, 'backups'));
  await writeFile(damaged, (await readFile(join(app.dataDir, 'backups', archive))).subarray(0, -100));
  for (const command of ['verify', 'restore']) {
    const empty = { DATA_DIR: join(other, 'empty') };
    expect(await run(['backup', command, damaged], empty)).toEqual({
      code: EXIT.failed,
      said: '',
      told: expect.stringMatching(/^The backup is damaged\. \(\w[^()]+\)$/) as string,
    });
  }
  expect((await run(['backup', 'verify', `${path}x`], elsewhere)).told).toContain('There is no file');
  expect((await run(['backup', 'verify'], elsewhere)).code).toBe(EXIT.usage);
});

test('backup status with a second target reports a failed copy as a warning only', async () => {
  const second = join(other, 'second');
  const environment = { ...app.environment, BACKUP_COPY: second };
  expect(await run(['backup', 'status'], app.environment)).toMatchObject({
    code: EXIT.done,
    said: expect.stringContaining('second target\tnone') as string,
    told: '',
  });
  const made = await run(['backup', 'create'], environment);
  const missing = 'The folder of the second target is not there. Is its disk mounted?';
  expect([made.code, made.told.split('\n').at(-1)]).toEqual([EXIT.done, `Second target: ${missing}`]);
  expect((await run(['backup', 'list'], environment)).said.split('\n')[0]).toMatch(
    /verified {2}copy failed {2}The folder of the second/,
  );
  const failing = await run(['backup', 'status'], environment);
  expect(failing).toMatchObject({ code: EXIT.done, told: `Copy: ${missing}` });
  await mkdir(second);
  const again = await run(['backup', 'create'], environment);
  expect(again.told.split('\n').at(-1)).toBe('Second target: copied');
  expect((await run(['backup', 'status'], environment)).said).toBe(
    [
      'schedule\tenabled',
      'archive password\tset',
      `last backup\t${await madeAt()}`,
      `second target\t${second}`,
      `last copy\t${await copiedAt()}`,
    ].join('\n'),
  );
  await app.deps.db.transact((tx) =>
    tx.updateTable('backups').set({ made_at: 1 }).where('made_at', 'is not', null).execute(),
  );
  await app.deps.db.transact((tx) => tx.updateTable('backup_settings').set({ enabled_at: 1 }).execute());
  expect(await run(['backup', 'status'], environment)).toMatchObject({
    code: EXIT.failed,
    told: 'No backup has succeeded for a day.',
  });
});

async function madeAt(): Promise<string> {
  const { at } = await app.deps.db.read
    .selectFrom('backups')
    .select((eb) => eb.fn.max<number>('made_at').as('at'))
    .executeTakeFirstOrThrow();
  return new Date(at ?? 0).toISOString();
}

async function copiedAt(): Promise<string> {
  const { at } = await app.deps.db.read
    .selectFrom('backup_copies')
    .select((eb) => eb.fn.max<number>('copied_at').as('at'))
    .executeTakeFirstOrThrow();
  return new Date(at).toISOString();
}
