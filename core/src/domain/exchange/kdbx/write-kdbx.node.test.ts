/** EX1, EX3: what is written as KDBX 4 comes back, here and in kdbxweb. */
import fc from 'fast-check';
import { ProtectedValue, type KdbxEntry } from 'kdbxweb';
import { describe, expect, test } from 'vitest';
import { type Bytes, concat } from '../../../crypto/bytes.ts';
import { digest, keyStream } from '../../../crypto/exchange/file-ciphers.ts';
import { collect } from '../../../crypto/stream.ts';
import { FEW_RUNS, LONG_TIMEOUT, runsOf } from '../../../testing/arbitraries.ts';
import { arbitraryTree } from '../../../testing/exchange/arbitrary-tree.ts';
import { credentialsOf, readByKdbxweb } from '../../../testing/exchange/kdbxweb-files.ts';
import { fileArgon2 } from '../file-argon2.ts';
import type { ExchangeTree, TreeEntry, TreeField, TreeRevision } from '../tree.ts';
import { WRITERS, lossOf } from '../writers.ts';
import { compositeKey } from './composite-key.ts';
import { readHeader } from './header.ts';
import { INNER, blockKeys } from './open-kdbx.ts';
import { readKdbx } from './read-kdbx.ts';
import { type KdbxCost, writeKdbx } from './write-kdbx.ts';

const PASSWORD = 'pass – wörter 🔑';
const NOW = Date.UTC(2026, 5, 1);
const CHEAP: KdbxCost = { memoryKib: 1024, iterations: 1, parallelism: 1 };

const written = (tree: ExchangeTree, cost?: KdbxCost): Promise<Bytes> =>
  collect(writeKdbx(tree, { password: PASSWORD, now: NOW, argon2: fileArgon2 }, cost));
const read = (file: Bytes) => readKdbx(new Blob([file]), { password: PASSWORD }, { now: NOW, argon2: fileArgon2 });

describe('EX1', () => {
  test('tree → KDBX → tree is the same tree, with history and times', LONG_TIMEOUT, async () => {
    const property = fc.asyncProperty(arbitraryTree, async (tree) => {
      expect(await read(await written(tree, CHEAP))).toEqual(tree);
    });
    await fc.assert(property, { numRuns: runsOf(FEW_RUNS * 3, 3000) });
  });

  test('with the derivation of the product', async () => {
    const [tree] = fc.sample(arbitraryTree, { numRuns: 1, seed: 7 });
    if (tree === undefined) throw new Error('No tree');
    expect(await read(await written(tree))).toEqual(tree);
  });
});

const text = (type: 'note' | 'link', title: string, ...values: readonly [string, number | null][]): TreeField => ({
  type,
  revisions: values.map(([value, at]): TreeRevision => ({ content: { type, title, value }, at })),
});
const password = (title: string, login: string, ...values: readonly [string, number | null][]): TreeField => ({
  type: 'password',
  revisions: values.map(([value, at]) => ({ content: { type: 'password', title, login, value }, at })),
});
const totp = (title: string): TreeField => ({
  type: 'TOTP',
  revisions: [
    { content: { type: 'TOTP', title, value: 'JBSWY3DPEHPK3PXP', algorithm: 'sha256', period: 60 }, at: null },
  ],
});
const treeOf = (...entries: readonly (Partial<TreeEntry> & Pick<TreeEntry, 'fields'>)[]): ExchangeTree => ({
  groups: [
    { name: 'Team', parent: null, created: null, modified: null },
    { name: 'Büro', parent: 0, created: Date.UTC(2024, 0, 1), modified: Date.UTC(2024, 0, 2) },
  ],
  entries: entries.map((entry) => ({
    group: 1,
    title: 'Router',
    tags: [],
    expires: null,
    created: null,
    modified: null,
    ...entry,
  })),
  skipped: [],
});

