/** Bad input and bad days: one sentence, the right exit code, nothing half written, and a terminal that shows what is typed. */
import { execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { register } from '@passwordbroker/core/contract/users/users';
import { signUpBody, startTestApp, type TestApp } from '../../server/src/testing/test-app.ts';
import type { TestPerson } from '../../server/src/testing/test-person.ts';
import { newPb, type Pb, typedInto } from './testing/pb.ts';
import { KDF, personOf } from './testing/person.ts';
import { type Proxy, proxyTo } from './testing/proxy.ts';

const FIXTURE = join(import.meta.dirname, '../../core/src/testing/fixtures/exchange/csv/chrome.csv');
const SECRET = 'q8-Rf3!wZ_47uM';

let app: TestApp;
let server: Proxy;
let silent: Server;
/** Begins first, because it takes half a minute. */
let waiting: ReturnType<typeof loginAt>;
let pb: Pb;
let ada: TestPerson;
let folder: string;

beforeAll(async () => {
  app = await startTestApp({ kdf: KDF, start: Date.now() });
  ada = await personOf('ada');
  const site = app.guest();
  for (const person of [ada, await personOf('bob')]) await site.call(register, { body: { user: signUpBody(person) } });
  server = await proxyTo(await app.listen());
  folder = mkdtempSync(join(tmpdir(), 'pb-bad-'));
  pb = newPb();
  const [socket, port] = await listening();
  silent = socket;
  waiting = loginAt(port);
  await login();
  await unlock();
  for (const group of ['ops', 'more']) await pb.run(['group', 'add', group]);
  await pb.run(['add', 'ops/db', '--login', 'app', '--value-stdin'], { input: SECRET });
  await pb.run(['add', 'ops/db', '--type', 'TOTP', '--value-stdin'], { input: 'JBSWY3DPEHPK3PXP' });
});
afterEach(() => server.reset());
afterAll(async () => {
  await pb.run(['lock']);
  await server.close();
  await app.stop();
  silent.close();
  pb.remove();
  rmSync(folder, { recursive: true, force: true });
});

const login = () => pb.onTerminal(['login', server.origin, '--email', ada.email], [['Account password', ada.password]]);
const unlock = () => pb.onTerminal(['unlock'], [['Master password', ada.masterPassword]]);
const ONE_LINE = /^\S[^\n]*\n$/;
const CTRL_C = '\x03';

/** In a state folder of its own, which `change` has made bad. */
async function withState(change: (state: string) => void, arguments_: readonly string[] = ['status']) {
  const state = mkdtempSync(join(folder, 'state-'));
  change(state);
  return pb.run(arguments_, { more: { PB_STATE_DIR: state } });
}

function openTo(file: string, mode: number): void {
  writeFileSync(file, '{}');
  chmodSync(file, mode);
}

/** Through a shell. */
const piped = (command: string) =>
  new Promise<{ readonly code: number; readonly err: string }>((resolve) => {
    const child = spawn('bash', ['-c', `pb() { "${process.execPath}" "${pb.program}" "$@"; }; ${command}`], {
      env: pb.environment,
      cwd: folder,
    });
    let err = '';
    child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString('utf8')));
    child.on('close', (code) => resolve({ code: code ?? -1, err }));
  });

const agents = () =>
  readdirSync('/proc').filter((id) => {
    try {
      return (
        readFileSync(`/proc/${id}/cmdline`, 'utf8').includes('pb.js\0agent') &&
        readFileSync(`/proc/${id}/environ`, 'utf8').includes(`PB_STATE_DIR=${pb.state}`)
      );
    } catch {
      return false;
    }
  });

