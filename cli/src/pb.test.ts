/** The whole story of a person at a terminal, against the real server. */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { register } from '@passwordbroker/core/contract/users/users';
import { signUpBody, startTestApp, type TestApp } from '../../server/src/testing/test-app.ts';
import type { TestPerson } from '../../server/src/testing/test-person.ts';
import { newPb, type Pb, typedInto } from './testing/pb.ts';
import { KDF, personOf } from './testing/person.ts';

let app: TestApp;
let origin: string;
let pb: Pb;
let ada: TestPerson;

beforeAll(async () => {
  app = await startTestApp({ kdf: KDF, start: Date.now() });
  const site = app.guest();
  ada = await personOf('ada');
  await site.call(register, { body: { user: signUpBody(ada) } });
  await site.call(register, { body: { user: signUpBody(await personOf('bob')) } });
  origin = await app.listen();
  pb = newPb();
});
afterAll(async () => {
  await pb.run(['lock']);
  await app.stop();
  pb.remove();
});

const login = () => pb.onTerminal(['login', origin, '--email', ada.email], [['Account password', ada.password]]);
const unlock = () => pb.onTerminal(['unlock'], [['Master password', ada.masterPassword]]);
const SECRET = 'q8-Rf3!wZ_47uM';

test('CM3 before signing in, each command says what to do', async () => {
  expect(await pb.run(['status'])).toMatchObject({ code: 9, out: '' });
  expect(await pb.run(['ls'])).toMatchObject({ code: 9, err: 'You are not signed in. Sign in: pb login https://…\n' });
  expect(await pb.run(['login', origin])).toMatchObject({ code: 9, err: 'There is no terminal to ask: E-mail\n' });
  expect((await pb.run(['frobnicate'])).code).toBe(2);
  expect((await pb.run(['get'])).err).toBe('Use: pb get REF… [-n] [-o FILE]\n');
  expect((await pb.run(['get', 'a/b', '--password=x'])).err).toContain('Secrets do not go into the command line');
  expect((await pb.run(['copy', 'a/b', '--clear-after', '2'])).err).toContain('from 5 to 3600');
  expect((await pb.run(['--version'])).out).toMatch(/^\d+\.\d+\.\d+\n$/);
  expect((await pb.run(['get', '--help'])).out).toContain('Examples:');
});

test('a sign-in by a browser: the address is printed, and a browser opens only on a terminal, when asked', async () => {
  const bin = mkdtempSync(join(tmpdir(), 'pb-bin-'));
  const opened = join(bin, 'opened');
  writeFileSync(join(bin, 'xdg-open'), `#!/bin/sh\nprintf '%s' "$1" > '${opened}'\n`, { mode: 0o755 });
  const here = newPb({ PATH: `${bin}:${process.env['PATH']}` });
  const asked = ['login', origin, '--browser', '--open'];
  const piped = await here.run(asked);
  expect(piped).toMatchObject({ code: 9, out: '' });
  expect(piped.err).toContain('There is no terminal to ask: Code of the page');
  expect(existsSync(opened)).toBe(false);
  expect(await here.onTerminal(['login', origin, '--browser'], [['Code of the page', '\x03']])).toMatchObject({
    code: 11,
  });
  expect(existsSync(opened)).toBe(false);
  // It was not let in.
  const shown = await here.onTerminal(asked, [['Code of the page', '0000-0000']]);
  expect(shown).toMatchObject({ code: 9 });
  expect(shown.out).toContain('Your sign-in has expired. Begin again.');
  const link = /http\S+#program=[0-9a-f]{64}&computer=\S+/.exec(shown.out)?.[0];
  await expect.poll(() => existsSync(opened) && readFileSync(opened, 'utf8')).toBe(link);
  here.remove();
  rmSync(bin, { recursive: true, force: true });
});

test('CM8 the script for bash completes commands and options', async () => {
  const { out: script } = await pb.run(['completion', 'bash']);
  const completed = (words: string, at: number) =>
    execFileSync('bash', ['-c', `${script}\nCOMP_WORDS=(${words}); COMP_CWORD=${at}; _pb; echo "\${COMPREPLY[*]}"`], {
      encoding: 'utf8',
    }).trim();
  expect(completed('pb st', 1)).toBe('status');
  expect(completed('pb get --no-', 2)).toBe('--no-newline --no-agent');
  expect((await pb.run(['completion', 'zsh'])).out).toContain('#compdef pb');
  expect((await pb.run(['completion', 'fish'])).out).toContain('complete -c pb');
  expect((await pb.run(['completion', 'tcsh'])).code).toBe(2);
});