describe('EX3: kdbxweb reads', () => {
  const shown = ({ fields }: KdbxEntry) =>
    Object.fromEntries(
      [...fields].map(([key, value]) => [key, value instanceof ProtectedValue ? `*${value.getText()}` : value]),
    );

  test('titles, values, attachments, tags, expiry and history', async () => {
    const file = Uint8Array.of(0, 1, 255);
    const tree = treeOf({
      tags: ['a', 'b'],
      expires: Date.UTC(2027, 0, 31),
      created: Date.UTC(2023, 0, 1, 8),
      modified: Date.UTC(2025, 0, 1, 9),
      fields: [
        password('Password', 'admin', ['one', Date.UTC(2024, 0, 1)], ['two <&>', Date.UTC(2025, 0, 1)]),
        text('link', 'URL', ['https://a.example', null]),
        text('link', 'Console', ['https://b.example', null]),
        text('note', 'Notes', ['line\nline', null]),
        text('note', 'Title', ['a title that is taken', null]),
        password('PIN', '', ['1234', null]),
        password('PIN', 'root', ['5678', null]),
        totp('One-time password'),
        totp('Second code'),
        text('note', 'Bell', ['\u0007 rings', null]),
        { type: 'file', revisions: [{ content: { type: 'file', title: 'f', name: 'a.bin', bytes: file }, at: null }] },
      ],
    });
    const database = await readByKdbxweb(await written(tree, CHEAP), credentialsOf(PASSWORD));
    const root = database.getDefaultGroup();
    expect([root.name, root.groups.map(({ name }) => name)]).toEqual(['Team', ['Büro']]);
    const [entry] = root.groups[0]?.entries ?? [];
    if (entry === undefined) throw new Error('No entry');
    expect(shown(entry)).toEqual({
      Title: 'Router',
      UserName: 'admin',
      Password: '*two <&>',
      URL: 'https://a.example',
      KP2A_URL_1: 'https://b.example',
      Notes: 'line\nline',
      'Title (2)': 'a title that is taken',
      PIN: '*1234',
      'PIN (2)': '*5678',
      'PIN (2): user name': 'root',
      otp: '*otpauth://totp/One-time%20password?secret=JBSWY3DPEHPK3PXP&algorithm=SHA256&digits=6&period=60',
      'Second code': '*otpauth://totp/Second%20code?secret=JBSWY3DPEHPK3PXP&algorithm=SHA256&digits=6&period=60',
      Bell: '*\u0007 rings',
    });
    const [[name, binary] = []] = entry.binaries;
    const bytes = binary !== undefined && 'value' in binary ? binary.value : binary;
    const content = bytes instanceof ProtectedValue ? bytes.getBinary() : new Uint8Array(bytes as ArrayBuffer);
    expect([name, [...content]]).toEqual(['a.bin', [0, 1, 255]]);
    expect(entry.tags).toEqual(['a', 'b']);
    expect(entry.times).toMatchObject({
      creationTime: new Date('2023-01-01T08:00:00Z'),
      lastModTime: new Date('2025-01-01T09:00:00Z'),
      expires: true,
      expiryTime: new Date('2027-01-31T00:00:00Z'),
    });
    expect(entry.history.map((version) => [shown(version)['Password'], version.times.lastModTime?.getTime()])).toEqual([
      ['*one', Date.UTC(2024, 0, 1)],
    ]);
  });

  test('every tree', LONG_TIMEOUT, async () => {
    const property = fc.asyncProperty(arbitraryTree, async (tree) => {
      const database = await readByKdbxweb(await written(tree, CHEAP), credentialsOf(PASSWORD));
      const entries = [...database.getDefaultGroup().allEntries()];
      expect(entries.map((entry) => shown(entry)['Title']?.replace(/^\*/, ''))).toEqual(
        tree.entries.map(({ title }) => title.replace(/^\*/, '')),
      );
      expect(entries.map(({ binaries }) => binaries.size)).toEqual(
        tree.entries.map(({ fields }) => fields.filter(({ type }) => type === 'file').length),
      );
    });
    await fc.assert(property, { numRuns: runsOf(FEW_RUNS, 1000) });
  });
});

