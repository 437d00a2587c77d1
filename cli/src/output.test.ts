/** What goes to standard output and standard error, and with which exit code, with and without a terminal. */
import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { register } from '@passwordbroker/core/contract/users/users';
import { signUpBody, startTestApp, type TestApp } from '../../server/src/testing/test-app.ts';
import { newPb, type Pb, typedInto } from './testing/pb.ts';
import { KDF, personOf } from './testing/person.ts';

const SECRET = 'q8-Rf3!wZ_47uM';

let app: TestApp;
let origin: string;
let pb: Pb;
let folder: string;

beforeAll(async () => {
  app = await startTestApp({ kdf: KDF, start: Date.now() });
  const ada = await personOf('ada');
  await app.guest().call(register, { body: { user: signUpBody(ada) } });
  origin = await app.listen();
  folder = mkdtempSync(join(tmpdir(), 'pb-output-'));
  pb = newPb();
  await pb.onTerminal(['login', origin, '--email', ada.email], [['Account password', ada.password]]);
  await pb.onTerminal(['unlock'], [['Master password', ada.masterPassword]]);
  await pb.run(['group', 'add', 'ops']);
  await pb.run(['group', 'add', 'big servers']);
  const file = join(folder, 'key.bin');
  writeFileSync(file, 'not text');
  for (const [arguments_, input] of [
    [['db', '--login', 'app', '--value-stdin'], SECRET],
    [['db', '--type', 'TOTP', '--value-stdin'], 'JBSWY3DPEHPK3PXP'],
    [['note', '--type', 'note', '--value-stdin'], 'two\nlines\n\n'],
    [['key', '--type', 'file', '--value-file', file], ''],
    [['evil\u202e\u001b[31m', '--value-stdin'], 'x'],
  ] as const)
    await pb.run(['add', `ops/${arguments_[0]}`, ...arguments_.slice(1)], { input });
  writeFileSync(join(folder, 'passwords.csv'), 'name,url,username,password\nMail,https://mail.example,ada,x\n');
});
afterAll(async () => {
  await pb.run(['lock']);
  await app.stop();
  pb.remove();
  rmSync(folder, { recursive: true, force: true });
});

type Text = string | RegExp;
/** What differs on a terminal: exit code and everything that it shows. */
type Shown = readonly [code: number, all: Text];
/** A command with its arguments, split at blanks; `'` holds an argument together. */
type Case = readonly [command: string, code: number, out: Text, err: Text, onTerminal?: Shown];

