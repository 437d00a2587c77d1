/** Archives are complete, open only with their password, and are refused if changed (T82, T84, T86, R21). */
import { execFile, spawn, spawnSync } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { createGunzip } from 'node:zlib';
import { sql } from 'kysely';
import tar from 'tar-stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openToRead } from '../../db/open.ts';
import { startTestApp } from '../../testing/test-app.ts';
import type { TestApp } from '../../testing/test-app.ts';
import { readTable, refuseUnknownTables } from '../run/snapshot-repository.ts';
import { BACKED_UP, LEFT_OUT } from './tables.ts';
import { ARCHIVE_PASSWORD, archiveOf, restoreInto } from '../testing/archive.ts';
import { refusedDamages } from '../testing/refused-damages.ts';
import { fillVault } from '../testing/vault.ts';
import type { Vault } from '../testing/vault.ts';

const run = promisify(execFile);
let app: TestApp;
let vault: Vault;
let sealed: string;
let plain: string;
beforeAll(async () => {
  app = await startTestApp();
  vault = await fillVault(app, ['ada', 'bob']);
  sealed = await archiveOf(app);
  plain = await archiveOf(app, { password: null });
});
afterAll(() => app.stop());

test('every table of the database is either in the archive or listed as excluded', async () => {
  await expect(refuseUnknownTables(app.deps.db.read)).resolves.toBeUndefined();
  const names = [...BACKED_UP.map(({ table }) => table), ...LEFT_OUT];
  expect(new Set(names).size).toBe(names.length);
});

test('an archive that lacks rows of any table is not created', async () => {
  const other = await startTestApp();
  try {
    await other.signUp('ada');
    // Without a primary key, paging by key skips the rows after the first page.
    const user_id = (await other.deps.db.read.selectFrom('users').select('user_id').executeTakeFirstOrThrow()).user_id;
    await other.deps.db.transact(async (tx) => {
      await sql`create table without_key as select * from user_documents`.execute(tx);
      await sql`drop table user_documents`.execute(tx);
      await sql`alter table without_key rename to user_documents`.execute(tx);
      const rows = Array.from({ length: 30 }, () => ({ user_id, name: 'one', n: 1, blob: Buffer.from('x') }));
      await tx.insertInto('user_documents').values(rows).execute();
    });
    await expect(archiveOf(other)).rejects.toThrow('Not every row of user_documents was read once');
  } finally {
    await other.stop();
  }
});

test.each(['sealed', 'plain'] as const)('restoring a %s archive returns every row and every file', async (kind) => {
  const restored = kind === 'sealed' ? await restoreInto(sealed, ARCHIVE_PASSWORD) : await restoreInto(plain, null);
  expect(restored.counts).toEqual({ users: 2, entry_groups: 1, entries: 3, fields: 2, revisions: 3, files: 1 });
  const scratch = await openToRead({ dataDir: restored.scratchDir });
  for (const { table } of BACKED_UP) {
    const [before, after] = [[], []] as unknown[][];
    for await (const rows of readTable(app.deps.db.read, table)) before?.push(...rows);
    for await (const rows of readTable(scratch.read, table)) after?.push(...rows);
    expect(after, table).toEqual(before);
  }
  for (const table of ['sessions', 'attempts', 'mail_outbox', 'leases', 'backups'] as const) {
    expect(await scratch.read.selectFrom(table).selectAll().execute(), table).toEqual([]);
  }
  await scratch.close();
  const [name = ''] = await readdir(join(restored.scratchDir, 'bodies'));
  expect((await readFile(join(restored.scratchDir, 'bodies', name))).equals(vault.body)).toBe(true);
  await rm(restored.scratchDir, { recursive: true });
});

describe('standard tools open an archive', () => {
  const listed = (path: string) => run('tar', ['tzf', path]).then(({ stdout }) => stdout.trim().split('\n'));

  test('an archive without a password is a gzipped tar', async () => {
    const names = await listed(plain);
    expect([names[0], names.at(-1)]).toEqual(['passwordbroker.json', 'manifest.json']);
    await expect(run('gzip', ['-t', plain])).resolves.toBeDefined();
    // Another tar library sees the same entries.
    const seen: string[] = [];
    const extract = tar.extract();
    extract.on('entry', ({ name, type }, stream, next) => {
      seen.push(`${name} ${type}`);
      stream.on('end', next).resume();
    });
    await pipeline(createReadStream(plain), createGunzip(), extract);
    expect(seen).toEqual(names.map((name) => `${name} file`));
  });

  const HAS_AGE = spawnSync('age', ['--version']).status === 0;
  const name = `with a password the age program opens it${HAS_AGE ? '' : ' (skipped: age is not installed here)'}`;
  test.skipIf(!HAS_AGE)(name, async () => {
    const folder = await mkdtemp(join(app.dataDir, 'disaster-'));
    const [identity, opened] = [join(folder, 'identity.age'), join(folder, 'opened.tar.gz')];
    // The commands of the manual.
    const stanza = `LC_ALL=C awk '/^---/ { exit } /^-> / { on = ($2 == "passwordbroker-identity"); next } on' "$0" | base64 -d`;
    await run('sh', ['-c', `${stanza} > "$1"`, sealed, identity]);
    // age reads a password only from a terminal.
    const command = `age -d -i ${identity} -o ${opened} ${sealed}`;
    const terminal = spawn('script', ['-qec', command, '/dev/null'], { stdio: ['pipe', 'pipe', 'ignore'] });
    terminal.stdout.once('data', () => terminal.stdin.write(`${ARCHIVE_PASSWORD}\n`));
    const code = await new Promise((resolve) => terminal.once('exit', resolve));
    expect(code).toBe(0);
    expect(await listed(opened)).toEqual(await listed(plain));
  });
});

test('T83: an archive opens neither without the password nor with another one', async () => {
  await expect(restoreInto(sealed, null)).rejects.toMatchObject({ fault: 'password' });
  await expect(restoreInto(sealed, 'wrong')).rejects.toMatchObject({ fault: 'password' });
});

test('T84, R21: an archive damaged at any position is refused (a sample; the long test covers all)', async () => {
  const faults = [...(await refusedDamages(sealed, 6, 3)), ...(await refusedDamages(plain, 6, 4))];
  expect(faults.filter((fault) => fault !== 'damaged' && fault !== 'foreign')).toEqual([]);
  // Only the digest at the end notices a change in the gzip header.
  const whole = await readFile(plain);
  for (const at of [4, 8, 9]) {
    const changed = Buffer.from(whole);
    changed[at] = (whole[at] ?? 0) ^ 1;
    await writeFile(`${plain}.changed`, changed);
    await expect(restoreInto(`${plain}.changed`, null)).rejects.toMatchObject({ fault: 'damaged' });
  }
});
