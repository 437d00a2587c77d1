/** EX1: our own archive loses nothing; what is not exactly one is refused. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Bytes, encodeHex, utf8 } from '../../../crypto/bytes.ts';
import { sealAge } from '../../../crypto/exchange/age-file.ts';
import { digest } from '../../../crypto/exchange/file-ciphers.ts';
import { collect } from '../../../crypto/stream.ts';
import { FEW_RUNS, LONG_TIMEOUT, runsOf } from '../../../testing/arbitraries.ts';
import { arbitraryTree } from '../../../testing/exchange/arbitrary-tree.ts';
import { gzip, streamOf, streamed } from '../chunk-reader.ts';
import { fileArgon2 } from '../file-argon2.ts';
import { detectFormat } from '../formats.ts';
import type { ExchangeTree, TreeField } from '../tree.ts';
import { lossOf } from '../writers.ts';
import { readArchive } from './read-archive.ts';
import { type TarPart, writeTar } from './tar.ts';
import { writeArchive } from './write-archive.ts';

const PASSWORD = 'pass – wörter 🔑';
const NOW = Date.UTC(2026, 5, 1);
/** Cheap. */
const WORK = 4;
const OPTIONS = { password: PASSWORD, now: NOW, argon2: fileArgon2 };

const written = (tree: ExchangeTree, workFactor?: number): Promise<Bytes> =>
  collect(writeArchive(tree, OPTIONS, workFactor));
const read = (file: Bytes, password = PASSWORD) => readArchive(new Blob([file]), { password }, OPTIONS);
const refusal = (file: Bytes, password?: string) =>
  read(file, password).then(
    () => 'read',
    (error: Error) => error.message,
  );

const DAMAGED = 'The file could not be read: it is damaged.';
const CUT = 'The file could not be read: it is cut off.';

const [TREE] = fc.sample(arbitraryTree, { numRuns: 1, seed: 12 });
if (TREE === undefined) throw new Error('No tree');

describe('EX1', () => {
  test('tree → pbx → tree is the same tree', LONG_TIMEOUT, async () => {
    const property = fc.asyncProperty(arbitraryTree, async (tree) => {
      expect(await read(await written(tree, WORK))).toEqual(tree);
      expect(await lossOf('pbx', tree)).toEqual([]);
    });
    await fc.assert(property, { numRuns: runsOf(FEW_RUNS * 3, 3000) });
  });

  test('with the work factor of the product, recognised by content', async () => {
    const file = await written(TREE);
    const { format, needs } = await detectFormat(new Blob([file]));
    expect([format.id, needs]).toEqual(['pbx', 'password']);
    expect(await read(file)).toEqual(TREE);
    expect(await refusal(file, 'other')).toBe('The password is wrong.');
  });

  test('several portions, repeated and repetitive files', async () => {
    const bytes = new Uint8Array(2_000_000);
    const content = { type: 'file', title: 'zeros', name: 'zeros.bin', bytes } as const;
    const note = { type: 'note', title: 'Notes', value: 'x'.repeat(900_000) } as const;
    const fields = [note, content, content].map((one) => ({ type: one.type, revisions: [{ content: one, at: null }] }));
    const [entry] = TREE.entries;
    if (entry === undefined) throw new Error('No entry');
    const tree = { ...TREE, entries: Array.from({ length: 5 }, () => ({ ...entry, fields })) };
    // Comparing millions of bytes one by one takes minutes.
    const light = ({ entries }: ExchangeTree) =>
      entries.map((one) =>
        one.fields.map(({ revisions }) =>
          revisions.map(({ content: given }) =>
            given.type === 'file' ? [given.name, Buffer.compare(given.bytes, bytes)] : given,
          ),
        ),
      );
    const back = await read(await written(tree, WORK));
    expect(light(back)).toEqual(light(tree));
  });
});

const treeOf = (...fields: readonly TreeField[]): ExchangeTree => ({
  groups: [{ name: 'Team', parent: null, created: null, modified: null }],
  entries: [{ group: 0, title: 'Router', tags: [], expires: null, created: null, modified: null, fields }],
  skipped: [],
});

