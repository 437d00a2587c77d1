/** Service accounts on the command line, against the real server (SA4 to SA6). */
import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { register } from '@passwordbroker/core/contract/users/users';
import { readCredential, writeCredential } from '@passwordbroker/core/domain/keyring/service/service-credential';
import { signUpBody, startTestApp, type TestApp } from '../../server/src/testing/test-app.ts';
import type { TestPerson } from '../../server/src/testing/test-person.ts';
import { newPb, type Pb } from './testing/pb.ts';
import { KDF, personOf } from './testing/person.ts';
import { proxyTo, type Proxy } from './testing/proxy.ts';

const SECRET = 'q8-Rf3!wZ_47uM';

let app: TestApp;
let origin: string;
let pb: Pb;
let ada: TestPerson;
let folder: string;
let file: string;
let pin: string;

/** What lies change, of a key bundle or of lists of members. */
interface Answered {
  user_id: string;
  slots: { blob_base64: string; slot_type: string }[];
  keyset: { blob_base64: string };
  rosters: { roster_sig_base64: string }[];
}

/** As in a pipeline: without sign-in and agent, in a fresh container. */
const piped = (arguments_: readonly string[], more: NodeJS.ProcessEnv = {}) =>
  pb.run(arguments_, {
    more: { PB_STATE_DIR: mkdtempSync(join(folder, 'state-')), PB_SERVICE_FILE: file, ...more },
  });
const text = () => readFileSync(file, 'utf8').trim();

beforeAll(async () => {
  app = await startTestApp({ kdf: KDF, start: Date.now() });
  folder = mkdtempSync(join(tmpdir(), 'pb-service-'));
  ada = await personOf('ada');
  await app.guest().call(register, { body: { user: signUpBody(ada) } });
  origin = await app.listen();
  pb = newPb();
  await pb.onTerminal(['login', origin, '--email', ada.email], [['Account password', ada.password]]);
  await pb.onTerminal(['unlock'], [['Master password', ada.masterPassword]]);
  for (const group of ['ops', 'private']) await pb.run(['group', 'add', group]);
  await pb.run(['add', 'ops/db', '--login', 'app', '--value-stdin'], { input: SECRET });
  await pb.run(['add', 'private/mail', '--value-stdin'], { input: 'not for programs' });
  await pb.run(['add', 'ops/db', '--type', 'TOTP', '--value-stdin'], { input: 'JBSWY3DPEHPK3PXP' });
  file = join(folder, 'deploy.credential');
});
afterAll(async () => {
  await pb.run(['lock']);
  await app.stop();
  pb.remove();
  rmSync(folder, { recursive: true, force: true });
});

test('a person makes a service account for a group, and gets its credential in a file of their own', async () => {
  const made = await pb.run(['service', 'create', 'deploy', '--group', 'ops', '-o', file]);
  expect(made).toMatchObject({ code: 0, err: '' });
  pin = /^PB_SERVICE_PINS=([0-9a-f]{64})\n$/.exec(made.out)?.[1] ?? '';
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readCredential(text())?.origin).toBe(origin);
  expect((await pb.run(['service', 'ls'])).out).toMatch(/^deploy +ada +1 group +ends in (?:89|90) days, never used/);
  expect((await pb.run(['members', 'ops'])).out).toContain('deploy');
  // The file is opened before anything is made.
  expect(await pb.run(['service', 'create', 'again', '-o', file])).toMatchObject({
    code: 1,
    err: `${file} exists already.\n`,
  });
  expect(await pb.run(['service', 'create', 'again'])).toMatchObject({ code: 2 });
  expect(await pb.run(['service', 'create', 'again', '--group', 'nothing', '-o', join(folder, 'x')])).toMatchObject({
    code: 4,
  });
  expect((await pb.run(['service', 'ls'])).out).not.toContain('again');
});

