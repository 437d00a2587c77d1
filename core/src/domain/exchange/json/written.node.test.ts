/** EX1 for Bitwarden and FIDO CXF: what is written comes back, but for what `lossOf` says. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { randomBytes } from '../../../crypto/bytes.ts';
import { collect } from '../../../crypto/stream.ts';
import { FEW_RUNS, LONG_TIMEOUT, runsOf } from '../../../testing/arbitraries.ts';
import { arbitraryTree } from '../../../testing/exchange/arbitrary-tree.ts';
import { NOW, readFile } from '../../../testing/exchange/read-file.ts';
import { fileArgon2 } from '../file-argon2.ts';
import { pathsOf } from './loss.ts';
import type { ExchangeTree, PlainContent, TreeEntry, TreeField } from '../tree.ts';
import { lossOf, WRITERS } from '../writers.ts';
import { openZip } from '../zip.ts';

const PASSWORD = 'pass – wörter 🔑';

async function written(id: string, tree: ExchangeTree): Promise<Uint8Array<ArrayBuffer>> {
  const writer = WRITERS.find((one) => one.id === id);
  if (writer === undefined) throw new Error(id);
  const { write } = await writer.load();
  return collect(write(tree, { password: PASSWORD, now: NOW, argon2: fileArgon2, host: 'vault.example.org' }));
}
const readBack = async (id: string, tree: ExchangeTree): Promise<ExchangeTree> =>
  (await readFile(await written(id, tree), { password: PASSWORD })).tree;

/** 'AF' and 'AE' are the same byte, and addresses of codes have the second. A passkey's extensions have no place in Bitwarden. */
const trees = arbitraryTree.map(
  (tree) =>
    JSON.parse(
      JSON.stringify(tree, (_, value: unknown) => (value instanceof Uint8Array ? { bytes: [...value] } : value)),
      (_, value: unknown) =>
        value === 'AF'
          ? 'AE'
          : typeof value === 'string'
            ? value.replace(',"fido2Extensions":{}', '')
            : isBytes(value)
              ? Uint8Array.from(value.bytes)
              : value,
    ) as ExchangeTree,
);
const isBytes = (value: unknown): value is { readonly bytes: readonly number[] } =>
  typeof value === 'object' && value !== null && 'bytes' in value && Array.isArray(value.bytes);

const KINDS = ['bitwarden', 'bitwarden-plain', 'cxf'];
/** The derivation of a protected file takes a while. The same trees each time, and others in the long run. */
const parameters = (id: string) => ({
  numRuns: id === 'bitwarden' ? runsOf(2, 200) : runsOf(FEW_RUNS, 3000),
  seed: runsOf(1, new DataView(randomBytes(4).buffer).getUint32(0) >>> 1),
});

const isText = (content: PlainContent | undefined) => content !== undefined && content.type !== 'file';
const textsOf = ({ fields }: TreeEntry) =>
  fields.flatMap(({ revisions }) => {
    const content = revisions.at(-1)?.content;
    if (content === undefined || content.type === 'file') return [];
    return content.type === 'password' ? [content.value, content.login] : [content.value];
  });
/** Groups by path, since those of the same name are one there; fields in any order. */
const anyOrder = (tree: ExchangeTree) =>
  tree.entries.map(({ group, fields, ...entry }) => ({
    ...entry,
    group: pathsOf(tree)[group],
    fields: fields
      .map(({ type, revisions }) => JSON.stringify([type, revisions.slice(0, -1), revisions.at(-1)?.content]))
      .toSorted(),
  }));

