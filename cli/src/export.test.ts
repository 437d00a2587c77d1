/** `pb export` against the real server: what is in the files, who may, and what is left when one is cancelled. */
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { register } from '@passwordbroker/core/contract/users/users';
import { BY_ITSELF } from '../../server/src/audit/audit-log.ts';
import { giveRole } from '../../server/src/operations/testing/vault.ts';
import { changeSite } from '../../server/src/system/site-settings.ts';
import { signUpBody, startTestApp, type TestApp } from '../../server/src/testing/test-app.ts';
import { MINUTE } from '../../server/src/testing/test-clock.ts';
import type { TestPerson } from '../../server/src/testing/test-person.ts';
import { agentNote } from './agent/agent-address.ts';
import { connectAgent } from './agent/connect.ts';
import { newPb, type Pb, typedInto } from './testing/pb.ts';
import { KDF, personOf } from './testing/person.ts';
import { proxyTo, type Proxy } from './testing/proxy.ts';

const PASSWORD = 'only-for-this-file';
const [FORMER, PRESENT] = ['former-8Qz', 'present-3Kw'];

let app: TestApp;
let proxy: Proxy;
let pb: Pb;
let ada: TestPerson;
let folder: string;
let key: string;
/** Ids of groups by path. */
let ids: Readonly<Record<string, string>>;

const at = (name: string) => join(folder, name);
const login = () => pb.onTerminal(['login', proxy.origin, '--email', ada.email], [['Account password', ada.password]]);
const unlock = () => pb.onTerminal(['unlock'], [['Master password', ada.masterPassword]]);
const set = (settings: Parameters<typeof changeSite>[2]) =>
  changeSite(app.deps, { actor: null, origin: BY_ITSELF }, settings);
/** Without a terminal. */
const exported = (...more: readonly string[]) => pb.run(['export', '--password-file', key, '--yes', ...more]);
const exports = () =>
  app.deps.db.read.selectFrom('exports').select(['state', 'released']).orderBy('created_at', 'desc').execute();
const isThere = (command: string) => spawnSync(command, ['--version']).status === 0;

beforeAll(async () => {
  app = await startTestApp({ kdf: KDF, start: Date.now() });
  ada = await personOf('ada');
  await app.guest().call(register, { body: { user: signUpBody(ada) } });
  proxy = await proxyTo(await app.listen());
  folder = mkdtempSync(join(tmpdir(), 'pb-export-'));
  key = at('key.txt');
  writeFileSync(key, `${PASSWORD}\n`, { mode: 0o600 });
  pb = newPb();
  await login();
  await unlock();
  for (const group of ['ops', 'ops/web', 'other']) await pb.run(['group', 'add', group]);
  await pb.run(['add', 'ops/db', '--login', 'app', '--value-stdin'], { input: FORMER });
  await pb.run(['edit', 'ops/db/password', '--value-stdin'], { input: PRESENT });
  await pb.run(['add', 'ops/db', '--type', 'TOTP', '--value-stdin'], { input: 'JBSWY3DPEHPK3PXP' });
  writeFileSync(at('id.pem'), 'bytes of a file\n');
  await pb.run(['add', 'ops/db', '--type', 'file', '--value-file', at('id.pem')]);
  await pb.run(['add', 'ops/web/wiki', '--type', 'note', '--value-stdin'], { input: 'two\nlines' });
  await pb.run(['add', 'other/mail', '--login', 'ada', '--value-stdin'], { input: 'other-5Ty' });
  const rows = JSON.parse((await pb.run(['ls', '-r', '--json'])).out) as { kind: string; path: string; id: string }[];
  ids = Object.fromEntries(rows.filter(({ kind }) => kind === 'group').map(({ path, id }) => [path, id]));
});
afterAll(async () => {
  await pb.run(['lock']);
  await proxy.close();
  await app.stop();
  pb.remove();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  await app.deps.db.transact((tx) => tx.deleteFrom('exports').execute());
  await set({ export_by: 'admins', export_plain: false });
});
afterEach(() => {
  proxy.reset();
  // Nothing half is left, whatever happened.
  expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([]);
});