test('a program reads its groups with the credential alone, and nothing else', async () => {
  expect(await piped(['get', 'ops/db'])).toEqual({ code: 0, out: SECRET, err: '' });
  expect(await piped(['get', 'ops/db'], { PB_SERVICE_FILE: '', PB_SERVICE: text() })).toMatchObject({ out: SECRET });
  expect((await piped(['totp', 'ops/db'])).out).toMatch(/^\d{6}\n$/);
  expect((await piped(['ls', '-r'])).out).toBe('ops/\nops/db  app\n');
  expect((await piped(['search', 'db'])).out).toBe('ops/db  app\n');
  expect(await piped(['get', 'private/mail'])).toMatchObject({ code: 4, out: '' });
  for (const refused of [
    ['add', 'ops/x', '--generate'],
    ['copy', 'ops/db'],
    ['members', 'ops'],
  ]) {
    expect(await piped(refused)).toMatchObject({ code: 2, out: '' });
  }
  const rows = JSON.parse((await pb.run(['history', 'ops/db/password', '--json'])).out) as object[];
  expect(rows[0]).toMatchObject({
    event_type: 'decrypted',
    purpose: 'show',
    via: 'cli',
    user: { name: 'deploy', kind: 'service' },
  });
});

test('a program of pb run gets values and not the credential', async () => {
  const program = 'console.log(process.env.DB, process.env.PB_SERVICE_FILE, process.env.PB_SERVICE)';
  const run = ['run', '--no-mask', '--label', 'release 41', '--', process.execPath, '-e', program];
  expect(await piped(run, { DB: 'pb://ops/db/password' })).toEqual({
    code: 0,
    out: `${SECRET} undefined undefined\n`,
    err: '',
  });
  const rows = JSON.parse((await pb.run(['history', 'ops/db/password', '--json'])).out) as object[];
  expect(rows[0]).toMatchObject({ purpose: 'run', label: 'release 41', via: 'cli' });
  expect(await piped(run, { DB: 'pb://private/mail/password' })).toMatchObject({ code: 4, out: '' });
});

test('the pipeline of docs/command-line.md runs as it stands there', async () => {
  await pb.run(['group', 'add', 'ops/production']);
  await pb.run(['add', 'ops/production/db', '--login', 'app', '--value-stdin'], { input: SECRET });
  const credential = join(folder, 'pipeline.credential');
  const made = await pb.run(['service', 'create', 'pipeline', '--group', 'ops/production', '-o', credential]);
  const docs = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'command-line.md'), 'utf8');
  const script = /```sh\n(#!\/bin\/sh\n[^`]*)```/.exec(docs)?.[1] ?? '';
  expect(script).toContain('pb run');
  const job = mkdtempSync(join(folder, 'job-'));
  const [bin, state] = [join(job, 'bin'), join(job, 'state')];
  mkdirSync(bin);
  writeFileSync(join(bin, 'pb'), `#!/bin/sh\nexec "${process.execPath}" "${pb.program}" "$@"\n`, { mode: 0o700 });
  writeFileSync(join(job, 'deploy.sh'), script, { mode: 0o700 });
  const { stdout, stderr } = await promisify(execFile)(join(job, 'deploy.sh'), {
    cwd: job,
    encoding: 'utf8',
    env: {
      PATH: `${bin}:${process.env['PATH']}`,
      PB_STATE_DIR: state,
      PB_SERVICE_FILE: credential,
      PB_SERVICE_PINS: made.out.trim().replace('PB_SERVICE_PINS=', ''),
      RELEASE: '41',
    },
  });
  expect({ stdout, stderr }).toEqual({ stdout: `migrating as app with ${SECRET.length} characters\n`, stderr: '' });
  const rows = JSON.parse((await pb.run(['history', 'ops/production/db/password', '--json'])).out) as object[];
  expect(rows.slice(0, 2)).toMatchObject([{ purpose: 'run', label: 'release 41', via: 'cli' }, {}]);
});