describe.each(KINDS)('EX1: %s', (id) => {
  test('no text of an entry is lost', LONG_TIMEOUT, async () => {
    const property = fc.asyncProperty(trees, async (tree) => {
      const read = await readBack(id, tree);
      const texts = read.entries.flatMap(textsOf);
      for (const text of tree.entries.flatMap(textsOf).filter((value) => value.trim() !== ''))
        expect(texts.some((one) => one.includes(text.trim())) ? text : texts).toBe(text);
      if (id === 'bitwarden') return;
      const files = (one: ExchangeTree) =>
        one.entries.flatMap(({ fields }) => fields).filter(({ revisions }) => !isText(revisions.at(-1)?.content))
          .length;
      expect(files(read)).toBe(files(tree));
    });
    await fc.assert(property, parameters(id));
  });

  test('what is said to lose nothing is the same, and a second time nothing is lost', LONG_TIMEOUT, async () => {
    let lossless = 0;
    const property = fc.asyncProperty(trees, async (tree) => {
      const [read, lost] = [await readBack(id, tree), await lossOf(id, tree)];
      if (lost.length === 0) {
        lossless += 1;
        expect(anyOrder(read)).toEqual(anyOrder(inSeconds(tree, id)));
      }
      expect(await lossOf(id, read)).toEqual([]);
      expect(anyOrder(await readBack(id, read))).toEqual(anyOrder(read));
    });
    await fc.assert(property, parameters(id));
    if (id !== 'bitwarden') expect(lossless).toBeGreaterThan(0);
  });
});

/** CXF has seconds. */
function inSeconds(tree: ExchangeTree, id: string): ExchangeTree {
  const time = (ms: number | null) => (ms === null || id !== 'cxf' ? ms : ms - (ms % 1000));
  return {
    ...tree,
    entries: tree.entries.map((entry) => ({ ...entry, created: time(entry.created), modified: time(entry.modified) })),
  };
}

const field = (content: PlainContent, ...past: readonly [PlainContent, number | null][]): TreeField => ({
  type: content.type,
  revisions: [
    ...past.map(([former, at]) => ({ content: former, at })),
    { content, at: past.length === 0 ? null : NOW - 5 },
  ],
});
const password = (title: string, login: string, value: string) => ({ type: 'password', title, login, value }) as const;
const totp = (title: string, period: number) =>
  ({ type: 'TOTP', title, value: 'JBSWY3DPEHPK3PXP', algorithm: 'sha256', period }) as const;
const note = (title: string, value: string) => ({ type: 'note', title, value }) as const;
const link = (title: string, value: string) => ({ type: 'link', title, value }) as const;
const file = (name: string) => ({ type: 'file', title: name, name, bytes: new TextEncoder().encode(name) }) as const;
const PASSKEY = password(
  'Passkey for example.org',
  '',
  '{"credentialId":"6NiHiekW4ZY8vYHa-ucbvA","rpId":"example.org","username":"ada","userDisplayName":"Ada","userHandle":"dXNlcg","key":"MIGH"}',
);
const treeOf = (...fields: readonly TreeField[]): ExchangeTree => ({
  groups: [
    { name: '', parent: null, created: null, modified: null },
    { name: 'Team', parent: 0, created: null, modified: null },
    { name: 'Servers', parent: 1, created: null, modified: null },
  ],
  entries: [{ group: 2, title: 'Router', tags: [], expires: null, created: NOW - 9000, modified: NOW - 8000, fields }],
  skipped: [],
});

test('Bitwarden: an entry in every place that it has', async () => {
  const tree = treeOf(
    field(
      password('Password', 'admin', 'three'),
      [password('Password', 'admin', 'one'), null],
      [password('Password', 'admin', 'two'), NOW - 7],
    ),
    field(totp('One-time password', 60)),
    field(link('URL', 'https://a.example')),
    field(link('URL 2', 'https://b.example')),
    field(PASSKEY),
    field(password('PIN', '', '1234')),
    field(totp('Second code', 300)),
    field(note('Customer', '4711')),
    field(note('Notes', 'line\nline')),
  );
  expect(await lossOf('bitwarden', tree)).toEqual([]);
  expect((await readBack('bitwarden', tree)).entries).toEqual(tree.entries);
  const { items, folders } = JSON.parse(new TextDecoder().decode(await written('bitwarden-plain', tree))) as {
    items: { login: Record<string, unknown>; passwordHistory: unknown; type: number; folderId: string }[];
    folders: { id: string; name: string }[];
  };
  expect(folders.map(({ name }) => name)).toEqual(['Team', 'Team/Servers']);
  expect(items).toHaveLength(1);
  expect(items[0]).toMatchObject({
    type: 1,
    folderId: folders[1]?.id,
    name: 'Router',
    notes: 'line\nline',
    login: { username: 'admin', password: 'three', passwordRevisionDate: new Date(NOW - 5).toISOString() },
    passwordHistory: [
      { password: 'two', lastUsedDate: new Date(NOW - 5).toISOString() },
      { password: 'one', lastUsedDate: new Date(NOW - 7).toISOString() },
    ],
    fields: [
      { name: 'PIN', value: '1234', type: 1 },
      { name: 'Second code', type: 1 },
      { name: 'Customer', value: '4711', type: 0 },
    ],
  });
  expect(items[0]?.login['fido2Credentials']).toMatchObject([
    { credentialId: 'e8d88789-e916-e196-3cbd-81dafae71bbc', keyValue: 'MIGH', counter: '0', discoverable: 'true' },
  ]);
});

