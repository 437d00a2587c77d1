/** Columns in any order, delimiters, encodings, ragged rows, and files that mean harm (IM7). */
import Papa from 'papaparse';
import { describe, expect, test } from 'vitest';
import { utf8 } from '../../../crypto/bytes.ts';
import { fixtureText, readFile, refusalOf } from '../../../testing/exchange/read-file.ts';
import type { ExchangeTree } from '../tree.ts';

const KINDS = [
  '1password',
  'apple',
  'bitwarden',
  'chrome',
  'firefox',
  'keepassxc',
  'lastpass',
  'nordpass',
  'passbolt',
  'proton',
  'teampass',
  'dashlane/credentials',
] as const;

const rowsOf = (name: string): string[][] =>
  Papa.parse<string[]>(fixtureText(`csv/${name}.csv`), { delimiter: ',', skipEmptyLines: true }).data;

/** Characters that Windows-1252 has as one byte each, and the euro sign. */
const western = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(text, (sign) => (sign === '€' ? 0x80 : sign.charCodeAt(0)));

function utf16(text: string): Uint8Array<ArrayBuffer> {
  const units = Uint16Array.from(`\uFEFF${text}`, (_, at) => at);
  for (const [at] of units.entries()) units[at] = `\uFEFF${text}`.charCodeAt(at);
  return new Uint8Array(units.buffer);
}

/** Fields of an entry without an order; remarks without the one about the encoding. */
const contentOf = ({ groups, entries, skipped }: ExchangeTree) => ({
  groups: groups.map(({ name }) => name).toSorted(),
  entries: entries.map(({ fields, group, ...entry }) => ({
    ...entry,
    group: groups[group]?.name,
    fields: fields.map(({ revisions }) => JSON.stringify(revisions)).toSorted(),
  })),
  skipped: skipped.filter(({ kind }) => kind !== 'text'),
});

describe.each(KINDS)('IM7: %s', (name) => {
  const latin = (cell: string) => cell.replaceAll(/[^\n\r\x20-\x7E\u00A0-\u00FF]/g, '€');
  const rows = rowsOf(name).map((cells) => cells.map((cell) => latin(cell)));
  const shuffled = rows.map((cells) => [...cells.slice(3).toReversed(), ...cells.slice(0, 3)]);
  const written = (of: string[][], delimiter: string) => Papa.unparse(of, { delimiter, newline: '\r\n' });

  test.each([',', ';', '\t'])('shuffled columns, delimiter %j, three encodings', async (delimiter) => {
    const expected = await readFile(written(rows, ','));
    for (const encode of [utf8, utf16, western]) {
      const { id, tree } = await readFile(encode(written(shuffled, delimiter)));
      expect(id).toBe(expected.id);
      expect(contentOf(tree)).toEqual(contentOf(expected.tree));
    }
  });

  test('Windows-1252 is remarked', async () => {
    const text = written([...rows, rows[1]?.map(() => 'ü') ?? []], ',');
    const { tree } = await readFile(western(text));
    expect(tree.skipped).toContainEqual({ kind: 'text', reason: 'not UTF-8, read as Western European', count: 1 });
  });

  test('a row with a cell more or less', async () => {
    const [header = [], ...others] = rows;
    const lines = (of: string[][]) => written(of, ',').split('\r\n').join('\n').split('\n').length;
    for (const ragged of [[...header, ''], header.slice(1)]) {
      const before = [header, ...others];
      expect(await refusalOf(written([...before, ragged, ...others], ','))).toBe(
        `Line ${lines(before.map((cells) => cells.map((cell) => cell.replaceAll('\n', ' ')))) + 1} does not fit the header.`,
      );
    }
  });
});

const HEADER = 'name,url,username,password,note\n';

describe('quotes', () => {
  test.each([
    ['never closed', 'a,b,c,"d,e\nf,g,h,i,j\n', 2],
    ['closed within a cell', 'a,b,c,d,e\na,b,c,"d"x,e\n', 3],
  ])('%s', async (_name, rows, line) => {
    expect(await refusalOf(`${HEADER}${rows}`)).toBe(`Line ${line} does not fit the header.`);
  });

  test('quotes, delimiters and line breaks in cells, at every border of the pieces in which a file is read', async () => {
    const cell = '"",\r\n"';
    const rows = Array.from({ length: 20_000 }, (_, at) => ['x'.repeat(at % 17), '', 'u', cell, String(at)]);
    const { tree } = await readFile(Papa.unparse([HEADER.trim().split(','), ...rows], { newline: '\r\n' }));
    expect(tree.entries).toHaveLength(20_000);
    expect(
      tree.entries.every(({ fields }) => {
        const content = fields[0]?.revisions[0]?.content;
        return content?.type === 'password' && content.value === cell;
      }),
    ).toBe(true);
    expect(tree.entries.map(({ fields }) => fields.at(-1)?.revisions[0]?.content)).toEqual(
      rows.map(([, , , , value]) => ({ type: 'note', title: 'Notes', value })),
    );
  });

  test('empty lines are no rows; the last line needs no end', async () => {
    const { tree } = await readFile('\r\nname,url,username,password\r\n\r\na,,b,c\r\n\r\nd,,e,f');
    expect(tree.entries.map(({ title }) => title)).toEqual(['a', 'd']);
  });
});

