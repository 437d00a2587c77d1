/** Import of the parts of a KeePass file (docs/spec/decisions.md H7). */
import { describe, expect, test } from 'vitest';
import {
  type KeepassFile,
  type XmlEntry,
  type XmlGroup,
  BIN_UUID,
  base64Of,
  gzip,
  keepassXml,
  largeKeepassXml,
  patternBytes,
} from '../../testing/keepass/keepass-files.ts';
import { treeOf } from '../../testing/keepass/keepass-tree.ts';
import { readKeepassXml } from './read.ts';
import type { PlainContent } from '../exchange/tree.ts';

const LATE = Date.parse('2024-05-01T10:00:00Z');

/** Fields of the only entry with their newest content. */
async function fieldsOf(entry: XmlEntry, rest: Omit<KeepassFile, 'root'> = {}): Promise<(PlainContent | undefined)[]> {
  const { entries } = await treeOf({ entries: [entry] }, rest);
  expect(entries).toHaveLength(1);
  return entries[0]?.fields.map(({ revisions }) => revisions.at(-1)?.content) ?? [];
}

async function pastOf(entry: XmlEntry, rest: Omit<KeepassFile, 'root'> = {}) {
  const { entries, skipped } = await treeOf({ entries: [entry] }, rest);
  return { fields: entries[0]?.fields.map(({ revisions }) => revisions) ?? [], skipped };
}

const password = (login: string, value: string) => ({ type: 'password', title: 'Password', login, value });
/** Longer than a tag may be. */
const LONG = 't'.repeat(41);
const note = (title: string, value: string) => ({ type: 'note', title, value });

describe('an entry', () => {
  test('is imported with all its parts', async () => {
    const entry: XmlEntry = {
      title: 'Mail',
      user: 'ada',
      password: 's3 <cret> & "more"',
      url: 'https://mail.example',
      notes: 'first\nsecond',
      strings: { Port: '993' },
      protected: { PIN: '1234', otp: 'otpauth://totp/a?secret=JBSWY3DPEHPK3PXP' },
    };
    expect(await fieldsOf(entry)).toEqual([
      password('ada', 's3 <cret> & "more"'),
      { type: 'link', title: 'URL', value: 'https://mail.example' },
      { type: 'TOTP', title: 'One-time password', value: 'JBSWY3DPEHPK3PXP', algorithm: 'sha1', period: 30 },
      note('Port', '993'),
      { type: 'password', title: 'PIN', login: '', value: '1234' },
      note('Notes', 'first\nsecond'),
    ]);
  });

  test.each<[string, XmlEntry, unknown[]]>([
    ['only a title', { title: 'a' }, []],
    ['only a user name', { user: 'ada' }, [password('ada', '')]],
    ['only a password', { password: 'x' }, [password('', 'x')]],
    ['an empty custom string', { strings: { Empty: '' } }, []],
    ['white space is kept', { password: ' x ', notes: '\n' }, [password('', ' x '), note('Notes', '\n')]],
    ['a custom URL', { more: '<OverrideURL>cmd://ssh ada@x</OverrideURL>' }, [note('Override URL', 'cmd://ssh ada@x')]],
    ['tags become tags of the entry', { tags: 'a; b,c;;' }, []],
    ['a tag that is too long', { tags: `a;${LONG}` }, [note('Notes', `Tags: ${LONG}`)]],
    [
      'a tag and an expiry that an entry cannot have, beside notes',
      { notes: 'n', tags: LONG, expires: '1987-01-31T23:30:00Z' },
      [note('Notes', `n\n\nTags: ${LONG}\nExpires: 1987.01.31 23:30 UTC`)],
    ],
    [
      'an unsupported one-time password is kept as a note',
      { protected: { 'HmacOtp-Secret-Base32': 'MFRGG' } },
      [{ type: 'password', title: 'HmacOtp-Secret-Base32', login: '', value: 'MFRGG' }],
    ],
  ])('%s', async (_, entry, fields) => {
    expect(await fieldsOf(entry)).toEqual(fields);
  });

  test.each([
    ['', '(no title)'],
    ['  \t ', '(no title)'],
    [' padded ', 'padded'],
    ['ü'.repeat(255), 'ü'.repeat(255)],
    ['a'.repeat(300), `${'a'.repeat(254)}…`],
    [`${'a'.repeat(253)}🔑🔑`, `${'a'.repeat(253)}…`],
  ])('title %j', async (title, shown) => {
    const { entries } = await treeOf({ entries: [{ title }] });
    expect(entries[0]?.title).toBe(shown);
    const whole = entries[0]?.fields.map(({ revisions }) => revisions[0]?.content);
    expect(whole).toEqual(title.length > 255 ? [note('Whole title', title)] : []);
  });

  test('a long user name and a long name of a string are also kept as notes', async () => {
    const [user, key] = ['u'.repeat(2000), 'k'.repeat(400)];
    expect(await fieldsOf({ user, strings: { [key]: 'v' } })).toEqual([
      password(`${'u'.repeat(1023)}…`, ''),
      note('User name', user),
      note(`${'k'.repeat(254)}…`, 'v'),
      note('Whole name of a field', key),
    ]);
  });

  test('tags that do not fit into the note get a note of their own', async () => {
    const notes = 'a'.repeat(1_048_576);
    expect(await fieldsOf({ notes, tags: LONG })).toEqual([
      note('Notes', notes),
      note('Tags and expiry', `Tags: ${LONG}`),
    ]);
  });

  test('a reference to another entry is imported as text, and reported', async () => {
    const { entries, skipped } = await treeOf({ entries: [{ password: '{REF:P@I:2CD1}' }] });
    expect(entries[0]?.fields[0]?.revisions[0]?.content).toEqual(password('', '{REF:P@I:2CD1}'));
    expect(skipped).toEqual([{ kind: 'reference', reason: 'to another entry, kept as text', count: 1 }]);
  });

  test('reads CDATA', async () => {
    const xml = keepassXml({ root: { name: 'a', entries: [{ password: 'PW' }] } });
    const bytes = new TextEncoder().encode(xml.replace('>PW<', '>a<![CDATA[<b> &]]>c<'));
    const { entries } = await readKeepassXml(bytes);
    expect(entries[0]?.fields[0]?.revisions[0]?.content).toEqual(password('', 'a<b> &c'));
  });
});