test('CM2 a person signs in, unlocks, writes, reads, moves, deletes, undoes and shares', async () => {
  const wrong = await pb.onTerminal(['login', origin, '--email', ada.email], [['Account password', 'not it']]);
  expect(wrong).toMatchObject({ code: 9 });
  expect(await login()).toMatchObject({ code: 0 });
  expect(await pb.run(['status'])).toMatchObject({ code: 3, out: `ada <${ada.email}> at ${origin}: locked\n` });
  expect(await pb.run(['get', 'ops/db'])).toMatchObject({
    code: 3,
    err: 'The vault is locked. Unlock it: pb unlock\n',
  });

  const guesses = [
    ['Master password', 'no'],
    ['invalid', 'no'],
    ['invalid', 'no'],
  ] as const;
  expect((await pb.onTerminal(['unlock'], guesses)).code).toBe(3);
  expect(await unlock()).toMatchObject({ code: 0 });
  expect((await pb.run(['status'])).code).toBe(0);

  expect(await pb.run(['group', 'add', 'ops'])).toMatchObject({ code: 0, err: '' });
  const added = await pb.run(['add', 'ops/db', '--login', 'app', '--value-stdin'], { input: `${SECRET}\n` });
  expect(added).toMatchObject({ code: 0, out: '' });
  expect(added.err).toMatch(/^Undo: pb undo [0-9a-f-]{36}\n$/);
  expect((await pb.run(['add', 'ops/db', '--type', 'TOTP', '--value-stdin'], { input: 'JBSWY3DPEHPK3PXP' })).code).toBe(
    0,
  );
  expect((await pb.run(['add', 'ops/a%2Fb', '--type', 'note', '--generate'])).code).toBe(0);
  expect((await pb.run(['ls', '-r'])).out).toBe('ops/\nops/a%2Fb\nops/db     app\n');
  expect((await pb.run(['ls', 'ops/db'])).out).toBe('ops/db/Password           app\nops/db/One-time password  TOTP\n');
  expect((await pb.run(['search', 'db'])).out).toBe('ops/db  app\n');

  expect(await pb.run(['get', 'ops/db'])).toEqual({ code: 0, out: SECRET, err: '' });
  expect((await pb.run(['get', 'pb://ops/db/Password#login'])).out).toBe('app');
  expect(JSON.parse((await pb.run(['get', 'ops/db/password', '--json'])).out)).toMatchObject([
    { login: 'app', value: SECRET },
  ]);
  expect((await pb.run(['totp', 'ops/db'])).out).toMatch(/^\d{6}\n$/);
  const opened = async () => (JSON.parse((await pb.run(['history', 'ops/db/TOTP', '--json'])).out) as unknown[]).length;
  const before = await opened();
  expect((await pb.run(['get', 'ops/db', 'ops/db/TOTP'])).code).toBe(2);
  expect(await opened()).toBe(before);
  expect((await pb.run(['get', 'ops/db/TOTP', '--secret'])).out).toBe('JBSWY3DPEHPK3PXP');
  expect(await pb.run(['get', 'ops/nothing'])).toMatchObject({
    code: 4,
    out: '',
    err: 'Nothing is named “ops/nothing”.\n',
  });

  expect((await pb.run(['edit', 'ops/db/password', '--value-stdin'], { input: 'changed-7Qx' })).code).toBe(0);
  expect((await pb.run(['get', 'ops/db'])).out).toBe('changed-7Qx');
  const history = (await pb.run(['history', 'ops/db/password'])).out.trimEnd().split('\n');
  expect(history.map((line) => line.replace(/^\S+ {2}/, ''))).toEqual([
    'ada, command line: shown     revision 2',
    'ada: changed                 revision 2',
    // What `edit` keeps comes from the sealed value.
    'ada, command line: compared  revision 1',
    'ada, command line: shown     revision 1',
    'ada, command line: shown     revision 1',
    'ada, command line: shown     revision 1',
    'ada: created                 revision 1',
  ]);

  expect((await pb.run(['group', 'add', 'archive'])).code).toBe(0);
  const moved = await pb.run(['mv', 'ops/db', 'archive']);
  expect((await pb.run(['ls', 'archive'])).out).toBe('archive/db  app\n');
  expect((await pb.run(['get', 'archive/db'])).out).toBe('changed-7Qx');
  expect(moved.code).toBe(0);
  expect(await pb.run(['undo', moved.err.trim().split(' ').at(-1) ?? ''])).toMatchObject({ code: 0, err: '' });
  expect((await pb.run(['ls', 'archive'])).out).toBe('');
  expect((await pb.run(['mv', 'ops/db', 'archive'])).code).toBe(0);
  expect((await pb.run(['rm', 'archive/db'])).err).toBe('Nobody can be asked here. Add --yes.\n');
  expect((await pb.onTerminal(['rm', 'archive/db'], [['to the trash?', 'n']])).code).toBe(11);
  const removed = await pb.run(['rm', 'archive/db', '--yes']);
  expect((await pb.run(['ls', 'archive'])).out).toBe('');
  expect((await pb.run(['undo', removed.err.trim().split(' ').at(-1) ?? ''])).code).toBe(0);
  expect((await pb.run(['ls', 'archive'])).out).toBe('archive/db  app\n');

  expect(await pb.run(['share', 'archive', 'bob', 'member'])).toMatchObject({ code: 10 });
  expect(
    (await pb.run(['share', 'archive', 'bob', 'member', '--words', 'these are not the right words at all'])).code,
  ).toBe(10);
  expect((await pb.onTerminal(['share', 'archive', 'bob', 'member'], [['Type same', 'later']])).code).toBe(0);
  expect((await pb.run(['members', 'archive'])).out).toBe('ada  admin\nbob  member\n');
  await pb.run(['mv', 'archive/db', 'ops']);
  // There bob cannot read it.
  expect(await pb.run(['undo'])).toMatchObject({ code: 2, out: '' });
  expect((await pb.onTerminal(['undo'], [['could then: bob. Move them back?', 'n']])).code).toBe(11);
  expect((await pb.run(['ls', 'archive'])).out).toBe('');
  expect((await pb.run(['undo', '--yes'])).code).toBe(0);
  expect((await pb.run(['ls', 'archive'])).out).toBe('archive/db  app\n');
  expect((await pb.run(['unshare', 'archive', 'bob', '--yes'])).code).toBe(0);
  expect((await pb.run(['members', 'archive'])).out).toBe('ada  admin\n');
});

