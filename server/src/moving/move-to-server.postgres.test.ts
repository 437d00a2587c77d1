import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, expect, test } from 'vitest';
import { fillVault, secretOf } from '../backups/testing/vault.ts';
import { sweep } from '../system/housekeeping.ts';
import { startSealer } from '../audit/chain/sealer.ts';
import { EXIT } from '../commands/command.ts';
import { runCommandLine } from '../commands/run.ts';
import { openDatabase } from '../db/open.ts';
import { BetterSqlite } from '../db/sqlite/connections.ts';
import * as audit from '@passwordbroker/core/contract/site/audit';
import * as entries from '@passwordbroker/core/contract/entries/entries';
import { startTestApp } from '../testing/test-app.ts';
import type { TestApp } from '../testing/test-app.ts';
import { freshDatabase } from '../testing/test-database.ts';
import type { TestDatabase } from '../testing/test-database.ts';
import { MoveRefused, moveToServer } from './move-to-server.ts';

const started: TestApp[] = [];
const made: TestDatabase[] = [];
afterEach(async () => {
  for (const app of started.splice(0)) await app.stop();
  for (const database of made.splice(0)) await database.drop();
});

async function emptyDatabase(): Promise<string> {
  const database = await freshDatabase('template0');
  made.push(database);
  return database.environment['DATABASE_URL'] ?? '';
}

async function run(dataDir: string, ...args: readonly string[]) {
  const lines: string[] = [];
  const take = (line: string) => void lines.push(line);
  const secret = () => Promise.resolve('');
  const terminal = { say: take, tell: take, secret, knownSecret: secret };
  return { code: await runCommandLine(args, { DATA_DIR: dataDir }, terminal), text: lines.join('\n') };
}

test('an embedded vault moves to PostgreSQL with its rows, files, sessions and chain; the original stays', async () => {
  const before = await startTestApp({ environment: { DATABASE_URL: 'sqlite:' } });
  const vault = await fillVault(before);
  await sweep(before.deps);
  await startSealer(before.deps).stop();
  const url = await emptyDatabase();
  expect((await run(before.dataDir, 'migrate', '--to', url)).text).toContain(
    'Another process is using the data folder',
  );
  await before.app.close();
  await before.deps.db.close();
  const files = readdirSync(join(before.dataDir, 'bodies'));
  const moved = await run(before.dataDir, 'migrate', '--to', url);
  expect(moved).toMatchObject({ code: EXIT.done });
  expect(moved.text).toMatch(/^users +1 {2}the same$/m);
  expect(moved.text).toMatch(/^field_revisions +3 {2}the same$/m);
  expect(moved.text).toMatch(/^files +1 {2}the same$/m);
  expect(readdirSync(join(before.dataDir, 'bodies'))).toEqual(files);
  const twice = await run(before.dataDir, 'migrate', '--to', url);
  expect(twice).toEqual({ code: EXIT.failed, text: 'The database on the server is not empty.' });

  const after = await startTestApp({ environment: { DATABASE_URL: url } });
  started.push(after);
  const ada = Object.assign(after.guest(), vault.ada, { cookies: vault.ada.cookies });
  const there = await after.signIn(ada);
  expect(await secretOf(vault, there)).toBe('canary-of-a-secret-value');
  const path = `/passwordBroker/api/entryGroups/${vault.place.g}/entries/${vault.place.e}/fields/${vault.fileId}/file`;
  // The session from before the move is still valid.
  const cookie = [...vault.ada.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const stored = await after.guest().request({ path, headers: { cookie } });
  expect([stored.status, stored.bytes.equals(vault.body)]).toEqual([200, true]);
  const found = await there.call(entries.search, { query: { q: 'primary' } });
  expect(found.data.map(({ title }) => title)).toEqual(['PostgreSQL primary']);
  await startSealer(after.deps).stop();
  expect(await there.call(audit.verify)).toMatchObject({ ok: true, unsealed: 0 });
  expect((await run(before.dataDir, 'migrate')).text).toBe('The database is up to date.');
  rmSync(before.dataDir, { recursive: true });
}, 120_000);

/** An embedded vault with a file and without a server, and an empty database on PostgreSQL. */
async function openBoth() {
  const before = await startTestApp({ environment: { DATABASE_URL: 'sqlite:' } });
  await fillVault(before);
  await before.app.close();
  await before.deps.db.close();
  const { dataDir } = before;
  const url = await emptyDatabase();
  const open = (databaseUrl: string | null) => openDatabase({ dataDir, databaseUrl, now: Date.now() });
  const opened = [await open(null), await open(url), await open(url)] as const;
  const [from, to, another] = opened;
  return {
    from,
    to,
    another,
    close: async () => {
      for (const db of opened) await db.close();
      rmSync(dataDir, { recursive: true });
    },
  };
}

test('during the move the embedded vault is locked for writers, and the one on PostgreSQL is locked exclusively', async () => {
  const { from, to, another, close } = await openBoth();
  const file = new BetterSqlite(from.path, { timeout: 0 });
  const order: string[] = [];
  let release: (() => void) | undefined;
  const holding = another.exclusive(() => new Promise<void>((resolve) => (release = resolve)));
  await expect.poll(() => release, { timeout: 20_000 }).toBeDefined();
  const put = (bytes: Uint8Array) => {
    expect(() => file.exec('begin immediate')).toThrow('locked');
    setTimeout(() => {
      order.push('released');
      release?.();
    }, 300);
    return to.bodies.put(bytes);
  };
  await moveToServer(from, { ...to, bodies: { ...to.bodies, put } });
  order.push('moved');
  await holding;
  expect(order).toEqual(['released', 'moved']);
  file.exec('begin immediate');
  file.close();
  await close();
});

test('an error after everything was stored is reported as such', async () => {
  const { from, to, close } = await openBoth();
  const gone = {
    ...to.bodies,
    open(name: string) {
      return Readable.from(
        (async function* () {
          await to.bodies.remove(name);
          yield* to.bodies.open(name) as AsyncIterable<Buffer>;
        })(),
      );
    },
  };
  const refused = await moveToServer(from, { ...to, bodies: gone }).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(MoveRefused);
  expect((refused as Error).message).toMatch(
    /^Everything has been written to the server, but .* A body is not there as a whole\b.* empty the database on the server and move again/,
  );
  expect(await to.read.selectFrom('users').select('email').execute()).toHaveLength(1);
  await expect(moveToServer(from, to)).rejects.toThrow('The database on the server is not empty.');
  await close();
});

test('a password is refused as an argument; the address can come from a file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'passwordbroker-'));
  const [dataDir, file] = [join(folder, 'data'), join(folder, 'address')];
  try {
    const refused = await run(dataDir, 'migrate', '--to', 'postgres://vault:secret@127.0.0.1:9/vault');
    expect(refused.code).toBe(EXIT.usage);
    expect(refused.text).toContain('A password is no argument');
    expect(refused.text).not.toContain('secret@');
    writeFileSync(file, 'postgres://vault:secret@127.0.0.1:9/vault\n');
    const away = await run(dataDir, 'migrate', '--to-file', file);
    expect(away).toEqual({ code: EXIT.failed, text: 'The database server does not answer.' });
    expect((await run(dataDir, 'migrate', '--to', 'http://x')).code).toBe(EXIT.usage);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