test('Bitwarden: attachments are in the ZIP, and are said where there is none', async () => {
  const tree = treeOf(field(note('Notes', 'x')), field(file('a.txt')), field(file('b/c.txt')), field(file('a.txt')));
  const zip = await openZip(new Blob([await written('bitwarden-plain', tree)]));
  expect(zip.names.map((name) => name.replace(/[\da-f-]{36}/, 'id'))).toEqual([
    'data.json',
    'attachments/id/a.txt',
    'attachments/id/b_c.txt',
    'attachments/id/a (2).txt',
  ]);
  expect(await lossOf('bitwarden', tree)).toEqual([
    { kind: 'file', reason: 'not in files of this kind', count: 3, places: ['Router', 'Router', 'Router'] },
  ]);
  expect((await lossOf('bitwarden-plain', tree)).map(({ kind, reason, count }) => [kind, reason, count])).toEqual([
    ['file', 'under another name there', 2],
  ]);
});

test('CXF: an entry in every place that it has', async () => {
  const tree = treeOf(
    field(password('Password', 'admin', 'secret')),
    field(password('Root', 'root', 'other')),
    field(totp('One-time password', 60)),
    field(link('URL', 'https://a.example')),
    field(link('URL 2', 'androidapp://org.example')),
    field(PASSKEY),
    field(password('PIN', '', '1234')),
    field(totp('Slow code', 300)),
    field(note('Customer', '4711')),
    field(note('Notes', 'line\nline')),
    field(file('a.txt')),
  );
  expect(await lossOf('cxf', tree)).toEqual([]);
  const read = await readBack('cxf', tree);
  expect(read.entries).toEqual(tree.entries);
  expect(read.groups.map(({ name }) => name)).toEqual(['', 'Team', 'Servers']);
  const zip = await openZip(new Blob([await written('cxf', tree)]));
  const whole = JSON.parse(new TextDecoder().decode(await zip.text('cxf.json'))) as Record<string, unknown>;
  expect(whole).toMatchObject({
    version: { major: 1, minor: 0 },
    exporterRpId: 'vault.example.org',
    accounts: [{ collections: [{ title: 'Team', subCollections: [{ title: 'Servers' }] }] }],
  });
});

test('what is lost is said, with its places', async () => {
  const tree = treeOf(
    field(password('Password', 'new', 'b'), [password('Password', 'old', 'a'), NOW - 9]),
    field(note('Hint', 'new'), [note('Hint', 'old'), NOW - 9]),
    field(link('Console', 'https://a.example')),
    field(note('Empty', '')),
  );
  const marked = {
    ...tree,
    entries: tree.entries.map((entry) => ({ ...entry, tags: ['a'], expires: Date.UTC(2027, 0, 31) })),
  };
  const said = async (id: string) =>
    (await lossOf(id, marked)).map(({ kind, reason, count }) => `${count} ${kind}: ${reason}`);
  expect(await said('bitwarden')).toEqual([
    '1 tag: as text in the notes',
    '1 due date: as text in the notes',
    '1 version: with another time, name or user name there',
    '1 version: not in files of this kind',
    '1 link: under another name there',
    '1 note: empty',
  ]);
  expect(await said('cxf')).toEqual([
    '1 due date: as text in the notes',
    '2 version: not in files of this kind',
    '1 link: under another name there',
    '1 note: empty',
  ]);
  const [entry] = (await readBack('cxf', marked)).entries;
  expect(entry?.fields.at(-1)?.revisions[0]?.content).toEqual(note('Notes', 'Expires: 2027.01.31 00:00 UTC'));
});
