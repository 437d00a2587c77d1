/** CM1: each command with values that are searched for afterwards, wherever others could find them. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { register } from '@passwordbroker/core/contract/users/users';
import { signUpBody, startTestApp, type TestApp } from '../../server/src/testing/test-app.ts';
import type { TestPerson } from '../../server/src/testing/test-person.ts';
import { newPb, type Pb, typedInto } from './testing/pb.ts';
import { KDF, personOf } from './testing/person.ts';
import { type Proxy, proxyTo } from './testing/proxy.ts';

const CANARIES = {
  stdin: 'canary-stdin-4f1c',
  typed: 'canary-typed-91be',
  file: 'canary-file-77d0',
  edited: 'canary-edited-c23a',
  imported: 'canary-imported-5e9f',
  archive: 'canary-archive-password-08bd',
  totp: 'MNQW4YLSPEWWG33EMUWTCMRT',
} as const;

let app: TestApp;
let server: Proxy;
let pb: Pb;
let ada: TestPerson;
let folder: string;
let home: string;
const requests: string[] = [];
/** Arguments of all processes, and environments of ours, that were seen meanwhile. */
const seen = new Set<string>();
let watching: ReturnType<typeof setInterval>;

beforeAll(async () => {
  app = await startTestApp({ kdf: KDF, start: Date.now() });
  ada = await personOf('ada');
  const site = app.guest();
  for (const person of [ada, await personOf('bob')]) await site.call(register, { body: { user: signUpBody(person) } });
  server = await proxyTo(await app.listen());
  server.hear = (request) => void requests.push(request);
  folder = mkdtempSync(join(tmpdir(), 'pb-secrets-'));
  home = join(folder, 'home');
  const bin = join(folder, 'bin');
  for (const path of [home, bin]) mkdirSync(path);
  // A clipboard, in a file that is not searched.
  const board = `#!/bin/sh\ncase "$*" in *-o*) cat '${folder}/board' ;; *) cat > '${folder}/board' ;; esac\n`;
  writeFileSync(join(bin, 'xclip'), board, { mode: 0o700 });
  pb = newPb({ HOME: home, PATH: `${bin}:${process.env['PATH']}` });
  writeFileSync(join(bin, 'pb'), `#!/bin/sh\nexec "${process.execPath}" "${pb.program}" "$@"\n`, { mode: 0o700 });
  watching = setInterval(look, 20);
});
afterAll(async () => {
  clearInterval(watching);
  await pb.run(['lock']);
  await server.close();
  await app.stop();
  pb.remove();
  rmSync(folder, { recursive: true, force: true });
});

function look(): void {
  for (const id of readdirSync('/proc')) {
    if (!/^\d+$/.test(id) || Number(id) === process.pid) continue;
    try {
      const line = readFileSync(`/proc/${id}/cmdline`, 'utf8');
      seen.add(line);
      if (line.includes(pb.program)) seen.add(`${line}${readFileSync(`/proc/${id}/environ`, 'utf8')}`);
    } catch {
      // It has ended.
    }
  }
}

function* filesBelow(path: string): Generator<string> {
  for (const name of readdirSync(path)) {
    const below = join(path, name);
    if (statSync(below).isDirectory()) yield* filesBelow(below);
    else if (statSync(below).isFile()) yield below;
  }
}

/** In text, base64, hex and percent-encoded. */
const formsOf = (secret: string) => [
  secret,
  Buffer.from(secret).toString('base64').replace(/=+$/, ''),
  Buffer.from(secret).toString('hex'),
  encodeURIComponent(secret),
];
const found = (secrets: readonly string[], where: string) =>
  secrets.filter((secret) => formsOf(secret).some((form) => where.includes(form)));