describe('what the vault can have and an import does not take', () => {
  test('more than 1,000 former versions of a field: the latest are written, and the others counted', async () => {
    const revisions = Array.from({ length: 1010 }, (_, at) => ({
      content: { type: 'note', title: 'Notes', value: `v${at}` } as const,
      at: NOW - 2000 + at,
    }));
    const tree = treeOf({ type: 'note', revisions });
    const [entry] = (await read(await written(tree, WORK))).entries;
    expect(entry?.fields).toEqual([{ type: 'note', revisions: revisions.slice(9) }]);
    expect(await lossOf('pbx', tree)).toEqual([
      { kind: 'version', reason: 'of a field with more than 1000, the oldest of them', count: 9, places: ['Router'] },
    ]);
  });

  test('a one-time password that is no secret is kept as text and said; codes stay codes', async () => {
    const code = (value: string) =>
      ({ content: { type: 'TOTP', title: 'Code', value, algorithm: 'sha1', period: 30 }, at: null }) as const;
    const text = (value: string) =>
      ({ content: { type: 'password', title: 'Code', login: '', value }, at: null }) as const;
    const [good, bad] = ['JBSWY3DPEHPK3PXP', 'scan the sheet: 0189'];
    const tree = treeOf(
      { type: 'TOTP', revisions: [code(good), code(bad)] },
      { type: 'TOTP', revisions: [code(bad), code('jbsw y3dp ehpk 3pxp')] },
      { type: 'TOTP', revisions: [code(good)] },
    );
    const said = [
      {
        kind: 'one-time password',
        reason: 'not a time-based code of six digits, so it is kept as text',
        count: 2,
        places: ['Router', 'Router'],
      },
    ];
    const back = await read(await written(tree, WORK));
    expect(back.entries[0]?.fields).toEqual([
      { type: 'password', revisions: [text(good), text(bad)] },
      { type: 'TOTP', revisions: [code(good)] },
      { type: 'password', revisions: [text(bad)] },
      { type: 'TOTP', revisions: [code(good)] },
    ]);
    expect(back.skipped).toEqual(said);
    expect(await lossOf('pbx', tree)).toEqual(said);
  });
});

test('a flip or a cut anywhere is refused', async () => {
  const file = await written(TREE, WORK);
  const texts = [DAMAGED, CUT, 'The password is wrong.'];
  for (let run = 0; run < 200; run += 1) {
    const at = Math.floor((run * file.length) / 200);
    // A flip of the work factor would ask for up to a gibibyte.
    const isWorkFactor = at < 60;
    if (!isWorkFactor) expect(texts).toContain(await refusal(file.with(at, (file[at] ?? 0) ^ (1 << (run % 8)))));
    expect(texts).toContain(await refusal(file.slice(0, at)));
  }
});

test('too much work is refused before it is done', async () => {
  const file = await written(TREE, WORK);
  const head = new TextDecoder('latin1').decode(file.slice(0, 80)).replace(/ 4\n/, ' 19\n');
  const hostile = new Uint8Array([...utf8(head), ...file.slice(80)]);
  expect(await refusal(hostile)).toMatch(/^Opening this file asks for more work/);
});