const CASES: readonly Case[] = [
  ['status', 0, /^ada <ada@example.org> at http:\/\/127.0.0.1:\d+: unlocked\n$/, ''],
  ['status --json', 0, /^\{\n {2}"server": "http[^}]*"isUnlocked": true\n\}\n$/, ''],
  ['ls', 0, 'big servers/\nops/\n', ''],
  ['ls -r', 0, /^big servers\/\nops\/\nops\/db +app\n/, ''],
  ['ls ops', 0, 'ops/db                      app\nops/evil\\u{202e}\\u{1b}[31m\nops/key\nops/note\n', ''],
  ['ls ops/db', 0, 'ops/db/Password           app\nops/db/One-time password  TOTP\n', ''],
  ['ls ops/db -l', 0, /^ops\/db\/Password +app +[0-9a-f-]{36}\n/, ''],
  ['ls --json', 0, /^\[\n {2}\{\n {4}"kind": "group",\n/, ''],
  ['ls nothing', 4, '', 'No entry “nothing”.\n'],
  ['ls nothing --json', 4, '', '{"error":{"code":"not_found","message":"No entry “nothing”."}}\n'],
  ['ls a b', 2, '', 'Use: pb ls [PATH] [-r] [-l]\n'],
  ['search db', 0, 'ops/db  app\n', ''],
  ['search zzzz', 0, '', ''],
  ['get ops/db', 0, SECRET, '', [0, `${SECRET}\n`]],
  ['get ops/db -n', 0, SECRET, ''],
  ['get ops/db ops/note', 0, `${SECRET}\ntwo\nlines\n\n`, ''],
  ['get ops/db#login', 0, 'app', '', [0, 'app\n']],
  ['get ops/db#name', 2, '', '“ops/db#name” names a part that this field does not have.\n'],
  ['get ops/db#code', 2, '', 'This field shows no one-time codes.\n'],
  ['get ops/db/TOTP', 2, '', 'For the code use pb totp; for the secret itself add --secret.\n'],
  ['get ops/db/TOTP --secret', 0, 'JBSWY3DPEHPK3PXP', '', [0, 'JBSWY3DPEHPK3PXP\n']],
  ['get ops/db/TOTP#code', 0, /^\d{6}$/, '', [0, /^\d{6}\n$/]],
  ['get ops/db --json', 0, /^\[\n[^\]]*"login": "app",\n {4}"value": "q8-Rf3!wZ_47uM"\n {2}\}\n\]\n$/, ''],
  ['get ops/key', 0, 'not text', '', [2, '“ops/key/File” is a file. Save it with -o FILE, or use a pipe.\n']],
  ['get ops/key --json', 0, /"value_base64": "bm90IHRleHQ="/, ''],
  ['get ops/key#name', 0, 'key.bin', '', [0, 'key.bin\n']],
  ['get ops/nothing', 4, '', 'Nothing is named “ops/nothing”.\n'],
  ['get', 2, '', 'Use: pb get REF… [-n] [-o FILE]\n'],
  ['get ops/db --nope', 2, '', /^Unknown option '--nope'[^\n]* Explained: pb get --help\n$/],
  ['get ops/db --value=x', 2, '', /^Secrets do not go into the command line: [^\n]*\n$/],
  ['get ops/db ops/note -o x', 2, '', 'With -o give one reference.\n'],
  ['copy ops/db --clear-after 2', 2, '', '--clear-after takes a number from 5 to 3600.\n'],
  ['copy ops/key', 2, '', 'A file cannot be copied. Save it: pb get REF -o FILE\n'],
  [
    'copy ops/db --no-agent',
    2,
    '',
    'Without the agent nothing clears the clipboard later. Use pb unlock, or pb get.\n',
  ],
  ['totp ops/db', 0, /^\d{6}\n$/, '', [0, /^\d{6}\n\d+ seconds left\n$/]],
  ['totp ops/db --quiet', 0, /^\d{6}\n$/, ''],
  [
    'totp ops/db --watch --json',
    2,
    '',
    '{"error":{"code":"usage","message":"--watch prints lines: it goes neither with --copy nor with --json."}}\n',
  ],
  ['totp ops/note --watch', 2, '', 'This field shows no one-time codes.\n'],
  ['totp ops/note', 2, '', 'This field shows no one-time codes.\n'],
  ['history ops/note', 0, /^\d{4}-\d\d-[^\n]* {2}ada, command line: shown {2}revision 1\n/, ''],
  ['members ops', 0, 'ada  admin\n', ''],
  ['members nothing', 4, '', 'No group “nothing”.\n'],
  ['generate --length 12', 0, /^\S{12}\n$/, ''],
  ['generate --length 7', 2, '', '--length takes a number from 8 to 64.\n'],
  ['add ops --generate', 2, '', 'Name the group and the entry: pb add GROUP/ENTRY\n'],
  ['add ops/x --type nope', 2, '', 'A type is password, link, note, TOTP or file.\n'],
  ['add nothing/x --generate', 4, '', 'No group “nothing”.\n'],
  ['edit ops/key --keep-value', 2, '', 'A file is replaced in the browser, or removed and added again.\n'],
  ['mv ops/db', 2, '', 'Use: pb mv REF… GROUP\n'],
  ['rm ops/nothing --yes', 4, '', 'No entry “ops/nothing”.\n'],
  ['undo nothing', 4, '', 'Not found\n'],
  ['group frob x', 2, '', 'Use: pb group add PATH | rename PATH NAME | mv PATH TARGET | rm PATH\n'],
  ['group mv ops', 2, '', 'Use: pb group add PATH | rename PATH NAME | mv PATH TARGET | rm PATH\n'],
  ['group mv ops nothing', 4, '', 'No group “nothing”.\n'],
  ['share ops ada king', 2, '', /^A role is one of: [^\n]*\n$/],
  ['share ops nobody member', 4, '', 'Nobody is called “nobody”.\n'],
  ['unshare ops nobody --yes', 4, '', '“nobody” is no member.\n'],
  ['import nowhere.csv', 2, '', 'There is no file nowhere.csv.\n'],
  ['import FOLDER/passwords.csv --dry-run', 0, /^[^\n]*: 1 entries in 1 groups/, ''],
  ['service ls', 0, '', ''],
  ['service owner nothing ada --yes', 4, '', 'No service account is called “nothing”.\n'],
  ['service owner nothing', 2, '', /^Use: pb service /],
  ['service rm nothing --yes', 4, '', 'No service account is called “nothing”.\n'],
  ['run -- true', 0, '', ''],
  ["run -- sh -c 'echo out; echo err >&2; exit 9'", 9, 'out\n', 'err\n'],
  ['run -- no-such-program', 1, '', '“no-such-program” cannot be started.\n'],
  ['run true', 2, '', /^Use: pb run /],
  ['run -e FOLDER/none -- true', 2, '', /none cannot be read\.\n$/],
  ['config list', 0, /^server {8}http:\/\/127.0.0.1:\d+\nlock-minutes {2}10\nclear-after {3}60\n$/, ''],
  ['config list --json', 0, /^\{\n {2}"server": "http[^}]*"clear-after": "60"\n\}\n$/, ''],
  ['config get clear-after', 0, '60\n', ''],
  ['config get colour', 2, '', 'A setting is one of: server, lock-minutes, clear-after.\n'],
  ['config set lock-minutes 61', 2, '', 'lock-minutes is a number from 1 to 60.\n'],
  ['config set clear-after 4', 2, '', 'clear-after is a number from 5 to 3600.\n'],
  ['config set server http://vault.example.org', 2, '', 'The address has to begin with https://.\n'],
  ['config set server', 2, '', 'Use: pb config list | get NAME | set NAME VALUE\n'],
  ['doctor', 0, /^ok {2}program .*\n(?:(?:ok|- ) {2}.*\n){6}$/, ''],
  ['completion tcsh', 2, '', 'A shell is one of: bash, zsh, fish.\n'],
  ['login http://vault.example.org', 2, '', 'The address has to begin with https://.\n'],
  ['frobnicate', 2, '', 'There is no command “frobnicate”. All of them: pb --help\n'],
  ['--version', 0, /^\d+\.\d+\.\d+\n$/, ''],
  ['', 2, /^pb: the command line of PasswordBroker\n/, ''],
];

/** On a device where nobody is signed in. */
const SIGNED_OUT: readonly Case[] = [
  ['status', 9, '', 'You are not signed in. Sign in: pb login https://…\n'],
  ['get ops/db', 9, '', 'You are not signed in. Sign in: pb login https://…\n'],
  ['unlock', 9, '', 'You are not signed in. Sign in: pb login https://…\n'],
  ['get ops/db --json', 9, '', /^\{"error":\{"code":"unauthenticated",/],
  ['lock', 0, '', ''],
  ['logout', 0, '', ''],
  ['config get server', 0, '\n', ''],
  ['doctor', 0, /^- {3}server {11}None is chosen\. Sign in: pb login https:\/\/…$/m, ''],
];

const split = (command: string) =>
  [...command.replaceAll('FOLDER', folder).matchAll(/'([^']*)'|(\S+)/g)].map(([, held, word]) => held ?? word ?? '');

/** What differs, in words. Empty: nothing. */
async function differences([command, code, out, err, onTerminal]: Case, state: string): Promise<string[]> {
  const more = { PB_STATE_DIR: state, NO_COLOR: '1' };
  const piped = await pb.run(split(command), { more });
  const line = [process.execPath, pb.program, ...split(command)].map((word) => `'${word}'`).join(' ');
  const shown = await typedInto(line, [], { ...pb.environment, ...more });
  const [shownCode, all] = onTerminal ?? [
    code,
    typeof out === 'string' && typeof err === 'string' ? out + err : out === '' ? err : out,
  ];
  const text = shown.out
    .replaceAll('\r\n', '\n')
    .replaceAll('\r\u001b[2K', '')
    .replaceAll(/Working… \d+ s/g, '');
  const fits = (found: string, wanted: Text) => (typeof wanted === 'string' ? found === wanted : wanted.test(found));
  return [
    ...(piped.code === code ? [] : [`exit ${piped.code}`]),
    ...(fits(piped.out, out) ? [] : [`standard output: ${JSON.stringify(piped.out)}`]),
    ...(fits(piped.err, err) ? [] : [`standard error: ${JSON.stringify(piped.err)}`]),
    ...(shown.code === shownCode ? [] : [`on a terminal: exit ${shown.code}`]),
    ...(fits(text, all) ? [] : [`on a terminal: ${JSON.stringify(text)}`]),
    // Neither colours nor cursor movements, also without NO_COLOR.
    ...((piped.out + piped.err).includes('\u001b') ? ['escape sequences'] : []),
  ].map((what) => `pb ${command}: ${what}`);
}

async function failing(cases: readonly Case[], state: string): Promise<string[]> {
  const found: string[] = [];
  const waiting = cases.values();
  const take = async () => {
    for (const one of waiting) found.push(...(await differences(one, state)));
  };
  await Promise.all([take(), take(), take()]);
  return found;
}

describe('CM3 standard output, standard error and exit code, with and without a terminal', () => {
  test('of an unlocked vault', async () => {
    expect(await failing(CASES, pb.state)).toEqual([]);
  });

  test('of a device where nobody is signed in', async () => {
    expect(await failing(SIGNED_OUT, mkdtempSync(join(folder, 'state-')))).toEqual([]);
  });

  test('choices of the device are kept; another server needs a sign-in', async () => {
    const more = { PB_STATE_DIR: mkdtempSync(join(folder, 'state-')) };
    const config = (...arguments_: string[]) => pb.run(['config', ...arguments_], { more });
    expect(await config('set', 'lock-minutes', '30')).toEqual({ code: 0, out: '', err: '' });
    expect(await config('set', 'clear-after', '20')).toEqual({ code: 0, out: '', err: '' });
    const err = 'You are not signed in there. Sign in: pb login\n';
    expect(await config('set', 'server', 'vault.example.org')).toEqual({ code: 0, out: '', err });
    expect((await config('list')).out).toBe(
      'server        https://vault.example.org\nlock-minutes  30\nclear-after   20\n',
    );
    const doctor = await pb.run(['doctor', '--json'], { more: { ...more, PB_SERVICE: 'hunter2' } });
    expect(doctor.code).toBe(1);
    expect(JSON.parse(doctor.out)).toContainEqual({
      what: 'service account',
      state: 'problem',
      text: 'The credential is damaged: copy it again.',
    });
  });

  test('changes tell programs how to undo them', async () => {
    const added = await pb.run(['add', 'ops/json', '--generate', '--json']);
    const { undo } = JSON.parse(added.out) as { undo: string[] };
    expect(added).toMatchObject({ code: 0, err: '' });
    expect(await pb.run(['undo', undo[0] ?? '', '--json'])).toMatchObject({ code: 0, out: '{\n  "stays": 0\n}\n' });
    expect((await pb.run(['get', 'ops/json'])).code).toBe(4);
  });
});

/** An environment in which `pb` is a program. */
function withProgram(): NodeJS.ProcessEnv {
  const bin = mkdtempSync(join(folder, 'bin-'));
  writeFileSync(join(bin, 'pb'), `#!/bin/sh\nexec "${process.execPath}" "${pb.program}" "$@"\n`, { mode: 0o700 });
  return { ...pb.environment, PATH: `${bin}:${pb.environment['PATH']}` };
}

/** The terminal shows a prompt, and a tab completes before the line is entered. */
async function typedAt(shell: string, load: string, lines: readonly string[]): Promise<string> {
  const typed = [load, ...lines, 'exit'].map((line) => ['READY> ', line] as const);
  return (await typedInto(shell, typed, { ...withProgram(), PS1: 'READY> ', TERM: 'dumb' })).out;
}

const hasShell = (name: string) => spawnSync(name, ['--version']).status === 0;

describe('CM8 completion', () => {
  const TYPED = ['pb sta\t', 'pb members op\t', 'pb members big\\ s\t', 'pb get --no-n\t ops/d\t'];

  test('bash completes commands, options, and names while the vault is unlocked', async () => {
    const shown = await typedAt('bash --norc -i', `source <(pb completion bash)`, TYPED);
    expect(shown).toContain('unlocked');
    expect(shown.match(/ada {2}admin/g)).toHaveLength(2);
    expect(shown).toContain(SECRET);
  });

  test.skipIf(!hasShell('zsh'))('zsh, where it is installed, completes the same', async () => {
    const shown = await typedAt(
      'zsh -f -i',
      'autoload -U compinit; compinit -u -D; source <(pb completion zsh)',
      TYPED,
    );
    expect(shown).toContain('unlocked');
    expect(shown.match(/ada {2}admin/g)).toHaveLength(2);
    expect(shown).toContain(SECRET);
  });

  test.skipIf(!hasShell('fish'))('fish, where it is installed, completes the same', async () => {
    const completed = async (line: string) => {
      const script = `pb completion fish | source; complete -C "${line}"`;
      // The server runs in this process.
      const { stdout } = await promisify(execFile)('fish', ['-N', '-c', script], {
        env: withProgram(),
        encoding: 'utf8',
      });
      return stdout.split('\n').map((one) => one.split('\t')[0]);
    };
    expect(await completed('pb sta')).toContain('status');
    expect(await completed('pb get --no-')).toEqual(expect.arrayContaining(['--no-newline', '--no-agent']));
    expect(await completed('pb members o')).toContain('ops/');
    expect(await completed('pb get ops/d')).toContain('ops/db');
  });

  test('nothing is completed, and nothing is said, without an open vault or at an unknown name', async () => {
    const silence = { code: 0, out: '', err: '' };
    const more = { PB_STATE_DIR: mkdtempSync(join(folder, 'state-')) };
    expect(await pb.run(['completion', 'paths', 'op'], { more })).toEqual(silence);
    expect(await pb.run(['completion', 'paths', 'nothing/'])).toEqual(silence);
    expect(await pb.run(['completion', 'paths', '%'])).toEqual(silence);
    expect((await pb.run(['completion', 'paths', 'ops/evil'])).out).toBe('ops/evil\\u{202e}\\u{1b}[31m\n');
  });

  test.skipIf(!hasShell('man'))(
    'the manual page, where man is installed, has no mistakes and every command',
    async () => {
      const page = join(folder, 'pb.1');
      writeFileSync(page, (await pb.run(['manual'])).out);
      const shown = spawnSync('man', ['--warnings=all', '-E', 'UTF-8', '-P', 'cat', page], { encoding: 'utf8' });
      expect({ code: shown.status, err: shown.stderr }).toEqual({ code: 0, err: '' });
      for (const [command] of CASES)
        if (/^[a-z]+$/.test(command.split(' ')[0] ?? '') && command !== 'frobnicate')
          expect(shown.stdout).toContain(`pb ${command.split(' ')[0]}`);
    },
  );
});
