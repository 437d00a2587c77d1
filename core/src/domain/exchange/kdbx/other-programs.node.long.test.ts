/** IM3, EX3: KDBX between us, KeePassXC (`keepassxc-cli`) and PyKeePass. Each is skipped where it is not installed. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { collect } from '../../../crypto/stream.ts';
import { largeKeepassXml } from '../../../testing/keepass/keepass-files.ts';
import { fileArgon2 } from '../file-argon2.ts';
import type { ExchangeTree, TreeEntry, TreeField } from '../tree.ts';
import { readKdbx } from './read-kdbx.ts';
import { writeKdbx } from './write-kdbx.ts';

const PASSWORD = 'pass wörter';
const NOW = Date.UTC(2026, 5, 1);
const DAY = 24 * 60 * 60 * 1000;
const TIMEOUT = { timeout: 300_000 };

const isThere = (command: string, ...given: string[]) => spawnSync(command, given).status === 0;
const hasKeepassxc = isThere('keepassxc-cli', '--version');
/** Debian's own, which has the package; others may come before it. */
const PYTHON = '/usr/bin/python3';
const hasPykeepass = isThere(PYTHON, '-c', 'import pykeepass');
const named = (name: string, isInstalled: boolean, program: string) =>
  isInstalled ? name : `${name} (skipped: ${program} is not installed)`;

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kdbx-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const keepassxc = (command: string, ...more: readonly string[]): string =>
  execFileSync('keepassxc-cli', [command, '-q', ...more], {
    input: `${PASSWORD}\n${PASSWORD}\n`,
    env: { ...process.env, QT_QPA_PLATFORM: 'offscreen' },
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
const python = (script: string, ...given: readonly string[]): unknown =>
  JSON.parse(execFileSync(PYTHON, ['-c', script, ...given], { encoding: 'utf8', maxBuffer: 256 * 1024 * 1024 }));

const read = async (path: string): Promise<ExchangeTree> =>
  readKdbx(new Blob([new Uint8Array(await readFile(path))]), { password: PASSWORD }, { now: NOW, argon2: fileArgon2 });
const write = async (tree: ExchangeTree, name: string): Promise<string> => {
  const path = join(folder, name);
  await writeFile(path, await collect(writeKdbx(tree, { password: PASSWORD, now: NOW, argon2: fileArgon2 })));
  return path;
};

const field = (
  content: TreeField['revisions'][number]['content'],
  ...past: readonly [string, number][]
): TreeField => ({
  type: content.type,
  revisions: [
    ...past.map(([value, at]) => ({ content: { ...content, value } as typeof content, at })),
    { content, at: past.length === 0 ? null : NOW - DAY },
  ],
});
const FILE = Uint8Array.from({ length: 3000 }, (_, at) => (at * at) & 255);
const entryOf = (number: number): TreeEntry => ({
  group: number % 2,
  title: `Service ${number} – ö`,
  tags: ['prod'],
  expires: Date.UTC(2027, 0, 31),
  created: NOW - 100 * DAY,
  modified: NOW - DAY,
  fields: [
    field({ type: 'password', title: 'Password', login: `user${number}`, value: `now <&> ${number}` }, [
      'before',
      NOW - 9 * DAY,
    ]),
    field({ type: 'link', title: 'URL', value: `https://s${number}.example` }),
    field({ type: 'TOTP', title: 'One-time password', value: 'JBSWY3DPEHPK3PXP', algorithm: 'sha1', period: 30 }),
    field({ type: 'note', title: 'Notes', value: 'first line\nsecond line' }),
    field({ type: 'password', title: 'PIN', login: '', value: '1234' }),
    field({ type: 'note', title: 'Control', value: 'bell \u0007 return \r\n' }),
    field({ type: 'file', title: 'File', name: 'file.bin', bytes: FILE }),
  ],
});
const TREE: ExchangeTree = {
  groups: [
    { name: 'Team', parent: null, created: NOW - DAY, modified: NOW - DAY },
    { name: 'Büro', parent: 0, created: NOW - DAY, modified: NOW - DAY },
  ],
  entries: Array.from({ length: 40 }, (_, at) => entryOf(at)).toSorted((a, b) => a.group - b.group),
  skipped: [],
};

describe.skipIf(!hasKeepassxc)(named('EX3: KeePassXC', hasKeepassxc, 'keepassxc-cli'), () => {
  test('opens what we write: entries, values, codes, attachments, history', TIMEOUT, async () => {
    const path = await write(TREE, 'ours.kdbx');
    const listed = keepassxc('ls', '-R', '-f', path).split('\n');
    for (const { title, group } of TREE.entries) expect(listed).toContain(group === 0 ? title : `Büro/${title}`);
    const shown = (...attributes: string[]) =>
      keepassxc('show', '-s', ...attributes.flatMap((name) => ['-a', name]), path, 'Service 4 – ö').replace(/\n$/, '');
    expect(shown('UserName', 'Password', 'URL', 'PIN')).toBe('user4\nnow <&> 4\nhttps://s4.example\n1234');
    expect(shown('Notes')).toBe('first line\nsecond line');
    expect(keepassxc('show', '-t', path, 'Service 4 – ö')).toMatch(/^\d{6}\n$/);
    const exported = join(folder, 'exported.bin');
    keepassxc('attachment-export', path, 'Service 4 – ö', 'file.bin', exported);
    expect(new Uint8Array(await readFile(exported))).toEqual(FILE);
    const xml = keepassxc('export', '-f', 'xml', path);
    expect(xml.match(/<Value ProtectInMemory="True">before<\/Value>/g)).toHaveLength(TREE.entries.length);
  });

  test('saves what we write, and it is still the same', TIMEOUT, async () => {
    const path = await write(TREE, 'saved.kdbx');
    keepassxc('mkdir', path, 'New group');
    const tree = await read(path);
    expect(tree.groups.map(({ name }) => name)).toEqual(['Team', 'Büro', 'New group']);
    expect(tree.entries).toEqual(TREE.entries);
  });

  test('IM3: what it writes is read: 2,000 entries', TIMEOUT, async () => {
    const [source, path] = [join(folder, 'large.xml'), join(folder, 'theirs.kdbx')];
    await writeFile(source, largeKeepassXml(2000));
    keepassxc('import', '-p', '-t', '100', source, path);
    const tree = await read(path);
    expect(tree.entries).toHaveLength(2000);
    expect(tree.entries.every(({ fields }) => fields.length >= 3)).toBe(true);
  });
});

const DUMP = `
import sys, json, base64
from pykeepass import PyKeePass
database = PyKeePass(sys.argv[1], password=sys.argv[2])
print(json.dumps([[e.title, e.username, e.password, e.url, e.notes, e.otp, e.get_custom_property('PIN'), e.tags, [h.password for h in e.history],
  [base64.b64encode(a.data).decode() for a in e.attachments], e.group.name] for e in database.entries]))`;

const MAKE = `
import sys, json
from pykeepass import create_database
from pykeepass.kdbx_parsing.kdbx import KDBX
database = create_database(sys.argv[1], password=sys.argv[2])
group = database.add_group(database.root_group, 'Büro')
entry = database.add_entry(group, 'Router', 'admin', 'first', url='https://r.example', notes='line\\nline')
entry.save_history()
entry.password = 'second'
entry.set_custom_property('PIN', '1234')
entry.add_attachment(database.add_binary(b'\\x00\\xff'), 'a.bin')
database.save()
print(json.dumps(list(database.version)))`;

describe.skipIf(!hasPykeepass)(named('EX3: PyKeePass', hasPykeepass, 'python3-pykeepass'), () => {
  test('reads what we write', TIMEOUT, async () => {
    const path = await write(TREE, 'ours.kdbx');
    const entries = python(DUMP, path, PASSWORD) as readonly unknown[][];
    expect(entries).toHaveLength(TREE.entries.length);
    expect(entries.find(([title]) => title === 'Service 4 – ö')).toEqual([
      'Service 4 – ö',
      'user4',
      'now <&> 4',
      'https://s4.example',
      'first line\nsecond line',
      'otpauth://totp/One-time%20password?secret=JBSWY3DPEHPK3PXP&algorithm=SHA1&digits=6&period=30',
      '1234',
      ['prod'],
      ['before'],
      [Buffer.from(FILE).toString('base64')],
      'Team',
    ]);
  });

  test('IM3: what it writes (KDBX 4, Argon2) is read', TIMEOUT, async () => {
    const path = join(folder, 'python.kdbx');
    expect(python(MAKE, path, PASSWORD)).toEqual([4, 0]);
    const tree = await read(path);
    expect(tree.groups.at(-1)?.name).toBe('Büro');
    const shown = tree.entries.map(({ title, fields }) => [
      title,
      fields.map(({ revisions }) =>
        revisions.map(({ content }) => ('value' in content ? content.value : [...content.bytes])),
      ),
    ]);
    expect(shown).toEqual([
      ['Router', [['first', 'second'], ['https://r.example'], ['1234'], ['line\nline'], [[0, 255]]]],
    ]);
  });
});