test('our archive: asked for on a terminal, opened by age and tar, and the same after an import', async () => {
  const shown = await pb.onTerminal(
    ['export', 'ops', '-o', at('ops.pbx')],
    [
      ['Password of the file', PASSWORD],
      ['Repeat it', 'not the same'],
      ['are not the same', PASSWORD],
      ['Repeat it', PASSWORD],
      ['Export 5 values?', 'y'],
    ],
  );
  expect(shown).toMatchObject({ code: 0 });
  expect(shown.out).toContain('PasswordBroker archive: 2 groups, 2 entries, 5 values, with files');
  expect(shown.out).toContain('5 values will be recorded as opened by you.');
  expect(statSync(at('ops.pbx')).mode & 0o777).toBe(0o600);
  expect(await exports()).toEqual([{ state: 'done', released: 5 }]);
  const [newest] = (await pb.run(['history', 'ops/db/password'])).out.split('\n');
  expect(newest).toContain('exported as pbx');

  if (isThere('age')) {
    const script = `age -d -o '${at('ops.tgz')}' '${at('ops.pbx')}'`;
    expect(await typedInto(script, [['passphrase', PASSWORD]], pb.environment)).toMatchObject({ code: 0 });
    const entries = execFileSync('tar', ['-xzOf', at('ops.tgz'), 'entries/000001.ndjson'], { encoding: 'utf8' });
    for (const value of [FORMER, PRESENT, 'JBSWY3DPEHPK3PXP']) expect(entries).toContain(value);
  }

  const imported = await pb.onTerminal(
    ['import', at('ops.pbx')],
    [
      ['Password of the file', PASSWORD],
      ['Import 2 entries', 'y'],
    ],
  );
  expect(imported.out).toContain('Imported as “ops (2)”.');
  const again = 'ops%20(2)/db';
  expect((await pb.run(['get', again, '-n'])).out).toBe(PRESENT);
  expect((await pb.run(['get', `${again}#login`])).out).toBe('app');
  expect((await pb.run(['get', `${again}/TOTP`, '--secret'])).out).toBe('JBSWY3DPEHPK3PXP');
  expect((await pb.run(['get', `${again}/file`])).out).toBe('bytes of a file\n');
  expect((await pb.run(['get', 'ops%20(2)/web/wiki'])).out).toBe('two\nlines');
  await pb.run(['undo']);
});

test('into a pipe, if it is encrypted; a reader that is gone', async () => {
  const file = at('piped.pbx');
  const piped = (end: string) =>
    typedInto(
      `"${process.execPath}" "${pb.program}" export ops --password-file '${key}' --yes -o - ${end}; echo "code \${PIPESTATUS[0]}"`,
      [],
      { ...pb.environment, SHELL: '/bin/bash' },
    );
  expect((await piped(`> '${file}'`)).out).toContain('code 0');
  const shown = await pb.onTerminal(['import', file, '--dry-run'], [['Password of the file', PASSWORD]]);
  expect(shown.out).toContain('2 entries in 2 groups, 4 values, 1 earlier versions, 1 files');
  const gone = await piped('| true');
  expect(gone.out).toContain('The output was closed before everything was written.');
  expect(gone.out).toContain('code 1');
  expect((await piped('')).out).toContain('only into a pipe');
  expect(await exported('--format', 'csv-manager', '-o', '-')).toMatchObject({ code: 2, out: '' });
  expect(await exported('--json', '-o', '-')).toMatchObject({ code: 2, out: '' });
});

