/** The command line as its own process beside a running server. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as audit from '@passwordbroker/core/contract/site/audit';
import * as session from '@passwordbroker/core/contract/account/session';
import { forge } from '../audit/testing/forge.ts';
import { startSealer } from '../audit/chain/sealer.ts';
import { EXIT } from '../commands/command.ts';
import { COMMANDS } from '../commands/commands.ts';
import { buildServer } from '../testing/built-server.ts';
import type { BuiltServer } from '../testing/built-server.ts';
import { startTestApp } from '../testing/test-app.ts';
import type { SignedIn, TestApp } from '../testing/test-app.ts';
import { isOnPostgres } from '../testing/test-database.ts';

const PASSWORD = 'CANARY-of-the-command-line Ä☂';

let built: BuiltServer;
let app: TestApp;
let ada: SignedIn;
beforeAll(async () => {
  built = await buildServer();
  app = await startTestApp();
  ada = await app.signUp('ada');
});
afterAll(async () => {
  await app.stop();
  await built.remove();
});

interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

async function run(
  args: readonly string[],
  { input = '', dataDir = app.dataDir, environment = {} } = {},
): Promise<Ran> {
  const child = spawn(process.execPath, [built.cli, ...args], {
    env: { PATH: process.env['PATH'], ...app.environment, DATA_DIR: dataDir, ...environment },
  });
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  child.stdin.end(input);
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, out, err };
}

describe('help and usage', () => {
  test('without a command all commands are listed, and the exit code is 2', async () => {
    const { code, out, err } = await run([]);
    expect([code, out]).toEqual([EXIT.usage, '']);
    for (const name of Object.keys(COMMANDS)) expect(err).toContain(`  ${name} `);
  });

  test('a secret among the arguments is refused and not repeated', async () => {
    const { code, err } = await run([
      'user',
      'add',
      '--name',
      'x',
      '--email',
      'x@example.org',
      `--password=${PASSWORD}`,
    ]);
    expect(code).toBe(EXIT.usage);
    expect(err).toContain('Use --password-stdin');
    expect(err).not.toContain('CANARY');
  });
});

test('user add and user promote take effect at once, are logged, and leak no password', async () => {
  const add = ['user', 'add', '--name', 'Bob', '--email', 'bob@example.org', '--password-stdin'];
  expect(await run(add, { input: `${PASSWORD}\n` })).toEqual({
    code: EXIT.done,
    out: 'bob@example.org can sign in.\n',
    err: '',
  });
  const bob = app.guest();
  const { user } = await bob.call(session.login, { body: { email: 'bob@example.org', password: PASSWORD } });
  expect(user).toMatchObject({ name: 'Bob', is_admin: false, has_keys: false });
  expect((await run(add, { input: PASSWORD })).err).toBe(
    'This user name is already taken\nThis email is already taken\n',
  );

  expect((await bob.request({ path: '/system/api/auditLog' })).status).toBe(403);
  const promoted = await run(['user', 'promote', 'BOB@example.org']);
  expect([promoted.code, promoted.out]).toEqual([EXIT.done, 'bob@example.org is a site admin now.\n']);
  expect((await bob.request({ path: '/system/api/auditLog' })).status).toBe(200);

  const { data } = await ada.call(audit.list, { query: { target_id: user.user_id } });
  expect(data.map(({ event_type, login, address }) => [event_type, login, address])).toEqual([
    ['user_admin_changed', null, 'command line'],
    ['user_created', null, 'command line'],
  ]);
  for (const file of readdirSync(app.dataDir).filter((name) => name.includes('sqlite'))) {
    expect(readFileSync(join(app.dataDir, file)).includes('CANARY')).toBe(false);
  }
});

test('audit verify accepts an intact chain with published heads, and names each change (T91, T92)', async () => {
  const sealer = startSealer(app.deps);
  await sealer.stop();
  const whole = await run(['audit', 'verify']);
  const [, head = ''] = /Its head is (\d+:[0-9a-f]{64})/.exec(whole.out) ?? [];
  expect([whole.code, whole.err]).toEqual([EXIT.done, '']);
  expect(whole.out).toContain('Rows that wait for their seal: 0');
  const [seq = 0] = head.split(':').map(Number);
  const { audit_id } = await app.deps.db.read
    .selectFrom('audit_chain')
    .select('audit_id')
    .where('seq', '=', 1)
    .executeTakeFirstOrThrow();
  await forge(app.deps, `update audit_log set login = 'somebody else' where audit_id = '${audit_id}'`);
  const edited = await run(['audit', 'verify', '--head', head, '--head', `${seq + 5}:${'0'.repeat(64)}`]);
  expect([edited.code, edited.err]).toEqual([
    EXIT.failed,
    `Row ${audit_id} (link 1) is not what was sealed: it, or its link, has been edited.\n` +
      `Link ${seq + 5}, which was published, is not there: the end of the chain was cut off.\n`,
  ]);
});

test('a data folder in use and a missing database are reported', async () => {
  const beside = await run(['migrate']);
  // Several processes can use a PostgreSQL database.
  expect([beside.code, beside.err]).toEqual(
    isOnPostgres ? [EXIT.done, ''] : [EXIT.failed, `Another process is using the data folder ${app.dataDir}.\n`],
  );
  const empty = mkdtempSync(join(tmpdir(), 'passwordbroker-cli-'));
  const embedded = { dataDir: empty, environment: { DATABASE_URL: 'sqlite:' } };
  expect(await run(['audit', 'verify'], embedded)).toEqual({
    code: EXIT.failed,
    out: '',
    err: `There is no database in ${empty}.\n`,
  });
  const migrated = { code: EXIT.done, out: 'The database is up to date.\n', err: '' };
  for (const time of ['first', 'second']) expect([time, await run(['migrate'], embedded)]).toEqual([time, migrated]);
  rmSync(empty, { recursive: true });
});

test('configuration problems are reported, and nothing is done', async () => {
  const { code, out, err } = await run(['migrate'], { environment: { PORT: 'x' } });
  expect([code, out]).toEqual([EXIT.failed, '']);
  expect(err).toContain('  - PORT must be a number');
});