describe('history', () => {
  test('a revision for each change of a field, with the time of its version', async () => {
    const { fields, skipped } = await pastOf({
      title: 'now',
      user: 'ada',
      password: 'c',
      url: 'u',
      history: [
        { title: 'then', user: 'ada', password: 'a', url: 'u', modified: '2023-01-01T00:00:00Z' },
        { title: 'then', user: 'bob', password: 'a', url: 'u', modified: '2023-02-01T00:00:00Z' },
        { title: 'then', user: 'ada', password: 'c', url: 'u', modified: '2023-03-01T00:00:00Z' },
      ],
    });
    expect(fields).toEqual([
      [
        { content: password('ada', 'a'), at: Date.parse('2023-01-01T00:00:00Z') },
        { content: password('bob', 'a'), at: Date.parse('2023-02-01T00:00:00Z') },
        { content: password('ada', 'c'), at: Date.parse('2023-03-01T00:00:00Z') },
      ],
      [{ content: { type: 'link', title: 'URL', value: 'u' }, at: Date.parse('2023-01-01T00:00:00Z') }],
    ]);
    expect(skipped).toEqual([{ kind: 'title', reason: 'former, only in the history', count: 1 }]);
  });

  test('unsorted versions are sorted by time', async () => {
    const { fields } = await pastOf({
      password: 'c',
      history: [
        { password: 'b', modified: '2023-02-01T00:00:00Z' },
        { password: 'a', modified: '2023-01-01T00:00:00Z' },
      ],
    });
    expect(fields[0]?.map(({ content }) => 'value' in content && content.value)).toEqual(['a', 'b', 'c']);
  });

  test('removed fields are left out, and reported', async () => {
    const { fields, skipped } = await pastOf({ password: 'b', history: [{ password: 'b', notes: 'n', url: 'u' }] });
    expect(fields).toHaveLength(1);
    expect(skipped).toEqual([{ kind: 'field', reason: 'removed before, only in the history', count: 2 }]);
  });

  test('a string that became protected is a password in every revision', async () => {
    const { fields } = await pastOf({ protected: { PIN: '2' }, history: [{ strings: { PIN: '1' } }] });
    expect(fields[0]?.map(({ content }) => content)).toEqual([
      { type: 'password', title: 'PIN', login: '', value: '1' },
      { type: 'password', title: 'PIN', login: '', value: '2' },
    ]);
  });

  test('keeps the newest thousand versions', async () => {
    const history = Array.from({ length: 1010 }, (_, at) => ({ password: `p${at}` }));
    const { fields, skipped } = await pastOf({ password: 'now', history });
    expect(fields[0]).toHaveLength(1001);
    expect(fields[0]?.[0]?.content).toEqual(password('', 'p10'));
    expect(skipped).toEqual([
      { kind: 'version', reason: 'of an entry with more than 1000, the oldest of them', count: 10 },
    ]);
  });
});