describe('CM4 pb run', () => {
  const SHOW = ['--', process.execPath, '-e', 'process.stdout.write(process.env.DB + " " + process.env.URL)'];

  test('fills references in, once each, and masks them', async () => {
    const more = { DB: 'pb://archive/db/password', URL: 'postgres://${pb://archive/db#login}:${pb://archive/db}@db/x' };
    expect(await pb.run(['run', '--no-mask', ...SHOW], { more })).toEqual({
      code: 0,
      out: 'changed-7Qx postgres://app:changed-7Qx@db/x',
      err: '',
    });
    expect((await pb.run(['run', '--label', 'deploy', ...SHOW], { more })).out).toBe('••• postgres://app:•••@db/x');
    const newest = async () => (await pb.run(['history', 'archive/db'])).out.split('\n')[0];
    expect(await newest()).toMatch(/ {2}ada, command line: run “deploy” {2}revision 2$/);
    // A job is named in one line, whatever its name has.
    const jobs = [
      [`a\nb\u202e`, String.raw`a\u{a}b\u{202e}`],
      ['', 'node'],
      ['x'.repeat(99) + '\u{1f511}', 'x'.repeat(99)],
    ] as const;
    for (const [job, label] of jobs) {
      expect((await pb.run(['run', ...SHOW], { more: { ...more, CI_JOB_NAME: job } })).code).toBe(0);
      expect(await newest()).toContain(`: run “${label}”  `);
    }
  });

  test('starts nothing if one is missing, and says all that are', async () => {
    const more = { DB: 'pb://archive/db/password', A: 'pb://archive/nope', B: 'pb://nowhere/nope' };
    const ended = await pb.run(['run', '--no-mask', ...SHOW], { more });
    expect(ended).toMatchObject({ code: 4, out: '' });
    expect(ended.err).toContain('archive/nope');
    expect(ended.err).toContain('nowhere/nope');
  });

  test('reads files, and ends as the program does', async () => {
    const file = join(pb.state, '..', 'app.env');
    writeFileSync(file, '# a comment\nexport DB="pb://archive/db/password"\nURL=plain # text\n');
    expect((await pb.run(['run', '--no-mask', '--env-file', file, ...SHOW])).out).toBe('changed-7Qx plain');
    writeFileSync(file, 'DB="open\n');
    expect((await pb.run(['run', '--env-file', file, ...SHOW])).err).toContain('line 1: this is not KEY=VALUE.');
    expect((await pb.run(['run', '--', process.execPath, '-e', 'process.exit(7)'])).code).toBe(7);
    expect((await pb.run(['run', '--', process.execPath, '-e', 'process.kill(process.pid, "SIGTERM")'])).code).toBe(
      143,
    );
    expect((await pb.run(['run', '--', 'no-such-program'])).code).toBe(1);
  });
});