test('columns that a known program has not had are texts, whatever their names', async () => {
  const header = 'folder,favorite,type,name,notes,fields,reprompt,login_uri,login_username,login_password,login_totp';
  const { id, tree } = await readFile(`${header},constructor,__proto__\n,,login,Mail,,,0,,anna,pw,,one,two\n`);
  expect(id).toBe('bitwarden-csv');
  expect(tree.entries[0]?.fields.map(({ revisions }) => revisions[0]?.content)).toEqual([
    { type: 'password', title: 'Password', login: 'anna', value: 'pw' },
    { type: 'note', title: 'constructor', value: 'one' },
    { type: 'note', title: '__proto__', value: 'two' },
  ]);
});

test('KeePassXC: the recycle bin of another language, and a group of its name further down', async () => {
  const rows = ['Wurzel/Papierkorb,gone,,x,,', 'Wurzel/Work/Papierkorb,kept,,x,,'];
  const { id, tree } = await readFile(['Group,Title,Username,Password,URL,Notes', ...rows].join('\n'));
  expect(id).toBe('keepassxc-csv');
  expect(tree.entries.map(({ title }) => title)).toEqual(['kept']);
  expect(tree.skipped).toEqual([{ kind: 'entry', reason: 'in the recycle bin', count: 1, places: ['gone'] }]);
});

const MIB = 1024 * 1024;

describe('files that mean harm', () => {
  test.each([
    [
      'a quote that is never closed in 60 MB',
      [HEADER, 'a,b,c,"', ...Array<string>(60).fill('x, \n'.repeat(MIB / 4))],
      'Line 2 is too long.',
    ],
    ['60 MB of quotes', [HEADER, 'a,b,c,d,"', ...Array<string>(60).fill('" '.repeat(MIB / 2))], 'Line 2 is too long.'],
    ['a row of one MiB', [HEADER, 'a,b,c,d,e\n', `a,b,c,d,${'e'.repeat(MIB)}\n`], 'Line 3 is too long.'],
    [
      'rows below one MiB',
      [HEADER, ...Array<string>(60).fill(`a,b,c,d,${'e'.repeat(MIB - 10)}\n`)],
      'read as chrome-csv',
    ],
    [
      '201 columns',
      [Array<string>(201).fill('password').join(','), '\n', Array<string>(201).fill('x').join(',')],
      'Line 1 is too long.',
    ],
    [
      'a million tiny rows',
      [HEADER, ...Array<string>(1000).fill('a,b,c,d,e\n'.repeat(1000))],
      'The file could not be read: it has too many entries.',
    ],
    [
      'a million empty rows',
      [HEADER, ...Array<string>(1000).fill(',,,,\n'.repeat(1000))],
      'The file could not be read: it has too many rows.',
    ],
    [
      '30 million empty lines',
      [HEADER, ...Array<string>(30).fill('\n'.repeat(MIB))],
      'The file could not be read: it has too many rows.',
    ],
    ['a header of quotes', ['"'.repeat(60_001)], 'This file is of no kind that can be imported.'],
    [
      'a header of almost an address',
      [`a,x@${'.'.repeat(60_000)}@,c\n`, '1,2,3\n'],
      'Choose a column for the title, the address, the user name or the password.',
    ],
    [
      'a path of spaces',
      ['id,label,description,pw,login,restricted_to,perso,folder\n', `1,a,,b,c,,,${' '.repeat(900_000)}x\n`],
      'read as teampass-csv',
    ],
    [
      'a description of tags that are not closed',
      ['id,label,description,pw,login,restricted_to,perso\n', `1,a,${'<a href='.repeat(100_000)},b,c,,\n`],
      'read as teampass-csv',
    ],
    [
      'deep JSON',
      [
        'type,name,url,username,password,note,totp,createTime,modifyTime\n',
        `creditCard,a,,,,${'['.repeat(300_000)},,,\n`,
      ],
      'read as proton-csv',
    ],
    [
      'a path of 300,000 groups',
      ['Title,Username,URL,Password,Notes,Group\n', `a,b,c,d,e,${'g/'.repeat(300_000)}\n`],
      'read as passbolt-csv',
    ],
    [
      '65 MiB',
      [HEADER, ...Array<string>(65).fill(`${','.repeat(4)}\n`.repeat(MIB / 5 + 1))],
      'The file is larger than 64 MiB.',
    ],
  ])(
    '%s',
    async (_name, parts, sentence) => {
      const started = performance.now();
      expect(await refusalOf(new Blob(parts))).toBe(sentence);
      expect(performance.now() - started).toBeLessThan(20_000);
    },
    30_000,
  );
});