describe('references', () => {
  test.each([
    [['get', 'ops/nothing'], 4, 'Nothing is named “ops/nothing”.'],
    [['get', 'ops/db/nothing'], 4, 'Nothing is named “ops/db/nothing”.'],
    [['get', 'id:0000/db'], 4, 'Nothing is named “id:0000/db”.'],
    [['get', 'ops//db'], 2, '“ops//db” is no reference: a name is empty.'],
    [['get', 'ops/%zz'], 2, '“ops/%zz” is no reference: write % in a name as %25.'],
    [['get', 'ops/db#secret'], 2, 'behind # stands login, code or name'],
    [['ls', 'nothing'], 4, 'No entry “nothing”.'],
    [['mv', 'ops/db', 'nothing'], 4, 'No group “nothing”.'],
    [['rm', 'ops/nothing', '--yes'], 4, 'No entry “ops/nothing”.'],
    [['undo', 'nothing'], 4, 'Not found'],
    [['share', 'ops', 'nobody', 'member'], 4, 'Nobody is called “nobody”.'],
  ])('pb %s: exit %i', async (arguments_, code, sentence) => {
    const ended = await pb.run(arguments_);
    expect(ended).toMatchObject({ code, out: '' });
    expect(ended.err).toContain(sentence);
    expect(ended.err.trimEnd().split('\n')).toHaveLength(1);
  });

  test('several that fit are listed with their ids, and each id names one', async () => {
    await pb.run(['add', 'more/db', '--value-stdin'], { input: 'another' });
    await pb.run(['mv', 'more/db', 'ops']);
    const ended = await pb.run(['get', 'ops/db/password']);
    expect(ended).toMatchObject({ code: 5, out: '' });
    const ids = [...ended.err.matchAll(/password {2}(id:[0-9a-f-]{36})/g)].map(([, id]) => id);
    expect(ids).toHaveLength(2);
    const entries = JSON.parse((await pb.run(['ls', 'ops', '--json'])).out) as { id: string }[];
    const values = [];
    for (const { id } of entries) values.push((await pb.run(['get', `ops/id:${id}`])).out);
    expect(values.toSorted()).toEqual(['another', SECRET].toSorted());
    for (const { id } of entries)
      if ((await pb.run(['get', `ops/id:${id}`])).out === 'another') await pb.run(['rm', `ops/id:${id}`, '--yes']);
    expect((await pb.run(['get', 'ops/db'])).out).toBe(SECRET);
  });
});

describe('output', () => {
  test('a reader that is gone, a full disk', async () => {
    // The manual is longer than a pipe holds; `true` reads nothing.
    const gone = await piped('pb manual | true; exit ${PIPESTATUS[0]}');
    expect([0, 1]).toContain(gone.code);
    const early = await piped('{ sleep 0.3; pb ls -r; } | true; exit ${PIPESTATUS[0]}');
    expect(early).toEqual({ code: 1, err: 'The output was closed before everything was written.\n' });
    const full = await piped('pb get ops/db > /dev/full');
    expect(full).toEqual({ code: 1, err: 'The output cannot be written: no space is left.\n' });
    expect((await piped('pb ls >&-')).code).toBe(0);
    expect((await piped('pb ls nothing 2>&-')).code).toBe(4);
    expect((await piped('pb ls nothing 2> /dev/full')).code).toBe(4);
    const masked = await piped(`V=pb://ops/db pb run --mask -- bash -c 'while echo $V; do :; done' | head -n 2`);
    expect(masked).toMatchObject({ code: 0, err: 'The output was closed before everything was written.\n' });
  });

  test('a file is never half there, and nothing is opened for one that cannot be', async () => {
    const opened = async () => (JSON.parse((await pb.run(['history', 'ops/db/password', '--json'])).out) as []).length;
    const before = await opened();
    const file = join(folder, 'value');
    writeFileSync(file, 'before', { mode: 0o644 });
    expect(await pb.run(['get', 'ops/db', '-o', file])).toEqual({ code: 1, out: '', err: `${file} exists already.\n` });
    const away = join(folder, 'no-folder', 'value');
    expect(await pb.run(['get', 'ops/db', '-o', away])).toMatchObject({
      code: 1,
      err: expect.stringMatching(ONE_LINE),
    });
    expect((await pb.run(['get', 'ops/db', '--force', '-o', '/dev/null'])).code).toBe(1);
    expect(await opened()).toBe(before);
    expect((await pb.run(['get', 'ops/nothing', '-o', join(folder, 'new')])).code).toBe(4);
    expect(existsSync(join(folder, 'new'))).toBe(false);
    expect((await pb.run(['get', 'ops/db', '--force', '-o', file])).code).toBe(0);
    expect(readFileSync(file, 'utf8')).toBe(SECRET);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder).filter((name) => name.includes('part'))).toEqual([]);
  });

  test('a value that is too long is refused before anything is made', async () => {
    for (const input of ['x'.repeat(1024 * 1024 + 1), 'x'.repeat(8 * 1024 * 1024)])
      expect(await pb.run(['add', 'ops/long', '--value-stdin'], { input })).toMatchObject({
        code: 2,
        err: 'The value on standard input is too large.\n',
      });
    expect((await pb.run(['add', 'ops/long', '--value-file', folder])).code).toBe(2);
    expect((await pb.run(['add', 'ops/long', '--value-file', join(folder, 'no')])).code).toBe(2);
    expect((await pb.run(['ls', 'ops'])).out).not.toContain('long');
  });
});