describe('what a command refuses or keeps', () => {
  test('edit reads a one-time password as add does, and gives a login to passwords alone', async () => {
    const address = 'otpauth://totp/x?secret=JBSWY3DPEHPK3PXP&period=60';
    expect((await pb.run(['edit', 'archive/db/TOTP', '--value-stdin'], { input: address })).code).toBe(0);
    expect((await pb.run(['get', 'archive/db/TOTP', '--secret'])).out).toBe('JBSWY3DPEHPK3PXP');
    expect((await pb.run(['edit', 'archive/db/TOTP', '--value-stdin'], { input: 'no secret!' })).code).toBe(2);
    expect((await pb.run(['edit', 'archive/db/TOTP', '--keep-value', '--login', 'x'])).err).toBe(
      'Only a password has a login.\n',
    );
    expect((await pb.run(['edit', 'archive/db/password', '--keep-value', '--login', 'app2'])).code).toBe(0);
    expect((await pb.run(['get', 'archive/db', '--json'])).out).toContain('"login": "app2"');
    await pb.run(['edit', 'archive/db/password', '--keep-value', '--login', 'app']);
  });

  test('a value keeps every byte, or is refused', async () => {
    const file = join(pb.state, '..', 'value');
    writeFileSync(file, 'two\nlines\n');
    expect((await pb.run(['add', 'archive/text', '--type', 'note', '--value-file', file])).code).toBe(0);
    expect((await pb.run(['get', 'archive/text'])).out).toBe('two\nlines\n');
    writeFileSync(file, Buffer.from([0x61, 0xff, 0x62]));
    expect((await pb.run(['add', 'archive/text2', '--type', 'note', '--value-file', file])).code).toBe(2);
    expect((await pb.run(['get', 'archive/text2'])).code).toBe(4);
  });

  test('copy needs an agent, which clears the clipboard', async () => {
    expect((await pb.run(['copy', 'archive/db', '--no-agent'])).code).toBe(2);
  });

  test('unshare takes the address that share takes', async () => {
    expect((await pb.run(['share', 'archive', 'bob@example.org', 'member', '--trust-for-now'])).code).toBe(0);
    expect((await pb.run(['unshare', 'archive', 'bob@example.org', '--yes'])).code).toBe(0);
    expect((await pb.run(['members', 'archive'])).out).toBe('ada  admin\n');
  });

  const COUNTS =
    'let n = 0; process.on("SIGINT", () => n++ || setTimeout(() => { console.log("got " + n); process.exit() }, 400)); console.log("ready"); setInterval(() => 0, 1000)';

  test('^C reaches a program once', async () => {
    const shown = await pb.onTerminal(['run', '--', process.execPath, '-e', COUNTS], [['ready', '\x03']]);
    expect(shown.out).toContain('got 1');
  });

  test.each(['--mask', '--no-mask'])('^C reaches a program once whose input is a pipe, %s', async (mask) => {
    const run = `'${process.execPath}' '${pb.program}' run ${mask} -- '${process.execPath}' -e '${COUNTS}'`;
    // The shell waits for the program, also after ^C.
    const command = `trap : INT; sleep 20 | ${run}`;
    const { out } = await typedInto(command, [['ready', '\x03']], pb.environment);
    expect(out).toContain('got 1');
  });
});