describe('attachments', () => {
  const bytes = patternBytes(1000, 7);
  const file = (name: string, content = bytes) => ({ type: 'file', title: name, name, bytes: content });

  test.each<[string, () => Promise<[XmlEntry, KeepassFile['pool']]>]>([
    ['from the pool', async () => [{ files: [{ name: 'a.bin', ref: '0' }] }, [{ id: '0', base64: base64Of(bytes) }]]],
    [
      'from the pool, compressed',
      async () => [
        { files: [{ name: 'a.bin', ref: '7' }] },
        [{ id: '7', base64: base64Of(await gzip(bytes)), isCompressed: true }],
      ],
    ],
    ['inline', async () => [{ files: [{ name: 'a.bin', base64: base64Of(bytes) }] }, []]],
    [
      'inline, compressed',
      async () => [{ files: [{ name: 'a.bin', base64: base64Of(await gzip(bytes)), isCompressed: true }] }, []],
    ],
    [
      'with line breaks',
      async () => [{ files: [{ name: 'a.bin', base64: base64Of(bytes).replaceAll(/.{76}/g, '$&\r\n') }] }, []],
    ],
  ])('%s', async (_, build) => {
    const [entry, pool = []] = await build();
    expect(await fieldsOf(entry, { pool })).toEqual([file('a.bin')]);
  });

  test('two with the same name, and one without a name', async () => {
    const pool = [{ id: '0', base64: base64Of(bytes) }];
    const files = ['a', 'a', ''].map((name) => ({ name, ref: '0' }));
    expect(await fieldsOf({ files }, { pool })).toEqual([file('a'), file('a'), file('attachment')]);
  });

  test('with their history', async () => {
    const pool = [
      { id: '0', base64: base64Of(bytes) },
      { id: '1', base64: base64Of(patternBytes(5, 2)) },
    ];
    const { fields, skipped } = await pastOf(
      {
        files: [{ name: 'a', ref: '1' }],
        history: [
          { files: [{ name: 'a', ref: '0' }] },
          {
            files: [
              { name: 'a', ref: '0' },
              { name: 'b', ref: '0' },
            ],
          },
        ],
      },
      { pool },
    );
    expect(fields).toEqual([
      [
        { content: file('a'), at: LATE },
        { content: file('a', patternBytes(5, 2)), at: LATE },
      ],
    ]);
    expect(skipped).toEqual([{ kind: 'attachment', reason: 'removed before, only in the history', count: 1 }]);
  });

  test('missing from the file are reported', async () => {
    const { fields, skipped } = await pastOf({ files: [{ name: 'a', ref: '3' }] });
    expect(fields).toEqual([]);
    expect(skipped).toEqual([{ kind: 'attachment', reason: 'its content is not in the file', count: 1 }]);
  });

  test('of a megabyte, a dozen of them', async () => {
    const { entries } = await readKeepassXml(new TextEncoder().encode(largeKeepassXml(12, { attachments: 12 })));
    const contents = entries.map(({ fields }) => fields.at(-1)?.revisions[0]?.content);
    expect(contents.map((content) => content?.type === 'file' && content.bytes.length)).toEqual(
      Array.from({ length: 12 }, () => 1_048_576),
    );
  });
});