test('two commands at once: each reads its own file, to its end and no further', async () => {
  /** A command that has opened one group, and has not stored it. */
  const opening = async (group: string) => {
    const agent = await connectAgent(agentNote(pb.environment));
    if (agent === null) throw new Error('No agent');
    const scope = { groups: [ids[group] ?? ''] };
    const started = await agent.call('startExport', {
      scope,
      format: 'csv-table',
      history: false,
      files: false,
      endsOther: false,
    });
    const { exportId, size } = await agent.call('openExport', { started, name: group, password: '' });
    const read = async (byte: number) =>
      Buffer.from(await agent.call('readOpened', { exportId, at: byte }), 'base64').length;
    return { agent, exportId, size, read };
  };
  const gone = { failure: { exit: 1, code: 'gone', message: 'What was opened is gone. Export again.' } };
  await set({ export_plain: true });
  const [first, second] = [await opening('ops'), await opening('other')];
  expect(first.size).not.toBe(second.size);
  expect(await first.read(0)).toBe(first.size);
  expect(await second.read(0)).toBe(second.size);
  await expect(first.read(first.size)).rejects.toMatchObject(gone);
  await second.agent.call('dropOpened', { exportId: second.exportId });
  await expect(second.read(0)).rejects.toMatchObject(gone);
  const asked = { exportId: second.exportId, path: at('foreign.pbx'), isForced: false };
  await expect(second.agent.call('storeExport', asked)).rejects.toMatchObject(gone);
  expect(await first.read(1)).toBe(first.size - 1);
  // Ends with its command.
  first.agent.end();
  await expect
    .poll(() => second.agent.call('readOpened', { exportId: first.exportId, at: 0 }).catch(String))
    .toContain('is gone');
  second.agent.end();
});

describe('each kind of file', () => {
  test('KDBX opens in KeePassXC, and imports again', async () => {
    const file = at('all.kdbx');
    const ended = await exported('--format', 'kdbx', '-o', file, '--json');
    expect(ended).toMatchObject({ code: 0 });
    expect(JSON.parse(ended.out)).toMatchObject({ path: file, format: 'kdbx', values: 6, gone: 0, failed: 0 });
    if (isThere('keepassxc-cli')) {
      const show = (...given: readonly string[]) =>
        execFileSync('keepassxc-cli', ['show', '-q', '-s', file, ...given], {
          input: `${PASSWORD}\n`,
          env: { ...process.env, QT_QPA_PLATFORM: 'offscreen' },
          encoding: 'utf8',
        }).trim();
      expect(show('-a', 'Password', 'ops/db')).toBe(PRESENT);
      expect(show('-a', 'UserName', 'ops/db')).toBe('app');
      expect(show('-a', 'Password', 'other/mail')).toBe('other-5Ty');
    }
    const dry = await pb.onTerminal(['import', file, '--dry-run'], [['Password of the file', PASSWORD]]);
    expect(dry.out).toContain('3 entries in 4 groups, 5 values, 1 earlier versions, 1 files');
  });

  test('Bitwarden, protected by a password: what it cannot hold is said first', async () => {
    const ended = await exported('ops', '--format', 'bitwarden', '-o', at('ops.json'));
    expect(ended).toMatchObject({ code: 0 });
    expect(JSON.parse(readFileSync(at('ops.json'), 'utf8'))).toMatchObject({ passwordProtected: true });
    expect(readFileSync(at('ops.json'), 'utf8')).not.toContain(PRESENT);
  });

  test.each([
    ['csv-manager', 'does not hold 1 file and 1 earlier version and 1 one-time password.', 'db'],
    ['csv-table', 'does not hold 1 file and 1 earlier version.', 'db'],
    ['cxf', 'does not hold 1 earlier version.', null],
    ['bitwarden-plain', 'Everybody who gets this file can read 1 password.', null],
  ] as const)('%s where the site allows files without encryption', async (format, told, text) => {
    const file = at(`${format}.out`);
    const plain = () => pb.run(['export', 'ops', '--format', format, '-o', file, '--yes']);
    expect(await plain()).toMatchObject({ code: 6, err: 'Files without encryption are switched off on this site.\n' });
    await set({ export_plain: true });
    const ended = await plain();
    expect(ended).toMatchObject({ code: 0 });
    expect(ended.err).toContain(told);
    expect(ended.err).toContain('is not encrypted. Delete it as soon as it is used');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    if (text !== null) expect(readFileSync(file, 'utf8')).toContain(PRESENT);
    expect((await pb.run(['import', file, '--dry-run'])).code).toBe(0);
  });

  test('without earlier versions and files', async () => {
    const ended = await exported('ops', '--no-history', '--no-files', '--format', 'kdbx', '-o', at('few.kdbx'));
    expect(ended).toMatchObject({ code: 0, out: `${at('few.kdbx')}: 3 values\n` });
    expect(ended.err).toContain('Left out by your choice: 1 file and 1 earlier version.');
  });
});