describe('pb import', () => {
  const FIXTURE = join(import.meta.dirname, '../../core/src/testing/fixtures/exchange/csv/chrome.csv');

  test('shows what is in a file, and stores it when told to', async () => {
    const dry = await pb.run(['import', FIXTURE, '--dry-run']);
    expect(dry).toMatchObject({ code: 0, err: '' });
    expect(dry.out).toMatch(/^Chrome.*: \d+ entries in 1 groups/);
    expect(await pb.run(['import', FIXTURE])).toMatchObject({ code: 2, err: 'Nobody can be asked here. Add --yes.\n' });
    const stored = await pb.run(['import', FIXTURE, '--yes']);
    expect(stored.out).toContain('Imported as “chrome”.');
    expect(stored.err).toContain('is not encrypted. Delete it');
    expect((await pb.run(['ls'])).out).toContain('chrome/');
    expect((await pb.run(['undo'])).code).toBe(0);
    expect((await pb.run(['ls'])).out).not.toContain('chrome/');
  });

  test('into a group: duplicates are skipped, or revised where values differ', async () => {
    const file = join(pb.state, '..', 'shared.csv');
    const table = (password: string) => `name,url,username,password\nMail,https://mail.example,ada,${password}\n`;
    writeFileSync(file, table('first-value'));
    expect((await pb.run(['group', 'add', 'shared'])).code).toBe(0);
    expect((await pb.run(['import', file, '--duplicates', 'add'])).err).toBe('Name the group: --into GROUP\n');
    expect((await pb.run(['import', file, '--into', 'shared', '--yes'])).out).toContain(
      'Imported into “shared”: 1 entries, 0 new versions.',
    );
    const again = await pb.run(['import', file, '--into', 'shared', '--dry-run']);
    expect(again.out).toContain('1 entry looks like one in the group. It is skipped.');
    const equal = await pb.run(['import', file, '--into', 'shared', '--duplicates', 'add', '--compare', '--dry-run']);
    expect(equal.out).toContain('1 entry is equal to one in the group and is skipped.');
    writeFileSync(file, table('second-value'));
    const differs = await pb.run(['import', file, '--into', 'shared', '--compare', '--dry-run']);
    expect(differs.out).toContain('Mail differs: Password\n');
    const revised = await pb.run(['import', file, '--into', 'shared', '--duplicates', 'revise', '--yes']);
    expect(revised.out).toContain('Imported into “shared”: 0 entries, 1 new versions.');
    expect((await pb.run(['get', 'shared/Mail'])).out).toBe('second-value');
    expect((await pb.run(['undo'])).code).toBe(0);
    expect((await pb.run(['get', 'shared/Mail'])).out).toBe('first-value');
    expect((await pb.run(['import', file, '--into', 'nowhere', '--yes'])).code).toBe(4);
  });

  test('into a group: of many entries that are elsewhere the first are named', async () => {
    const file = join(pb.state, '..', 'many.csv');
    const rows = Array.from({ length: 22 }, (_, at) => `Shop ${at},https://shop-${at}.example,ada,value-${at}\n`);
    writeFileSync(file, `name,url,username,password\n${rows.join('')}`);
    expect((await pb.run(['import', file, '--yes'])).code).toBe(0);
    const { out } = await pb.run(['import', file, '--into', 'shared', '--dry-run']);
    expect(out).toMatch(/ {2}Shop 19, in .*\n {2}and 2 more\n$/);
    expect((await pb.run(['undo'])).code).toBe(0);
  });

  test('asks for the password of a file, again if it is wrong', async () => {
    const file = join(FIXTURE, '../../kdbx/keepassxc-4.kdbx');
    const once = await pb.onTerminal(
      ['import', file, '--dry-run'],
      [
        ['Password of the file', 'no'],
        ['is wrong', 'example password'],
      ],
    );
    expect(once).toMatchObject({ code: 0 });
    expect(once.out).toMatch(/KeePass \(KDBX\).*1 entries in 2 groups/);
  });

  test('says what is wrong with a file', async () => {
    expect((await pb.run(['import', 'nowhere.csv'])).err).toBe('There is no file nowhere.csv.\n');
    const file = join(pb.state, '..', 'picture.png');
    writeFileSync(file, Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 3]));
    expect((await pb.run(['import', file])).err).toBe('This file is of no kind that can be imported.\n');
  });
});