describe('groups', () => {
  test('keep their nesting; the name of the root is not used', async () => {
    const tree = await treeOf({
      entries: [{ title: 'top' }],
      groups: [
        { name: 'A', entries: [{ title: 'in A' }], groups: [{ name: 'A1', entries: [{ title: 'in A1' }] }] },
        { name: '', entries: [{ title: 'in B' }] },
      ],
    });
    expect(tree.groups.map(({ name, parent }) => [name, parent])).toEqual([
      ['Passwords', null],
      ['A', 0],
      ['A1', 1],
      ['(no title)', 0],
    ]);
    expect(tree.entries.map(({ title, group }) => [title, group])).toEqual([
      ['top', 0],
      ['in A', 1],
      ['in A1', 2],
      ['in B', 3],
    ]);
    expect(tree.groups[0]).toMatchObject({ created: Date.parse('2023-03-01T08:00:00Z'), modified: LATE });
    expect(tree.skipped).toEqual([]);
  });

  test('the recycle bin is recognised by its id, not its name', async () => {
    const bin: XmlGroup = {
      name: 'Papierkorb',
      uuid: BIN_UUID,
      entries: [{ title: 'gone', password: 'x' }],
      groups: [{ name: 'gone too', entries: [{ title: 'gone' }] }],
    };
    const tree = await treeOf(
      { groups: [{ name: 'Recycle Bin', entries: [{ title: 'kept' }] }, bin] },
      { recycleBin: BIN_UUID },
    );
    expect(tree.entries.map(({ title }) => title)).toEqual(['kept']);
    expect(tree.groups.map(({ name }) => name)).toEqual(['Passwords', 'Recycle Bin']);
    expect(tree.skipped).toEqual([
      { kind: 'entry', reason: 'in the recycle bin', count: 2 },
      { kind: 'group', reason: 'in the recycle bin', count: 1 },
    ]);
  });

  test('entries below the maximum depth go into the deepest group', async () => {
    let root: XmlGroup = { name: '40', entries: [{ title: 'deep', password: 'x' }] };
    for (let level = 39; level >= 1; level -= 1) root = { name: String(level), groups: [root] };
    const tree = await treeOf(root);
    expect(tree.groups).toHaveLength(32);
    expect(tree.entries).toMatchObject([{ title: 'deep', group: 31 }]);
    expect(tree.skipped).toEqual([
      { kind: 'group', reason: 'below level 32, so its entries are in the group above', count: 8 },
    ]);
  });

  test('notes of a group and icons are left out, and reported', async () => {
    const meta = '<CustomIcons><Icon><UUID>a</UUID><Data>b</Data></Icon></CustomIcons>';
    expect((await treeOf({ groups: [{ name: 'a', notes: 'n' }] }, { meta })).skipped).toEqual([
      { kind: 'note', reason: 'of a group, which is not supported', count: 1 },
      { kind: 'icon', reason: 'not supported', count: 1 },
    ]);
  });
});

describe('reading', () => {
  test('handles ten thousand entries', async () => {
    const done: number[] = [];
    const bytes = new TextEncoder().encode(largeKeepassXml(10_000));
    const tree = await readKeepassXml(bytes, { onProgress: (at) => done.push(at) });
    expect([tree.groups.length, tree.entries.length]).toEqual([111, 10_000]);
    expect(tree.entries.every(({ fields }) => fields.length === 3)).toBe(true);
    expect(done.at(-1)).toBe(bytes.length);
    expect(done).toEqual([...done].sort((a, b) => a - b));
  });

  test('can be aborted', async () => {
    const bytes = new TextEncoder().encode(largeKeepassXml(5000));
    const abort = new AbortController();
    const reading = readKeepassXml(bytes, { signal: abort.signal });
    setTimeout(() => abort.abort(), 0);
    await expect(reading).rejects.toMatchObject({ name: 'AbortError' });
    await expect(readKeepassXml(bytes, { signal: AbortSignal.abort() })).rejects.toMatchObject({ name: 'AbortError' });
  });
});