describe('without a terminal', () => {
  test('each question ends the command with the code of what is missing', async () => {
    const without = (question: string, code: number) => ({
      code,
      out: '',
      err: `There is no terminal to ask: ${question}\n`,
    });
    const fresh = { more: { PB_STATE_DIR: mkdtempSync(join(folder, 'state-')) } };
    expect(await pb.run(['login', server.origin], fresh)).toEqual(without('E-mail', 9));
    expect(await pb.run(['login', server.origin, '--email', 'a@b.c'], fresh)).toEqual(without('Account password', 9));
    expect(await pb.run(['get', 'ops/db', '--no-agent'])).toEqual(without('Master password', 3));
    expect(await pb.run(['add', 'ops/x'])).toEqual(without('Value', 2));
    expect(await pb.run(['rm', 'ops/db'])).toMatchObject({ code: 2, err: 'Nobody can be asked here. Add --yes.\n' });
  });
});

describe('files of the state folder', () => {
  test.runIf(process.getuid?.() === 0)('of another account, also behind a link, are refused', async () => {
    const foreign = mkdtempSync(join(folder, 'foreign-'));
    execFileSync('chown', ['65534', foreign]);
    const refused = {
      code: 1,
      out: '',
      err: expect.stringMatching(/belongs to another account of this computer\.\n$/),
    };
    expect(await pb.run(['status'], { more: { PB_STATE_DIR: foreign } })).toMatchObject(refused);
    const link = join(folder, 'link');
    symlinkSync(pb.state, link);
    execFileSync('chown', ['-h', '65534', link]);
    expect(await pb.run(['status'], { more: { PB_STATE_DIR: link } })).toMatchObject(refused);
    execFileSync('chown', ['-h', '0', link]);
    expect((await pb.run(['status'], { more: { PB_STATE_DIR: link } })).code).toBe(0);
    rmSync(link);
  });

  test('that others can read or change are refused; damaged ones are named', async () => {
    const others = {
      code: 1,
      out: '',
      err: expect.stringMatching(/^Other accounts can read .*\. Run: chmod go-rwx .*\n$/),
    };
    for (const mode of ['g+w', 'o+r', 'g+x'])
      expect(await withState((state) => execFileSync('chmod', [mode, state]))).toMatchObject(others);
    for (const name of ['agent.json', 'tokens.json', 'trust.json'])
      expect(await withState((state) => openTo(join(state, name), 0o620))).toMatchObject(others);
    const open = join(folder, 'open.credential');
    openTo(open, 0o604);
    expect(await pb.run(['ls'], { more: { PB_SERVICE_FILE: open } })).toMatchObject(others);
    expect(await pb.run(['ls'], { more: { PB_SERVICE_FILE: join(folder, 'no') } })).toMatchObject({
      code: 1,
      err: expect.stringMatching(ONE_LINE),
    });
    for (const content of ['{', '[]', 'null'])
      expect(
        await withState((state) => writeFileSync(join(state, 'trust.json'), content, { mode: 0o600 }), ['ls']),
      ).toMatchObject({
        code: 1,
        err: expect.stringMatching(/trust\.json is damaged\. Sign in again after: pb logout --forget\n$/),
      });
    expect(
      await withState(
        (state) => writeFileSync(join(state, 'trust.json'), '{', { mode: 0o600 }),
        ['logout', '--forget'],
      ),
    ).toMatchObject({ code: 0, err: '' });
    // The address of an agent is no state: without a good one there is none.
    expect((await withState((state) => writeFileSync(join(state, 'agent.json'), '{', { mode: 0o600 }))).code).toBe(9);
    expect(await pb.run(['status'], { more: { PB_STATE_DIR: '/dev/null/x' } })).toMatchObject({
      code: 1,
      err: '/dev/null/x cannot be used: a part of the path is no folder.\n',
    });
  });
});