describe('a damaged or foreign credential (SA5)', () => {
  const DAMAGED = { code: 2, out: '', err: 'The credential is damaged: copy it again.\n' };
  const withText = (credential: string) => piped(['get', 'ops/db'], { PB_SERVICE_FILE: '', PB_SERVICE: credential });

  test('damaged and cut texts are told from refusals', async () => {
    const last = text().endsWith('A') ? 'B' : 'A';
    expect(await withText(text().slice(0, -1) + last)).toEqual(DAMAGED);
    expect(await withText(text().slice(0, 40))).toEqual(DAMAGED);
    expect(await withText('hunter2')).toEqual(DAMAGED);
  });

  test('another secret is refused, and another server does not know it', async () => {
    const known = readCredential(text())!;
    const other = writeCredential({ ...known, secret: new Uint8Array(32) });
    expect(await withText(other)).toMatchObject({
      code: 9,
      err: 'The server does not accept the credential: it has ended or expired.\n',
    });
    const elsewhere = await startTestApp({ kdf: KDF });
    const away = await elsewhere.listen();
    expect(await withText(writeCredential({ ...known, origin: away }))).toMatchObject({ code: 9 });
    await elsewhere.stop();
    expect(await withText(writeCredential({ ...known, origin: away }))).toMatchObject({ code: 8 });
  });

  test('a file that others can read is not used', async () => {
    const open = join(folder, 'open.credential');
    writeFileSync(open, text());
    chmodSync(open, 0o644);
    const ended = await piped(['get', 'ops/db'], { PB_SERVICE_FILE: open });
    expect(ended).toMatchObject({
      code: 1,
      out: '',
      err: `Other accounts can read ${open}. Run: chmod go-rwx ${open}\n`,
    });
  });
});