describe('another program has changed an entry', () => {
  const tree = treeOf({
    created: Date.UTC(2023, 0, 1, 8, 0, 0, 123),
    fields: [text('note', 'Hint', ['old', 1_700_000_000_123]), password('PIN', '', ['1', null])],
  });
  const change = async (by: (entry: KdbxEntry) => void) => {
    const database = await readByKdbxweb(await written(tree, CHEAP), credentialsOf(PASSWORD));
    const [entry] = database.getDefaultGroup().groups[0]?.entries ?? [];
    if (entry === undefined) throw new Error('No entry');
    by(entry);
    return (await read(new Uint8Array(await database.save()))).entries[0];
  };

  test('a new value is a new revision with its time', async () => {
    const entry = await change((one) => {
      one.pushHistory();
      one.fields.set('Hint', 'new');
      one.times.lastModTime = new Date(1_750_000_000_000);
    });
    expect(entry?.fields[0]?.revisions).toMatchObject([
      { content: { title: 'Hint', value: 'old' }, at: 1_700_000_000_123 },
      { content: { title: 'Hint', value: 'new' }, at: 1_750_000_000_000 },
    ]);
    expect([entry?.created, entry?.modified]).toEqual([Date.UTC(2023, 0, 1, 8, 0, 0, 123), 1_750_000_000_000]);
  });

  test('a new string is added, a removed one takes the layout with it', async () => {
    const added = await change((one) => one.fields.set('Extra', 'x'));
    expect(added?.fields.map(({ revisions }) => revisions.at(-1)?.content.title)).toEqual(['Hint', 'PIN', 'Extra']);
    const removed = await change((one) => one.fields.delete('Hint'));
    expect(removed?.fields.map(({ type, revisions }) => [type, revisions.at(-1)?.content.title])).toEqual([
      ['password', 'Password'],
    ]);
  });
});

describe('what KDBX cannot hold or show is said', () => {
  test('more than 1,000 former versions, further codes and passkeys', async () => {
    const many = Array.from({ length: 1011 }, (_, at): [string, number] => [`v${at}`, 1_600_000_000_000 + at]);
    const tree = treeOf({ fields: [text('note', 'Notes', ...many), totp('a'), totp('b')] });
    expect(await lossOf('kdbx', tree)).toEqual([
      { kind: 'version', reason: 'of an entry with more than 1000, the oldest of them', count: 10, places: ['Router'] },
      {
        kind: 'one-time password',
        reason: 'beside the first of an entry, which KeePass programs show as text',
        count: 1,
        places: ['Router'],
      },
    ]);
    const [entry] = (await read(await written(tree, CHEAP))).entries;
    expect(entry?.fields[0]?.revisions.map(({ content }) => 'value' in content && content.value)).toEqual(
      many.slice(10).map(([value]) => value),
    );
  });

  test('nothing else', async () => {
    expect(await lossOf('kdbx', treeOf({ fields: [totp('a')] }))).toEqual([]);
    await expect(lossOf('none', treeOf())).rejects.toThrow('No writer none');
    expect(WRITERS.map(({ id }) => id)).toContain('kdbx');
  });
});

describe('what unpacks to very much', () => {
  test('attachments may repeat as they like', async () => {
    const bytes = new Uint8Array(5_000_000);
    const content = { type: 'file', title: 'zeros', name: 'zeros.bin', bytes } as const;
    const file = await written(treeOf({ fields: [{ type: 'file', revisions: [{ content, at: null }] }] }), CHEAP);
    expect(file.length).toBeLessThan(50_000);
    const [back] = (await read(file)).entries[0]?.fields[0]?.revisions ?? [];
    expect(back?.content.type === 'file' && Buffer.compare(back.content.bytes, bytes)).toBe(0);
  });
});