describe('^C', () => {
  /** The exit code, and whether the terminal shows what is typed, afterwards. */
  async function interrupted(arguments_: readonly string[], answers: Parameters<typeof typedInto>[1]) {
    const quoted = [process.execPath, pb.program, ...arguments_].map((one) => `'${one}'`).join(' ');
    const { out } = await typedInto(`trap : INT; ${quoted}; echo "code $?"; stty -a`, answers, pb.environment);
    const code = Number(/code (\d+)/.exec(out)?.[1]);
    return { code, shows: / echo /.test(out) && / icanon /.test(out), out };
  }
  const EXPORTED = join(tmpdir(), `pb-never-${process.pid}.pbx`);
  const EXPORT = ['export', 'ops', '-o', EXPORTED];
  test.each<[string, readonly string[], readonly (readonly [string, string])[]]>([
    ['at the account password', ['login', '--email', 'a@b.c'], [['Account password', CTRL_C]]],
    ['at the e-mail', ['login'], [['E-mail', CTRL_C]]],
    ['at the master password', ['get', 'ops/db', '--no-agent'], [['Master password', CTRL_C]]],
    ['at a value', ['add', 'ops/new'], [['Value', `half ${CTRL_C}`]]],
    ['at a question', ['rm', 'ops/db'], [['to the trash?', CTRL_C]]],
    ['at the question of an import', ['import', FIXTURE], [['entries as a new tree?', CTRL_C]]],
    ['at the password of an export', EXPORT, [['Password of the file', CTRL_C]]],
    [
      'at the question of an export',
      EXPORT,
      [
        ['Password of the file', 'long enough'],
        ['Repeat it', 'long enough'],
        ['[y/N]', CTRL_C],
      ],
    ],
    ['at the words of a key', ['share', 'ops', 'bob', 'member'], [['Type same', CTRL_C]]],
  ])('%s: exit 11, and nothing is done', async (_when, arguments_, answers) => {
    const before = (await pb.run(['ls', '-r'])).out;
    const ended = await interrupted(arguments_, answers);
    expect(ended).toMatchObject({ code: 11, shows: true });
    expect(ended.out).toContain('Given up.');
    expect((await pb.run(['ls', '-r'])).out).toBe(before);
    expect(existsSync(EXPORTED)).toBe(false);
  });

  test('in the upload of an import: it is cancelled, and the person is told', async () => {
    const before = (await pb.run(['ls', '-r'])).out;
    // The request never arrives.
    const { asked } = heldAt(/\/import$/);
    const ended = await interrupted(
      ['import', FIXTURE],
      [
        ['entries as a new tree?', 'y'],
        ['\n', () => asked.then(() => CTRL_C)],
      ],
    );
    expect(ended).toMatchObject({ code: 11, shows: true });
    expect(ended.out).toContain('The import was cancelled. Nothing was stored, unless');
    server.reset();
    expect((await pb.run(['ls', '-r'])).out).toBe(before);
  });

  test('while an import compares values: the agent stops, though the server never answers', async () => {
    const file = join(folder, 'same.csv');
    writeFileSync(file, 'name,url,username,password\ndb,,app,other\n');
    const { asked } = heldAt(/\/entries\/[^/]+\/fields/);
    const comparing = piped(`pb import ${file} --into ops --compare --dry-run`);
    await asked;
    interrupt(`import\0${file}\0--into\0ops\0--compare\0--dry-run`);
    expect(await comparing).toEqual({
      code: 11,
      err: 'The import was cancelled. Nothing was stored. What it had opened is recorded.\n',
    });
  });

  test('while a service account is made, or killed: it is removed, also where its file cannot be written', async () => {
    const file = join(folder, 'robot.credential');
    for (const signal of ['SIGINT', 'SIGKILL'] as const) {
      const { asked, goOn } = heldAt(/\/serviceAccounts$/);
      const making = piped(`pb service create robot -o ${file}`);
      await asked;
      interrupt(`create\0robot\0-o\0${file}`, signal);
      // Meanwhile the agent hears of it.
      await pb.run(['status']);
      goOn();
      const { code, err } = await making;
      if (signal === 'SIGINT')
        expect({ code, err }).toEqual({ code: 11, err: 'Given up. The service account was not kept.\n' });
      rmSync(file, { force: true });
      server.reset();
      await expect.poll(async () => (await pb.run(['service', 'ls'])).out).toBe('');
    }
    expect(await piped(`ulimit -f 0; pb service create robot -o ${file}`)).toEqual({
      code: 1,
      err: 'The output cannot be written: the file would be too large. The service account was removed again.\n',
    });
    expect(existsSync(file)).toBe(false);
    expect((await pb.run(['service', 'ls'])).out).toBe('');
  });

  test('sent to pb run alone, in the background of a terminal: the program gets it', async () => {
    const ready = join(folder, 'ready');
    const program = `trap 'echo caught; exit 5' INT; touch ${ready}; while :; do sleep 0.05; done`;
    const { out } = await typedInto(
      `bash -mc '"${process.execPath}" "${pb.program}" run -- sh -c "$PROGRAM" & own=$!; until [ -e ${ready} ]; do sleep 0.05; done; kill -INT $own; wait $own; echo "code $?"'`,
      [],
      { ...pb.environment, PROGRAM: program },
    );
    expect(out).toMatch(/^caught\r\n[^]*code 5\r\n$/);
  });

  test('while the key is derived: the vault stays locked', async () => {
    await pb.run(['lock']);
    for (const command of [['unlock'], ['get', 'ops/db', '--no-agent']]) {
      const ended = await interrupted(command, [
        ['Master password', ada.masterPassword],
        ['\n', CTRL_C],
      ]);
      expect(ended).toMatchObject({ code: 130, shows: true });
      expect(ended.out).toContain('Interrupted.');
      expect(ended.out).not.toContain(SECRET);
    }
    await expect.poll(agents).toEqual([]);
    expect((await pb.run(['get', 'ops/db'])).code).toBe(3);
    expect(await pb.run(['members', 'ops'])).toEqual({
      code: 0,
      out: 'ada  admin\n',
      err: 'The vault is locked, so this list is what the server says. To compare it with the signed list: pb unlock\n',
    });
    expect((await unlock()).code).toBe(0);
  });

  test('while a command waits for the server: exit 130; what is written is written as a whole', async () => {
    const { asked, goOn } = heldAt(/\/fields$/);
    const adding = piped('pb add ops/slow --generate');
    await asked;
    interrupt('add\0ops/slow\0--generate');
    expect(await adding).toEqual({ code: 130, err: 'Interrupted.\n' });
    goOn();
    await expect.poll(async () => (await pb.run(['ls', 'ops/slow'])).out).toContain('Password');
    await pb.run(['rm', 'ops/slow', '--yes']);
  });

  test('before the program of run has started: it never starts', async () => {
    const { asked, goOn } = heldAt(/\/releases$/);
    const file = join(folder, 'started');
    const running = piped(`V=pb://ops/db pb run -- touch ${file}`);
    await asked;
    interrupt(`touch\0${file}`);
    expect(await running).toEqual({ code: 130, err: 'Interrupted.\n' });
    goOn();
    expect(existsSync(file)).toBe(false);
  });

  test('SIGTERM and SIGHUP at a question give the terminal back', async () => {
    for (const [signal, code] of [
      ['TERM', 143],
      ['HUP', 129],
    ] as const) {
      const quoted = `'${process.execPath}' '${pb.program}' add ops/new`;
      const { out } = await typedInto(
        `${quoted} & own=$!; sleep 1; kill -${signal} $own; wait $own; echo "code $?"; stty -a`,
        [],
        pb.environment,
      );
      expect(out).toContain(`code ${code}`);
      expect(out).toMatch(/ echo /);
    }
  });
});