describe('CM1 secrets stay in the agent', () => {
  test('neither the state folder, the arguments nor the environment of the agent has one', async () => {
    const files = readdirSync(pb.state).filter((name) => statSync(join(pb.state, name)).isFile());
    expect(files).toEqual(expect.arrayContaining(['agent.json', 'settings.json', 'tokens.json', 'trust.json']));
    for (const name of files) {
      expect(statSync(join(pb.state, name)).mode & 0o077).toBe(0);
      const text = readFileSync(join(pb.state, name), 'utf8');
      for (const secret of [ada.masterPassword, ada.password, SECRET, 'changed-7Qx'])
        expect(text).not.toContain(secret);
    }
    const agents = processesWith('pb.js\0agent');
    expect(agents).toHaveLength(1);
    const environment = readFileSync(`/proc/${agents[0]}/environ`, 'utf8');
    expect(environment).toContain(pb.state);
    expect(environment).not.toMatch(/NODE_OPTIONS|master/i);
  });

  test('CM5 a state folder that others can read is refused', async () => {
    const open = newPb();
    await open.run(['status']);
    writeFileSync(join(open.state, 'settings.json'), '{}', { mode: 0o644 });
    expect(await open.run(['status'])).toMatchObject({ code: 1 });
    open.remove();
  });

  test('CM5 what answers at the address must be the agent, in a folder of one’s own', async () => {
    // Beside the agent, which ends if its note changes.
    const more = { PB_STATE_DIR: mkdtempSync(join(tmpdir(), 'pb-state-')) };
    const note = join(more.PB_STATE_DIR, 'agent.json');
    const folder = mkdtempSync(join(tmpdir(), 'pb-fake-'));
    const path = join(folder, 'agent.sock');
    const fake = createServer((socket) => {
      const hello = Buffer.from(JSON.stringify({ version: '1.0.0', agent: 'another' }));
      const head = Buffer.alloc(4);
      head.writeUInt32BE(hello.length);
      socket.end(Buffer.concat([head, hello]));
    });
    await new Promise<void>((resolve) => fake.listen(path, resolve));
    try {
      writeFileSync(note, JSON.stringify({ path, front: 'a', agent: 'b' }), { mode: 0o600 });
      expect(await pb.run(['status'], { more })).toMatchObject({ code: 10, out: '' });
      chmodSync(folder, 0o755);
      expect(await pb.run(['status'], { more })).toMatchObject({ code: 1, out: '' });
    } finally {
      fake.close();
      for (const made of [folder, more.PB_STATE_DIR]) rmSync(made, { recursive: true, force: true });
    }
  });

  test('CM5 a second agent gives way; an unlock after a killed agent starts a new one', async () => {
    const [first = 0] = processesWith('pb.js\0agent');
    expect((await pb.run(['agent'])).code).toBe(0);
    expect(processesWith('pb.js\0agent')).toEqual([first]);
    process.kill(first, 'SIGKILL');
    await expect.poll(() => processesWith('pb.js\0agent')).toEqual([]);
    expect((await pb.run(['get', 'archive/db'])).code).toBe(3);
    expect((await unlock()).code).toBe(0);
    expect((await pb.run(['get', 'archive/db'])).out).toBe('changed-7Qx');
  });

  test('CM5 a new login ends the agent, which would go on with the former account', async () => {
    expect((await login()).code).toBe(0);
    await expect.poll(() => processesWith('pb.js\0agent')).toEqual([]);
    expect((await unlock()).code).toBe(0);
  });

  test('CM5 SIGUSR1 opens no debugger; lock ends the agent', async () => {
    const [agent = 0] = processesWith('pb.js\0agent');
    process.kill(agent, 'SIGUSR1');
    expect((await pb.run(['status'])).code).toBe(0);
    expect((await pb.run(['lock'])).code).toBe(0);
    expect((await pb.run(['get', 'archive/db'])).code).toBe(3);
    await expect.poll(() => processesWith('pb.js\0agent')).toEqual([]);
    expect(readdirSync(pb.state)).not.toContain('agent.json');
  });
});

test('without an agent, a command asks for the master password itself', async () => {
  const shown = await pb.onTerminal(['get', 'archive/db', '--no-agent'], [['Master password', ada.masterPassword]]);
  expect(shown).toMatchObject({ code: 0 });
  expect(shown.out).toContain('changed-7Qx');
  expect(processesWith('pb.js\0agent')).toEqual([]);
});

test('logout ends the token', async () => {
  expect((await pb.run(['logout'])).code).toBe(0);
  expect((await pb.run(['ls'])).code).toBe(9);
});

/** Ids of this test's processes whose command line has the text. */
function processesWith(text: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((id) => {
      try {
        return (
          readFileSync(`/proc/${id}/cmdline`, 'utf8').includes(text) &&
          readFileSync(`/proc/${id}/environ`, 'utf8').includes(pb.state)
        );
      } catch {
        return false;
      }
    })
    .map(Number);
}