describe('what our reader refuses is said when it is written', () => {
  const isUnreadable = async (tree: ExchangeTree) => {
    let isSaid = false;
    const options = { password: PASSWORD, now: NOW, argon2: fileArgon2, onUnreadable: () => (isSaid = true) };
    const file = await collect(writeKdbx(tree, options, CHEAP));
    return [isSaid, await read(file).then(() => 'read', String)];
  };
  /** Each version of an entry has 40 elements. */
  const withVersions = (versions: number) =>
    treeOf(
      ...Array.from({ length: 1000 }, () => ({
        fields: [
          text('note', 'Hint', ...Array.from({ length: versions }, (_, at): [string, number] => [`v${at}`, at])),
        ],
      })),
    );

  test('too many elements', LONG_TIMEOUT, async () => {
    expect(await isUnreadable(withVersions(49))).toEqual([false, 'read']);
    expect(await isUnreadable(withVersions(50))).toEqual([true, expect.stringContaining('it has too many elements')]);
  });

  test('an implausible size', async () => {
    const notes = (count: number) =>
      treeOf({ fields: Array.from({ length: count }, (_, at) => text('note', `N${at}`, ['x'.repeat(1e6), null])) });
    expect(await isUnreadable(notes(1))).toEqual([false, 'read']);
    expect(await isUnreadable(notes(30))).toEqual([true, expect.stringContaining('an implausible size')]);
  });
});

describe('IM4: millions of attachments of one byte', () => {
  /** A right file around an inner header with as many, not compressed. */
  async function withAttachments(count: number): Promise<Bytes> {
    const head = readHeader(await written(treeOf(), CHEAP)).bytes.slice();
    head.set([0], Buffer.from(head).indexOf(Buffer.from([3, 4, 0, 0, 0, 1])) + 5);
    const header = readHeader(head);
    if (header.kdf.type === 'AES' || header.inner !== null) throw new Error('Another form');
    const { type, salt } = header.kdf;
    const password = await compositeKey({ password: PASSWORD });
    const transformed = await fileArgon2({ type, password, salt, ...CHEAP, length: 32 });
    const keys = await blockKeys(header.masterSeed, transformed);
    const stream = Uint8Array.of(1, 4, 0, 0, 0, 3, 0, 0, 0, 2, 64, 0, 0, 0, ...new Uint8Array(64));
    const inner = new Uint8Array(stream.length + 6 * count);
    inner.set(stream);
    for (let at = stream.length; at < inner.length; at += 6) inner.set([INNER.binary, 1], at);
    const sealed = keyStream('ChaCha20', await digest('SHA-256', header.masterSeed, transformed), header.iv)(inner);
    const u32 = (value: number) => new Uint8Array(Uint32Array.of(value).buffer);
    const block = async (index: number, data: Bytes) => {
      const length = u32(data.length);
      return concat(await keys.block(index, length, data), length, data);
    };
    const ends = [await block(0, sealed), await block(1, new Uint8Array(0))];
    return concat(head, await digest('SHA-256', head), await keys.header(head), ...ends);
  }

  test('are refused after the first 10,000, in bounded time', async () => {
    const file = await withAttachments(1_000_000);
    const started = Date.now();
    await expect(read(file)).rejects.toThrow('The file could not be read: it has too many files.');
    expect(Date.now() - started).toBeLessThan(3000);
  });

  test('are not read after an abort', async () => {
    const file = await withAttachments(20_000);
    const aborting = new AbortController();
    const argon2: typeof fileArgon2 = async (options) => {
      const key = await fileArgon2(options);
      setTimeout(() => aborting.abort(new Error('enough')), 0);
      return key;
    };
    const reading = readKdbx(new Blob([file]), { password: PASSWORD }, { now: NOW, argon2, signal: aborting.signal });
    await expect(reading).rejects.toThrow('enough');
  });
});

test('an abort ends the writing', async () => {
  const aborting = new AbortController();
  const tree = treeOf(...Array.from({ length: 50 }, () => ({ fields: [totp('a')] })));
  const pieces = writeKdbx(
    tree,
    {
      password: PASSWORD,
      now: NOW,
      argon2: fileArgon2,
      signal: aborting.signal,
      onProgress: (done) => (done === 20 ? aborting.abort(new Error('enough')) : undefined),
    },
    CHEAP,
  );
  const all: Uint8Array[] = [];
  const reading = (async () => {
    for await (const piece of pieces) all.push(piece);
  })();
  await expect(reading).rejects.toThrow('enough');
  expect(concat(...all).length).toBeLessThan(2000);
});