describe('agents', () => {
  test('CM5 of two that start at once, also where one was killed, one stays; a lock ends it', async () => {
    await pb.run(['lock']);
    for (const isStale of [false, true]) {
      if (isStale) {
        await unlock();
        for (const id of agents()) process.kill(Number(id), 'SIGKILL');
        await expect.poll(agents).toEqual([]);
      }
      const ended = await Promise.all([unlock(), unlock()]);
      expect(ended.map(({ code }) => code)).toContain(0);
      await expect.poll(agents, { timeout: 20_000 }).toHaveLength(1);
      expect((await pb.run(['get', 'ops/db'])).out).toBe(SECRET);
      await pb.run(['lock']);
      await expect.poll(agents).toEqual([]);
      expect(readdirSync(pb.state).filter((name) => name.startsWith('agent'))).toEqual([]);
    }
    await unlock();
  });

  test('CM5 killed, or locked, while a call runs: the call says so; nothing is printed', async () => {
    const ended = { code: 3, out: '', err: 'The agent has ended. Unlock again: pb unlock\n' };
    for (const end of [
      async () => agents().forEach((id) => process.kill(Number(id), 'SIGKILL')),
      async () => void (await pb.run(['lock'])),
    ]) {
      const { asked, goOn } = heldAt(/\/releases$/);
      const getting = pb.run(['get', 'ops/db']);
      await asked;
      await end();
      expect(await getting).toMatchObject(ended);
      goOn();
      server.reset();
      await unlock();
    }
  });
});

