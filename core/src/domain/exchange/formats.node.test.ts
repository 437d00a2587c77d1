/** Kinds of files are recognised by content alone (IM1). */
import { readdirSync } from 'node:fs';
import { deflateRawSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { concat, utf8 } from '../../crypto/bytes.ts';
import { fixture, fixturePath, type Part } from '../../testing/exchange/read-file.ts';
import { zipOf } from '../../testing/exchange/zip-files.ts';
import { detectFormat, FORMATS } from './formats.ts';

const files = readdirSync(fixturePath(''), { recursive: true, encoding: 'utf8' }).filter(
  // The archives of 1Password are made in their own test.
  (path) => /\.\w+$/.test(path) && !/(?:\.md|\.expected\.json|\.keyx)$|(?:^|\/)broken|^1pux/.test(path),
);

const idOf = async (content: Part, name: string) => (await detectFormat(new File([content], name))).format.id;

test('IM1: each fixture has the same kind under any name', async () => {
  expect(files.length).toBeGreaterThan(20);
  for (const path of files) {
    const content = fixture(path);
    const id = await idOf(content, path);
    expect([path, await idOf(content, 'picture.png'), await idOf(content, 'export.json')]).toEqual([path, id, id]);
  }
});

test('kinds have different ids and labels', () => {
  expect(new Set(FORMATS.map(({ id }) => id)).size).toBe(FORMATS.length);
  const labels = FORMATS.map(({ label }) => label).filter((label) => label !== 'Dashlane (CSV)');
  expect(new Set(labels).size).toBe(labels.length);
});

const bytes = (...of: readonly number[]) => Uint8Array.from(of);
const ascii = (text: string, ...rest: readonly number[]) => concat(utf8(text), bytes(...rest));

/** Beginnings of other files, and texts of other kinds. */
const OTHERS: readonly (readonly [name: string, content: Part])[] = [
  ['PNG', bytes(0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0, 0, 13)],
  ['JPEG', bytes(0xff, 0xd8, 0xff, 0xe0, 0, 16, 0x4a, 0x46)],
  ['GIF', ascii('GIF89a', 1, 0, 1, 0)],
  ['WebP', ascii('RIFF', 0, 0, 0, 0, 0x57, 0x45)],
  ['BMP', ascii('BM', 0x36, 0, 0, 0)],
  ['TIFF', bytes(0x49, 0x49, 42, 0, 8, 0, 0, 0)],
  ['icon', bytes(0, 0, 1, 0, 1, 0)],
  ['SVG', '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0,0 1,1"/></svg>'],
  ['PDF', ascii('%PDF-1.7\n%', 0xe2, 0xe3, 0xcf, 0xd3, 10, 0)],
  [
    'Word',
    zipOf([
      { name: '[Content_Types].xml', content: '<Types/>' },
      { name: 'word/document.xml', content: '<w/>' },
    ]),
  ],
  ['Excel', zipOf([{ name: 'xl/workbook.xml', content: '<workbook/>' }])],
  ['OpenDocument', zipOf([{ name: 'mimetype', content: 'application/vnd.oasis.opendocument.text', isStored: true }])],
  ['ZIP of another CSV', zipOf([{ name: 'contacts.csv', content: 'a,b\n1,2\n' }])],
  ['old Word', bytes(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1)],
  ['RTF', String.raw`{\rtf1\ansi Hello, world\par}`],
  ['gzip', new Uint8Array(gzipSync('name,url\na,b\n'))],
  ['deflate', new Uint8Array(deflateRawSync('x'.repeat(100)))],
  ['7z', bytes(0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c, 0, 4)],
  ['RAR', ascii('Rar!', 0x1a, 7, 1, 0)],
  ['bzip2', ascii('BZh91AY&SY', 0, 0)],
  ['xz', bytes(0xfd, 0x37, 0x7a, 0x58, 0x5a, 0)],
  ['tar', concat(utf8('file.txt'), new Uint8Array(504))],
  ['ELF', bytes(0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0)],
  ['Windows program', ascii('MZ', 0x90, 0, 3, 0)],
  ['SQLite', ascii('SQLite format 3', 0)],
  ['MP3', ascii('ID3', 4, 0, 0, 0, 0)],
  ['MP4', bytes(0, 0, 0, 24, 0x66, 0x74, 0x79, 0x70)],
  ['zeros', new Uint8Array(1000)],
  ['one byte', bytes(0x41)],
  ['one byte above 127', bytes(0x81)],
  ['PEM', '-----BEGIN PRIVATE KEY-----\nMIGHAgEAMBMG\n-----END PRIVATE KEY-----\n'],
  ['SSH key', 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5 anna@example.org\n'],
  ['prose', 'Dear all,\n\nthis is a letter, with commas, and more commas.\nSee you; or not.\n'],
  ['one line', 'name, password'],
  ['Markdown', '# Title\n\n- one, two\n- three\n\n| a | b |\n| - | - |\n'],
  ['HTML', '<!doctype html><html><body><table><tr><td>a,b</td></tr></table></body></html>'],
  ['JSON object', '{"name": "package", "version": "1.0.0"}'],
  ['JSON list', '[{"a": 1}, {"a": 2}]'],
  ['YAML', 'name: x\nlist: [a, b]\n'],
  ['INI', '[section]\nkey = value, other\n'],
  ['code', "import { a, b } from 'c';\n\nexport const d = [a, b];\n"],
  ['vCard', 'BEGIN:VCARD\nVERSION:3.0\nN:Doe;Jane;;;\nEND:VCARD\n'],
  ['UTF-16 prose', bytes(0xff, 0xfe, 0x41, 0, 0x2c, 0, 0x42, 0)],
];

describe('IM1: other files are of no kind', () => {
  test.each(OTHERS)('%s', async (_name, content) => {
    for (const name of ['passwords.csv', 'database.kdbx'])
      await expect(idOf(content, name)).rejects.toThrow('This file is of no kind that can be imported.');
  });

  test.each([
    ['empty', '', 'The file could not be read: it is empty.'],
    [
      'other XML',
      '<?xml version="1.0"?>\n<rss version="2.0"><channel/></rss>',
      'The file is not a KeePass XML 2.x file.',
    ],
    [
      'PGP',
      '-----BEGIN PGP MESSAGE-----\n\nwy4ECQMI\n',
      'This export is encrypted with PGP. Export it from Proton Pass without, or decrypt it first.',
    ],
  ])('told by its own sentence: %s', async (_name, content, sentence) => {
    await expect(idOf(content, 'x.csv')).rejects.toThrow(sentence);
  });
});