describe('what is refused, before anything is opened', () => {
  afterEach(async () => expect((await exports()).every(({ released }) => released === 0)).toBe(true));

  test('a file that is there, unless it may be replaced; a folder that is not there', async () => {
    writeFileSync(at('there'), 'precious');
    expect(await exported('ops', '-o', at('there'))).toMatchObject({
      code: 1,
      err: `${at('there')} exists already. Replace it: --force\n`,
    });
    expect(readFileSync(at('there'), 'utf8')).toBe('precious');
    expect((await exported('ops', '-o', at('nowhere/ops.pbx'))).err).toContain('Files cannot be written in');
    expect((await exported('ops', '-o', folder, '--force')).err).toContain('is no file');
    expect((await exported('ops')).err).toBe('Name the file: -o FILE\n');
  });

  test('what the role or the site does not allow: exit 6', async () => {
    await giveRole(app.deps, ids['ops/web'] ?? '', ada.userId, 'moderator');
    const refused = await exported('ops', '-o', at('no.pbx'));
    expect(refused).toMatchObject({ code: 6, out: '' });
    expect(refused.err).toContain('You may not export 1 group. An admin of a group may export it.');
    expect(refused.err).toContain('  ops/web\n');
    await set({ export_by: 'nobody' });
    expect(await exported('ops', '-o', at('no.pbx'))).toMatchObject({
      code: 6,
      err: 'Exports are switched off on this site.\n',
    });
    await giveRole(app.deps, ids['ops/web'] ?? '', ada.userId, 'admin');
  });

  test('usage: kinds, passwords, groups, and no terminal', async () => {
    expect((await exported('ops', '--format', 'xls', '-o', at('no'))).err).toContain('A kind is one of: pbx, kdbx');
    expect(await pb.run(['export', 'ops', '-o', at('no'), '--password', 'x'])).toMatchObject({ code: 2 });
    expect((await exported('ops', '--format', 'cxf', '-o', at('no'))).err).toBe('This kind of file has no password.\n');
    expect((await exported('nope', '-o', at('no'))).code).toBe(4);
    expect(await pb.run(['export', 'ops', '-o', at('no')])).toMatchObject({
      code: 2,
      err: 'Nobody can be asked here. Add --yes.\n',
    });
    chmodSync(key, 0o644);
    expect(await exported('ops', '-o', at('no'))).toMatchObject({ code: 1, err: /Other accounts can read/ });
    chmodSync(key, 0o600);
    expect(readdirSync(folder)).not.toContain('no');
  });

  test('a person who says no: the export ends, and nothing was opened', async () => {
    const shown = await pb.onTerminal(
      ['export', 'ops', '--password-file', key, '-o', at('no.pbx')],
      [['Export 5 values?', 'n']],
    );
    expect(shown).toMatchObject({ code: 11 });
    expect(await exports()).toEqual([{ state: 'cancelled', released: 0 }]);
  });
});

test('groups that may not be exported are left out if wanted', async () => {
  await giveRole(app.deps, ids['ops/web'] ?? '', ada.userId, 'moderator');
  expect(await exported('ops', '--leave-out', '-o', at('left.pbx'))).toMatchObject({ code: 0 });
  await giveRole(app.deps, ids['ops/web'] ?? '', ada.userId, 'admin');
  expect(await exports()).toEqual([{ state: 'done', released: 4 }]);
});