describe('the server', () => {
  test('refuses: exit 8; away for a moment: asked once more', async () => {
    const asked: string[] = [];
    const failing = (times: number, how: ReturnType<Proxy['instead']>) => {
      asked.length = 0;
      server.instead = (method, path) => {
        if (!path.includes('entrySearch')) return null;
        asked.push(method);
        return asked.length > times ? null : how;
      };
      return pb.run(['search', 'db']);
    };
    const now = { 'retry-after': '0' };
    for (const how of ['broken', { status: 503, headers: now }] as const) {
      expect(await failing(1, how)).toMatchObject({ code: 0, err: '' });
      expect(asked).toEqual(['GET', 'GET']);
      expect(await failing(9, how)).toMatchObject({ code: 8, out: '', err: expect.stringMatching(ONE_LINE) });
      expect(asked).toHaveLength(2);
    }
    for (const how of [{ status: 500 }, { status: 502 }, { status: 503, headers: { 'retry-after': '900' } }] as const) {
      expect(await failing(9, how)).toMatchObject({ code: 8, out: '', err: expect.stringMatching(ONE_LINE) });
      expect(asked).toHaveLength(1);
    }
    expect(await failing(9, { status: 403 })).toMatchObject({ code: 6 });
    expect(asked).toHaveLength(1);
  });

  test('fails between an entry and its field: neither is there', async () => {
    server.instead = (method, path) => (method === 'POST' && path.endsWith('/fields') ? { status: 500 } : null);
    expect(await pb.run(['add', 'ops/torn', '--generate'])).toMatchObject({ code: 8, out: '' });
    server.reset();
    expect((await pb.run(['ls', 'ops'])).out).not.toContain('torn');
  });

  test('does not listen: exit 8', async () => {
    const [closed, port] = await listening();
    closed.close();
    const refused = await loginAt(port);
    expect(refused.code).toBe(8);
    expect(refused.out).toContain('The server cannot be reached: the connection was refused.');
  });
});