test('CM1 every command: no secret in arguments, environments, history, state, requests, server, or core dumps', async () => {
  const done: string[] = [];
  const run = async (arguments_: readonly string[], input = '', more: NodeJS.ProcessEnv = {}) => {
    const ended = await pb.run(arguments_, { input, more });
    done.push(arguments_[0] ?? '');
    expect([arguments_.join(' '), ended.code, ended.code === 0 ? '' : ended.err]).toEqual([
      arguments_.join(' '),
      0,
      '',
    ]);
    return ended.out;
  };
  const onTerminal = async (arguments_: readonly string[], answers: readonly (readonly [string, string])[]) => {
    done.push(arguments_[0] ?? '');
    const ended = await pb.onTerminal(arguments_, answers);
    expect({ arguments_, ...ended }).toMatchObject({ code: 0 });
    return ended.out;
  };
  const [file, table] = [join(folder, 'value'), join(folder, 'chrome.csv')];
  writeFileSync(file, CANARIES.file);
  writeFileSync(table, `name,url,username,password\nMail,https://mail.example,ada,${CANARIES.imported}\n`);

  await onTerminal(['login', server.origin, '--email', ada.email], [['Account password', ada.password]]);
  await onTerminal(['unlock'], [['Master password', ada.masterPassword]]);
  await run(['status']);
  await run(['group', 'add', 'ops']);
  await run(['group', 'add', 'archive']);
  await run(['group', 'add', 'inner']);
  await run(['group', 'mv', 'inner', 'archive']);
  expect(await run(['ls', 'archive'])).toBe('archive/inner/\n');
  await run(['add', 'ops/db', '--value-stdin'], CANARIES.stdin);
  await run(['add', 'ops/code', '--type', 'TOTP', '--value-stdin'], CANARIES.totp);
  await run(['add', 'ops/text', '--type', 'note', '--value-file', file]);
  await run(['add', 'ops/key', '--type', 'file', '--value-file', file]);
  await onTerminal(['add', 'ops/typed'], [['Value', CANARIES.typed]]);
  await run(['add', 'ops/made', '--generate']);
  const made = await run(['get', 'ops/made']);
  const printed = (await run(['generate'])).trim();
  await run(['edit', 'ops/db', '--value-stdin'], CANARIES.edited);
  const watched = await pb.onTerminal(['totp', 'ops/code', '--watch'], [['seconds left', '\x03']]);
  expect(watched).toMatchObject({ code: 130, out: expect.stringMatching(/^\d{6}\r\n/) });
  expect(found(Object.values(CANARIES), watched.out)).toEqual([]);
  for (const arguments_ of [
    ['ls', '-r'],
    ['search', 'db'],
    ['history', 'ops/db'],
    ['members', 'ops'],
    ['totp', 'ops/code'],
    ['copy', 'ops/db', '--clear-after', '5'],
    ['totp', 'ops/code', '--copy'],
    ['config', 'list'],
    ['doctor'],
  ])
    await run(arguments_);
  expect(await run(['get', 'ops/db'])).toBe(CANARIES.edited);
  expect(await run(['get', 'ops/typed', 'ops/text', '--json'])).toContain(CANARIES.typed);
  await run(['get', 'ops/key', '-o', join(folder, 'saved')]);
  await run(['mv', 'ops/db', 'archive']);
  await run(['rm', 'archive/db', '--yes']);
  await run(['undo']);
  await run(['share', 'ops', 'bob', 'member', '--trust-for-now']);
  await run(['unshare', 'ops', 'bob', '--yes']);
  await run(['import', table, '--yes']);
  await onTerminal(
    ['export', 'ops', '--no-files', '-o', join(folder, 'ops.pbx')],
    [
      ['Password of the file', CANARIES.archive],
      ['Repeat it', CANARIES.archive],
      ['Export', 'y'],
    ],
  );
  await run(['run', '--', 'true'], '', { DB: 'pb://archive/db' });
  const credential = join(folder, 'program.credential');
  await run(['service', 'create', 'program', '--group', 'ops', '-o', credential]);
  const service = { PB_SERVICE_FILE: credential, PB_STATE_DIR: mkdtempSync(join(home, 'state-')) };
  expect(await run(['get', 'ops/made'], '', service)).toBe(made);
  const owned = await run(['service', 'owner', 'program', 'bob', '--yes', '--json']);
  expect(JSON.parse(owned)).toMatchObject({ owner: { name: 'bob' } });
  // What a shell remembers: nothing of it is typed into a command line.
  const history = join(home, 'history');
  await typedInto(
    'bash --norc -i',
    [
      ['READY> ', 'pb edit ops/typed'],
      ['Value', CANARIES.typed],
      ['READY> ', 'exit'],
    ],
    { ...pb.environment, HISTFILE: history, PS1: 'READY> ' },
  );
  expect(readFileSync(history, 'utf8')).toContain('pb edit ops/typed');

  const agent = readdirSync('/proc').find((id) => {
    try {
      const line = readFileSync(`/proc/${id}/cmdline`, 'utf8');
      return line.includes(`${pb.program}\0agent`) && line.includes('node');
    } catch {
      return false;
    }
  });
  // A crash writes no memory to the disk.
  expect(readFileSync(`/proc/${agent}/limits`, 'utf8')).toMatch(/^Max core file size +0 +0 /m);
  const [, secret = ''] = /^pbsa1_(\S+)$/.exec(readFileSync(credential, 'utf8').trim()) ?? [];
  const secrets = [...Object.values(CANARIES), ada.masterPassword, made, printed, secret];
  const all = [...secrets, ada.password];

  // That the search finds what is there:
  expect(found(all, readFileSync(table, 'utf8'))).toEqual([CANARIES.imported]);
  expect([...seen].some((line) => line.includes('\0agent\0') && line.includes('PB_STATE_DIR='))).toBe(true);
  expect([...seen].filter((line) => found(all, line).length > 0)).toEqual([]);
  for (const path of [...filesBelow(pb.state), ...filesBelow(home)])
    expect({ path, found: found(all, readFileSync(path, 'latin1')) }).toEqual({ path, found: [] });
  expect(found(all, app.log.join('\n'))).toEqual([]);
  for (const path of filesBelow(app.dataDir))
    expect({ path, found: found(all, readFileSync(path, 'latin1')) }).toEqual({ path, found: [] });
  // The account password goes to the sign-in and to the confirmation of an export.
  const withPassword = requests.filter((request) => found([ada.password], request).length > 0);
  expect(withPassword.map((request) => request.split('\n')[0])).toEqual(['POST /identity/api/login']);
  expect(requests.flatMap((request) => found(secrets, request))).toEqual([]);
  expect(requests.length).toBeGreaterThan(60);
  const tokens = readFileSync(join(pb.state, 'tokens.json'), 'utf8');
  const [token = ''] = Object.values(JSON.parse(tokens) as Record<string, { token: string }>).map((one) => one.token);
  expect(requests.filter((request) => request.replace(`Bearer ${token}`, '').includes(token))).toEqual([]);
  // Each command was there.
  const commands = (await run(['--help'])).split('\n').flatMap((line) => /^ {2}(\w+) {2}/.exec(line)?.[1] ?? []);
  const later = ['lock', 'logout', 'completion', 'manual'];
  expect(commands.filter((name) => !done.includes(name) && !later.includes(name))).toEqual([]);
});