test('a file that may be replaced', async () => {
  writeFileSync(at('old.pbx'), 'old', { mode: 0o644 });
  expect(await exported('ops', '--force', '-o', at('old.pbx'))).toMatchObject({ code: 0 });
  expect(readFileSync(at('old.pbx'), 'utf8')).toMatch(/^age-encryption/);
  expect(statSync(at('old.pbx')).mode & 0o777).toBe(0o600);
});

test('the account password is asked for when the sign-in is not fresh', async () => {
  app.clock.advance(11 * MINUTE);
  expect(await exported('ops', '-o', at('fresh.pbx'))).toMatchObject({
    code: 9,
    err: 'This needs a sign-in of the last ten minutes: pb login\n',
  });
  const shown = await pb.onTerminal(
    ['export', 'ops', '--password-file', key, '--yes', '-o', at('fresh.pbx')],
    [
      ['Account password', 'not it'],
      ['Account password', ada.password],
    ],
  );
  expect(shown).toMatchObject({ code: 0 });
  expect(statSync(at('fresh.pbx')).size).toBeGreaterThan(0);
});

describe('a cancelled export', () => {
  /** Runs it until it asks for values, which the proxy does not answer before `stop` has returned. */
  async function during(
    stop: (front: number) => void | Promise<void>,
    start = () => exported('ops', '-o', at('stopped.pbx')),
  ) {
    let reached: () => void = () => undefined;
    let goOn: () => void = () => undefined;
    const asked = new Promise<void>((resolve) => (reached = resolve));
    const stopped = new Promise<void>((resolve) => (goOn = resolve));
    proxy.wait = async (path) => {
      if (!path.endsWith('/releases')) return;
      reached();
      await stopped;
    };
    const ended = start();
    await asked;
    await stop(frontOf(at('stopped.pbx')));
    const result = await ended;
    goOn();
    expect(readdirSync(folder)).not.toContain('stopped.pbx');
    return result;
  }

  test('by ^C: says what was opened, and ends the export', async () => {
    const { code, err } = await during((front) => void process.kill(front, 'SIGINT'));
    expect(code).toBe(11);
    expect(err).toContain('The export was cancelled. No value had been opened.');
    await expect.poll(exports).toEqual([{ state: 'cancelled', released: 0 }]);
  });

  test('by ^C on a terminal, which shows how far it is', async () => {
    const onTerminal = ['export', 'ops', '--password-file', key, '-o', at('stopped.pbx')];
    const typed = [
      ['Export 5 values?', 'y'],
      ['Preparing the export', '\x03'],
    ] as const;
    const goesOnAfter = new Promise<void>((resolve) => setTimeout(resolve, 3000));
    const { out } = await during(
      () => goesOnAfter,
      () => pb.onTerminal(onTerminal, typed),
    );
    expect(await exports()).toEqual([{ state: 'cancelled', released: 0 }]);
    expect(out).toContain('The export was cancelled. No value had been opened.');
  });

  test('because the command was killed: the agent ends the export', async () => {
    await during((front) => void process.kill(front, 'SIGKILL'));
    await expect.poll(async () => (await exports())[0]?.state).toBe('cancelled');
  });

  test('because the vault was locked', async () => {
    const { code } = await during(async () => void (await pb.run(['lock'])));
    expect(code).toBe(3);
    await unlock();
    const shown = await pb.onTerminal(
      ['export', 'ops', '--password-file', key, '-o', at('next.pbx')],
      [
        ['under way, perhaps in a browser. End it?', 'y'],
        ['Export 5 values?', 'y'],
      ],
    );
    expect(shown).toMatchObject({ code: 0 });
    expect((await exports()).map(({ state }) => state).toSorted()).toEqual(['cancelled', 'done']);
  });
});

/** The process whose arguments have the file. */
function frontOf(file: string): number {
  const found = readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      const words = readFileSync(`/proc/${name}/cmdline`, 'utf8').split('\0');
      return words.includes(file) && words[0] === process.execPath;
    } catch {
      return false;
    }
  });
  return Number(found[0]);
}