describe('what is not exactly one of ours', () => {
  const row = (value: unknown) => `${JSON.stringify(value)}\n`;
  const counts = { groups: 1, entries: 1, fields: 1, revisions: 1, files: 0, file_bytes: 0 };
  const head = {
    product: 'PasswordBroker',
    format: 1,
    created_at: '2026-01-01T00:00:00.000Z',
    history: false,
    files: false,
  };
  const group = { g: 1, parent: null, name: 'Team', created_at: null, updated_at: null };
  const revision = { title: 'Notes', at: null, value: 'x' };
  const field = { type: 'note', revisions: [revision] };
  const entry = {
    e: 1,
    g: 1,
    title: 'E',
    tags: [],
    expires: null,
    created_at: null,
    updated_at: null,
    fields: [field],
  };
  const usual = {
    'passwordbroker-export.json': row({ ...head, counts }),
    'groups.ndjson': row(group),
    'entries/000001.ndjson': row(entry),
  };

  /** Sealed with a right manifest, unless one is given. */
  async function sealed(parts: Readonly<Record<string, string>>, manifest?: string): Promise<Bytes> {
    async function* all(): AsyncGenerator<TarPart> {
      const listed = [];
      for (const [name, text] of Object.entries(parts)) {
        const content = utf8(text);
        const rows = name.endsWith('.ndjson') ? text.split('\n').length - 1 : 1;
        listed.push({ name, bytes: content.length, rows, sha256: encodeHex(await digest('SHA-256', content)) });
        yield { name, content };
      }
      if (manifest !== '') yield { name: 'manifest.json', content: utf8(manifest ?? row({ parts: listed })) };
    }
    return collect(streamed(await sealAge(PASSWORD, streamOf(gzip(writeTar(all(), NOW))), WORK)));
  }
  const withEntry = (change: object) => ({ ...usual, 'entries/000001.ndjson': row({ ...entry, ...change }) });
  const withRevision = (type: string, one: object) => withEntry({ fields: [{ type, revisions: [one] }] });

  test('one that is', async () => {
    expect((await read(await sealed(usual))).entries).toHaveLength(1);
  });

  test.each<[string, Readonly<Record<string, string>>, string]>([
    ['another first part', { 'first.txt': 'x', ...usual }, DAMAGED],
    ['another product', { ...usual, 'passwordbroker-export.json': row({ ...head, counts, product: 'X' }) }, DAMAGED],
    [
      'a newer version',
      { ...usual, 'passwordbroker-export.json': row({ product: 'PasswordBroker', format: 2 }) },
      'The file was made by a newer version of PasswordBroker.',
    ],
    ['an unknown name', { ...usual, 'notes.txt': 'x' }, DAMAGED],
    ['a path', { ...usual, '../../etc/passwd': 'x' }, DAMAGED],
    ['a missing portion', { ...usual, 'entries/000003.ndjson': row(entry) }, DAMAGED],
    ['a file that nothing names', { ...usual, [`files/${'0'.repeat(64)}`]: 'x' }, DAMAGED],
    [
      'wrong counts',
      { ...usual, 'passwordbroker-export.json': row({ ...head, counts: { ...counts, fields: 2 } }) },
      DAMAGED,
    ],
    [
      'a group that is its own parent',
      { ...usual, 'groups.ndjson': row(group) + row({ ...group, g: 2, parent: 2 }) },
      DAMAGED,
    ],
    ['two roots', { ...usual, 'groups.ndjson': row(group) + row({ ...group, g: 2 }) }, DAMAGED],
    ['an entry of no group', withEntry({ g: 2 }), DAMAGED],
    ['an unknown member', withEntry({ more: 1 }), DAMAGED],
    ['a tag that is none', withEntry({ tags: ['a,b'] }), DAMAGED],
    ['a day that is none', withEntry({ expires: '2026-02-31' }), DAMAGED],
    ['a text without a value', withRevision('note', { title: 'N', at: null }), DAMAGED],
    ['a password without a user name', withRevision('password', revision), DAMAGED],
    ['a code without numbers', withRevision('TOTP', revision), DAMAGED],
    ['a code of no period', withRevision('TOTP', { ...revision, totp: { algorithm: 'sha1', period: 0 } }), DAMAGED],
    [
      'a file without bytes',
      withRevision('file', { title: 'F', at: null, file: { name: 'f', size: 1, sha256: '0'.repeat(64) } }),
      DAMAGED,
    ],
    ['a text of more than a mebibyte', withRevision('note', { ...revision, value: 'ö'.repeat(600_000) }), DAMAGED],
    ['no JSON', { ...usual, 'groups.ndjson': '{\n' }, DAMAGED],
    ['deep JSON', { ...usual, 'groups.ndjson': `${'['.repeat(200_000)}\n` }, DAMAGED],
    ['a row that is cut', { ...usual, 'groups.ndjson': JSON.stringify(group) }, DAMAGED],
  ])('%s', async (_, parts, message) => {
    expect(await refusal(await sealed(parts))).toBe(message);
  });

  test('no manifest, and another one', async () => {
    expect(await refusal(await sealed(usual, ''))).toBe(CUT);
    expect(await refusal(await sealed(usual, row({ parts: [] })))).toBe(DAMAGED);
  });

  test('no tar, and no gzip', async () => {
    const seal = async (bytes: Bytes) => collect(streamed(await sealAge(PASSWORD, new Blob([bytes]).stream(), WORK)));
    expect(await refusal(await seal(utf8('text')))).toBe(DAMAGED);
    const packed = await collect(
      gzip(new Blob([new Uint8Array(600).fill(65)]).stream() as unknown as AsyncIterable<Bytes>),
    );
    expect(await refusal(await seal(packed))).toBe(DAMAGED);
  });
});

test('an abort ends reading and writing', async () => {
  const signal = AbortSignal.abort(new Error('enough'));
  await expect(collect(writeArchive(TREE, { ...OPTIONS, signal }, WORK))).rejects.toThrow('enough');
  const file = new Blob([await written(TREE, WORK)]);
  await expect(readArchive(file, { password: PASSWORD }, { ...OPTIONS, signal })).rejects.toThrow('enough');
});