test('CM4 twenty references: one call for all names and one for all values, also with a server that cannot resolve names', async () => {
  const table = join(folder, 'many.csv');
  const lines = Array.from({ length: 20 }, (_, at) => `E${at},https://e${at}.example,ada,value-${at}`);
  writeFileSync(table, ['name,url,username,password', ...lines, ''].join('\n'));
  expect((await pb.run(['import', table, '--yes'])).code).toBe(0);
  const callsOf = async (count: number) => {
    const more = Object.fromEntries(Array.from({ length: count }, (_, at) => [`V${at}`, `pb://many/E${at}`]));
    requests.length = 0;
    const program = [
      '--',
      process.execPath,
      '-p',
      `Object.keys(process.env).filter((name) => /^V\\d+$/.test(name)).length`,
    ];
    expect(await pb.run(['run', ...program], { more })).toEqual({ code: 0, out: `${count}\n`, err: '' });
    const calls = requests.map(
      (request) =>
        request
          .split('\n')[0]
          ?.replace(/\?.*/, '')
          .replaceAll(/[0-9a-f-]{36}/g, 'id') ?? '',
    );
    // The agent stores some time after the import that it has made the group.
    return calls.filter((call) => call !== 'PUT /identity/api/keyBundle/documents/trust');
  };
  // The group is opened once.
  await callsOf(1);
  const calls = await callsOf(20);
  expect(calls).toEqual(await callsOf(1));
  expect(calls).toEqual(['POST /passwordBroker/api/resolve', 'POST /passwordBroker/api/releases']);
  // An older server answers as for any path that it does not have.
  server.ask = (path) => path.replace('/api/resolve', '/api/unknown');
  expect(await callsOf(20)).toHaveLength(5);
  server.ask = (path) => path;
});
