/** Commands run in this process on a recording terminal. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp } from '../testing/test-app.ts';
import type { TestApp } from '../testing/test-app.ts';
import { EXIT } from './command.ts';
import { COMMANDS } from './commands.ts';
import { runCommandLine } from './run.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

async function run(line: string, { secret = 'a password', environment = {} } = {}) {
  const said: string[] = [];
  const told: string[] = [];
  const terminal = {
    say: (text: string) => void said.push(text),
    tell: (text: string) => void told.push(text),
    secret: () => Promise.resolve(secret),
    knownSecret: () => Promise.resolve(secret),
  };
  const args = line.split(' ').filter((word) => word !== '');
  const code = await runCommandLine(args, { ...app.environment, ...environment }, terminal);
  return { code, said: said.join('\n'), told: told.join('\n') };
}

test('--help works for the program and for each command', async () => {
  for (const word of ['--help', '-h', 'help', 'user --help', 'audit help'])
    expect((await run(word)).code).toBe(EXIT.done);
  for (const [name, { summary, options }] of Object.entries(COMMANDS)) {
    const { code, said } = await run(`${name} --help`);
    expect(code).toBe(EXIT.done);
    expect(said).toContain(`Usage: npx passwordbroker ${name}`);
    expect(said).toContain(summary);
    for (const option of Object.keys(options)) expect(said).toContain(`--${option}`);
  }
});

test.each([
  ['user'],
  ['nothing'],
  ['nothing --help'],
  ['toString'],
  ['migrate now'],
  ['migrate --quickly'],
  ['user promote'],
  ['user promote a@example.org b@example.org'],
  ['user add --name x'],
  ['user add --name x --email'],
  ['user add --name x --name y --email x@example.org'],
  ['audit verify --head 5'],
])('%s is a usage error', async (line) => {
  const { code, said, told } = await run(line);
  expect([code, said]).toEqual([EXIT.usage, '']);
  expect(told).not.toBe('');
});

test('all configuration problems are reported', async () => {
  const { code, told } = await run('audit verify', { environment: { PORT: 'x', LOG_LEVEL: 'y' } });
  expect(code).toBe(EXIT.failed);
  expect(told).toMatch(/PORT must[^]*LOG_LEVEL must/);
});

test('migrate creates a missing database; other commands report that it is missing', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'passwordbroker-commands-'));
  const environment = { DATA_DIR: folder };
  expect(await run('user promote a@example.org', { environment })).toMatchObject({ code: EXIT.failed });
  rmSync(folder, { recursive: true });
  expect((await run('migrate', { environment })).said).toBe('The database is up to date.');
  const { said } = await run('audit verify', { environment });
  expect(said).toBe('The chain is whole: 0 rows.\nRows that wait for their seal: 0');
  rmSync(folder, { recursive: true });
});

describe('accounts', () => {
  test('an invitation requires an existing account', async () => {
    const { code, told } = await run('invite carol@example.org');
    expect([code, told]).toEqual([EXIT.failed, 'There is no account yet: begin with user add.']);
  });

  test('the first account becomes site admin, later ones do not', async () => {
    expect((await run('user add --name Ada --email ada@example.org')).said).toBe(
      'ada@example.org can sign in as site admin.',
    );
    expect((await run('user add --name Bob --email bob@example.org')).said).toBe('bob@example.org can sign in.');
    expect((await run('user add --name Eve --email eve@example.org --admin')).said).toContain('as site admin');
  });

  test.each([
    ['user add --name Zoe --email a', 'a password', 'Incorrect email'],
    ['user add --name bob --email z@example.org', 'a password', 'This user name is already taken'],
    ['user add --name Zoe --email BOB@example.org', 'a password', 'This email is already taken'],
    ['user add --name Zoe --email z@example.org', '', 'Password is empty'],
    [
      'user add --name Zoe --email z@example.org',
      'x'.repeat(1025),
      'The password is too long (at most 1024 characters).',
    ],
    ['user promote zoe@example.org', '', 'There is no account with the e-mail "zoe@example.org".'],
  ])('%s', async (line, secret, sentence) => {
    expect(await run(line, { secret })).toEqual({ code: EXIT.failed, said: '', told: sentence });
  });

  test('invite prints only a working link to standard output', async () => {
    const first = await run('invite carol@example.org --name Carol');
    expect(first.said).toMatch(/^http:\/\/localhost:8080\/identity\/invite\/[\w-]{43}$/);
    expect(first.told).toMatch(/^For carol@example\.org, until \d{4}-/);
    const read = (link: string) =>
      app.guest().request({ path: new URL(link).pathname.replace('/identity/invite', '/identity/api/invite') });
    expect((await read(first.said)).json()).toMatchObject({ name: 'Carol', email: 'carol@example.org' });
    const second = await run('invite carol@example.org');
    expect([(await read(first.said)).status, (await read(second.said)).status]).toEqual([404, 200]);
    expect((await run('invite bob@example.org')).told).toBe('This email is already taken');
    expect((await run('invite bob')).told).toBe('Please enter a valid email address.');
  });

  test('the last site admin cannot be demoted', async () => {
    expect((await run('user promote eve@example.org --undo')).said).toBe('eve@example.org is no site admin now.');
    const { code, told } = await run('user promote ada@example.org --undo');
    expect([code, told]).toEqual([EXIT.failed, 'This is the last site admin. Make someone else a site admin first.']);
  });
});

/** Types the password twice, the second time before the prompt, and prints the output of the terminal. */
const TERMINAL = `
import os, pty, sys
pid, end = pty.fork()
if pid == 0:
    os.execvp(sys.argv[1], sys.argv[1:])
shown = b''
while b'Password: ' not in shown:
    shown += os.read(end, 1024)
os.write(end, 'CANARY-Xx\\x7fÄ\\rCANARY-XÄ\\r'.encode())
try:
    while True:
        part = os.read(end, 1024)
        if not part: break
        shown += part
except OSError:
    pass
print(shown.decode())
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
`;
const canRun = spawnSync('python3', ['-c', 'import pty']).status === 0;

if (canRun) {
  test('at a terminal the password is typed twice and not shown', async () => {
    const cli = fileURLToPath(new URL('../app/cli.ts', import.meta.url));
    const command = [
      process.execPath,
      '--import',
      'tsx',
      cli,
      'user',
      'add',
      '--name',
      'Tty',
      '--email',
      'tty@example.org',
    ];
    const ran = spawnSync('python3', ['-c', TERMINAL, ...command], {
      cwd: fileURLToPath(new URL('../../../', import.meta.url)),
      env: { PATH: process.env['PATH'], ...app.environment },
      encoding: 'utf8',
      timeout: 30_000,
    });
    expect([ran.status, ran.stderr]).toEqual([0, '']);
    expect(ran.stdout).toMatch(/Password: \s*Password again: \s*tty@example\.org can sign in/);
    expect(ran.stdout).not.toContain('CANARY');
    const json = { email: 'tty@example.org', password: 'CANARY-XÄ' };
    expect((await app.guest().request({ path: '/identity/api/login', json })).status).toBe(200);
  });
} else {
  test.skip('typing at a terminal (skipped: Python is not installed here)', () => {});
}