describe('a lying server (SA4)', () => {
  let proxy: Proxy;
  let forged: string;
  beforeAll(async () => {
    proxy = await proxyTo(origin);
    forged = writeCredential({ ...readCredential(text())!, origin: proxy.origin });
  });
  afterAll(() => proxy.close());
  afterEach(() => proxy.reset());

  const lied = (more: NodeJS.ProcessEnv = {}) =>
    piped(['get', 'ops/db'], { PB_SERVICE_FILE: '', PB_SERVICE: forged, ...more });
  const changing = (part: string, change: (read: Answered) => void) => (path: string, body: string) => {
    if (!path.includes(part)) return body;
    const read = JSON.parse(body) as Answered;
    change(read);
    return JSON.stringify(read);
  };

  test('without a lie it works, with pins too', async () => {
    expect(await lied()).toMatchObject({ code: 0, out: SECRET });
    expect(await lied({ PB_SERVICE_PINS: pin })).toMatchObject({ code: 0, out: SECRET });
  });

  test.each<[string, string, (read: Answered) => void]>([
    [
      'another slot',
      'keyBundle',
      ({ slots: [slot] }) => (slot!.blob_base64 = Buffer.alloc(116, 'PB1').toString('base64')),
    ],
    ['a slot of another type', 'keyBundle', ({ slots: [slot] }) => (slot!.slot_type = 'recovery')],
    ['another keyset', 'keyBundle', ({ keyset }) => (keyset.blob_base64 = Buffer.alloc(200, 'PB1').toString('base64'))],
    ['another account', 'keyBundle', (bundle) => (bundle.user_id = crypto.randomUUID())],
    ['a list with another signature', 'roster', (answer) => forgeSignature(answer)],
  ])('%s: exit 10, and nothing is printed', async (_what, part, change) => {
    proxy.lie = changing(part, change);
    expect(await lied()).toMatchObject({ code: 10, out: '' });
  });

  test('a value that was changed (CM6): exit 10, nothing is printed, and nothing starts', async () => {
    const more = { PB_SERVICE_FILE: '', PB_SERVICE: forged, DB: 'pb://ops/db/password' };
    proxy.lie = (path, body) =>
      /releases|envelope/.test(path)
        ? body.replaceAll(
            /("encrypted_value_base64":")(.)/g,
            (_, name: string, sign: string) => name + (sign === 'A' ? 'B' : 'A'),
          )
        : body;
    const program = ['--no-mask', '--', process.execPath, '-e', 'console.log("started")'];
    for (const command of [
      ['get', 'ops/db/password'],
      ['get', 'ops/db/password', '--json'],
      ['totp', 'ops/db'],
      ['run', ...program],
    ])
      expect(await piped(command, more)).toMatchObject({ code: 10, out: '' });
  });

  test('a list that no pinned key signed: exit 10', async () => {
    expect(await lied({ PB_SERVICE_PINS: 'ab'.repeat(32) })).toMatchObject({ code: 10, out: '' });
    expect(await lied({ PB_SERVICE_PINS: 'ops' })).toMatchObject({ code: 2 });
  });

  test('a list of before the one that this device accepted: exit 10', async () => {
    const state = mkdtempSync(join(folder, 'state-'));
    expect(await lied({ PB_STATE_DIR: state })).toMatchObject({ code: 0 });
    proxy.ask = (path) => path.replace(/from=\d+/, 'from=0');
    proxy.lie = changing('roster', (answer) => (answer.rosters = answer.rosters.slice(0, 1)));
    expect((await lied({ PB_STATE_DIR: state })).code).toBe(10);
  });
});

function forgeSignature({ rosters }: Answered): void {
  for (const roster of rosters) roster.roster_sig_base64 = Buffer.alloc(64, 1).toString('base64');
}

test('the account itself rotates its credential, with an overlap; a person ends one and deletes the account', async () => {
  const next = join(folder, 'next.credential');
  expect(await piped(['service', 'rotate', '--overlap', '24', '-o', next])).toMatchObject({ code: 0, err: '' });
  expect(await piped(['get', 'ops/db'])).toMatchObject({ code: 0 });
  expect(await piped(['get', 'ops/db'], { PB_SERVICE_FILE: next })).toMatchObject({ code: 0, out: SECRET });
  expect(await piped(['service', 'rotate', '-o', join(folder, 'third')])).toMatchObject({
    err: expect.stringContaining('Two credentials are in use already'),
  });
  const { slotId } = readCredential(text())!;
  expect(await pb.run(['service', 'end', slotId])).toMatchObject({ code: 0 });
  expect(await piped(['get', 'ops/db'])).toMatchObject({ code: 9, out: '' });
  const short = join(folder, 'short.credential');
  expect(await piped(['service', 'rotate', '--days', '3', '-o', short], { PB_SERVICE_FILE: next })).toMatchObject({
    code: 0,
  });
  expect((await piped(['get', 'ops/db'], { PB_SERVICE_FILE: short })).err).toMatch(
    /^The credential ends in [23] days\. Renew it/,
  );
  expect(await pb.run(['service', 'rm', 'deploy', '--yes'])).toMatchObject({ code: 0 });
  expect(await piped(['get', 'ops/db'], { PB_SERVICE_FILE: short })).toMatchObject({ code: 9 });
  expect((await pb.run(['service', 'ls'])).out).not.toContain('deploy');
});

test('after a loss the owner makes new keys: the former credential ends, the groups stay', async () => {
  const [lost, next] = [join(folder, 'lost.credential'), join(folder, 'renewed.credential')];
  expect(await pb.run(['service', 'create', 'nightly', '--group', 'ops', '-o', lost])).toMatchObject({ code: 0 });
  expect(await piped(['get', 'ops/db'], { PB_SERVICE_FILE: lost })).toMatchObject({ code: 0, out: SECRET });
  expect(await pb.run(['service', 'renew', 'nobody', '-o', next, '--yes'])).toMatchObject({ code: 4 });
  expect(await pb.run(['service', 'renew', 'nightly', '--yes'])).toMatchObject({ code: 2 });
  const renewed = await pb.run(['service', 'renew', 'nightly', '-o', next, '--yes']);
  expect(renewed.err).toBe('');
  expect(renewed).toMatchObject({ code: 0, out: `PB_SERVICE_PINS=${pin}\n` });
  expect(await piped(['get', 'ops/db'], { PB_SERVICE_FILE: lost })).toMatchObject({ code: 9, out: '' });
  expect(await piped(['get', 'ops/db'], { PB_SERVICE_FILE: next })).toMatchObject({ code: 0, out: SECRET });
});