describe('a clock that is wrong by a day', () => {
  const DAY = 24 * 60 * 60 * 1000;

  test('codes come with a warning, values do not', async () => {
    for (const [off, word] of [
      [DAY, 'behind'],
      [-DAY, 'ahead of'],
    ] as const) {
      server.head = (headers) => ({ ...headers, date: new Date(Date.now() + off).toUTCString() });
      const ended = await pb.run(['totp', 'ops/db']);
      expect(ended.out).toMatch(/^\d{6}\n$/);
      expect(ended.err).toMatch(
        new RegExp(`^The clock of this computer is 86[34]\\d\\d seconds ${word} that of the server\\.`),
      );
      expect(await pb.run(['get', 'ops/db'])).toEqual({ code: 0, out: SECRET, err: '' });
    }
    server.reset();
    expect(await pb.run(['totp', 'ops/db'])).toMatchObject({ code: 0, err: '' });
  });

  test('the server alone decides when a session has ended; what it proves is proven again', async () => {
    // Writes carry a proof with a time.
    app.clock.advance(2 * 60 * 60 * 1000);
    expect(await pb.run(['group', 'add', 'later'])).toMatchObject({ code: 0, err: '' });
    app.clock.advance(366 * DAY);
    expect(await pb.run(['get', 'ops/db'])).toMatchObject({
      code: 9,
      out: '',
      err: expect.stringMatching(/^You are not signed in\./),
    });
    await expect.poll(agents).toEqual([]);
  });
});

test('a server that never answers: exit 8 after half a minute', async () => {
  const waited = await waiting;
  expect(waited.code).toBe(8);
  expect(waited.out).toContain('The server did not answer within 30 seconds.');
});

async function listening(): Promise<[Server, number]> {
  const made = createServer(() => undefined);
  await new Promise<void>((resolve) => made.listen(0, '127.0.0.1', resolve));
  return [made, (made.address() as AddressInfo).port];
}

function loginAt(port: number) {
  const more = { PB_STATE_DIR: mkdtempSync(join(folder, 'state-')) };
  const command = `'${process.execPath}' '${pb.program}' login http://127.0.0.1:${port} --email a@b.c`;
  return typedInto(command, [['Account password', 'x']], { ...pb.environment, ...more });
}

/** Requests of such paths wait from now on until `goOn`. */
function heldAt(path: RegExp) {
  let isAsked = () => undefined as void;
  const asked = new Promise<void>((resolve) => (isAsked = resolve));
  let goOn = () => undefined as void;
  const held = new Promise<void>((resolve) => (goOn = resolve));
  server.wait = async (one) => {
    if (!path.test(one)) return;
    isAsked();
    await held;
  };
  return { asked, goOn: () => goOn() };
}

/** Sends ^C, or another signal, to the command with these arguments. */
function interrupt(end: string, signal: NodeJS.Signals = 'SIGINT'): void {
  const [id] = readdirSync('/proc').filter((one) => {
    try {
      const line = readFileSync(`/proc/${one}/cmdline`, 'utf8');
      return line.includes(pb.program) && line.endsWith(`${end}\0`);
    } catch {
      return false;
    }
  });
  process.kill(Number(id), signal);
}
