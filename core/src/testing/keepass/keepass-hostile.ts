/**
 * Hostile and broken files with their expected results (threats T58–T61). Runs in Node and in
 * browsers.
 */
import {
  type KeepassFile,
  type XmlEntry,
  type XmlGroup,
  BIN_UUID,
  base64Of,
  gzip,
  keepassXml,
  patternBytes,
} from './keepass-files.ts';

export interface HostileFile {
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The error message, or the number of entries. */
  readonly expect: { readonly refused: string } | { readonly entries: number };
}

const NOT_KEEPASS = 'The file is not a KeePass XML 2.x file.';
const EMPTY = 'The file could not be read: it is empty.';
const unreadable = (reason: string) => `The file could not be read: ${reason}.`;
const DECLARED = unreadable('it contains a document type or an entity');
const CUT = unreadable('it is cut off');

const utf8 = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);
const refused = (name: string, content: string | Uint8Array<ArrayBuffer>, sentence: string): HostileFile => ({
  name,
  bytes: typeof content === 'string' ? utf8(content) : content,
  expect: { refused: sentence },
});
const read = (name: string, content: string | Uint8Array<ArrayBuffer>, entries = 1): HostileFile => ({
  name,
  bytes: typeof content === 'string' ? utf8(content) : content,
  expect: { entries },
});

const ENTRY: XmlEntry = { title: 'Mail', user: 'ada', password: 'secret' };
const fileOf = (root: Partial<XmlGroup>, rest: Omit<KeepassFile, 'root'> = {}) =>
  keepassXml({ root: { name: 'Passwords', ...root }, ...rest });
const GOOD = fileOf({ entries: [ENTRY] });
const lineOf = (text: string) => GOOD.slice(0, GOOD.indexOf(text)).split('\n').length;
/** A valid file with one fault. */
const broken = (name: string, text: string, by: string): HostileFile =>
  refused(name, GOOD.replace(text, by), unreadable(`line ${lineOf(text)} is not well-formed XML`));
const withDoctype = (doctype: string, value = '&x;') =>
  GOOD.replace('<KeePassFile>', `${doctype}\n<KeePassFile>`).replace('>secret<', `>${value}<`);
const wrapped = (inside: string) =>
  `<?xml version="1.0"?><KeePassFile><Meta/><Root><Group><Name>n</Name>${inside}</Group></Root></KeePassFile>`;

/** UTF-16 with BOM. */
export function utf16(text: string, order: 'little' | 'big'): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(2 + 2 * text.length);
  const view = new DataView(bytes.buffer);
  view.setUint16(0, 0xfeff, order === 'little');
  for (let at = 0; at < text.length; at += 1) view.setUint16(2 + 2 * at, text.charCodeAt(at), order === 'little');
  return bytes;
}

/** Mostly zeros, some noise: compresses about fifty times, below the limit. */
function sparse(length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  const noise = patternBytes(Math.floor(length / 50), 1);
  for (let at = 0; at < noise.length; at += 1) bytes[at * 2] = noise[at] ?? 0;
  return bytes;
}

export async function hostileFiles(): Promise<HostileFile[]> {
  return [...declarations(), ...noKeepassFiles(), ...malformed(), ...tooMuch(), ...(await attachments()), ...odd()];
}

function declarations(): HostileFile[] {
  const laughs = Array.from({ length: 10 }, (_, at) =>
    at === 0 ? '<!ENTITY l0 "lol">' : `<!ENTITY l${at} "${`&l${at - 1};`.repeat(10)}">`,
  );
  const local = '<!DOCTYPE KeePassFile [<!ENTITY x SYSTEM "file:///etc/passwd">]>';
  return [
    refused('XXE of a file', withDoctype(local), DECLARED),
    refused('XXE over HTTP', withDoctype('<!DOCTYPE k [<!ENTITY x SYSTEM "http://127.0.0.1:9/x">]>'), DECLARED),
    refused(
      'parameter entity',
      withDoctype('<!DOCTYPE k [<!ENTITY % p SYSTEM "http://127.0.0.1:9/p.dtd"> %p;]>'),
      DECLARED,
    ),
    refused('external document type', withDoctype('<!DOCTYPE k SYSTEM "http://127.0.0.1:9/k.dtd">', 'a'), DECLARED),
    refused('entity bomb', withDoctype(`<!DOCTYPE k [${laughs.join('')}]>`, '&l9;'), DECLARED),
    refused(
      'quadratic blow-up',
      withDoctype(`<!DOCTYPE k [<!ENTITY x "${'a'.repeat(50_000)}">]>`, '&x;'.repeat(50_000)),
      DECLARED,
    ),
    refused('document type in lower case', withDoctype('<!doctype k>', 'a'), DECLARED),
    refused('XXE in UTF-16', utf16(withDoctype(local), 'little'), DECLARED),
    refused('XXE in UTF-16, the other order', utf16(withDoctype(local), 'big'), DECLARED),
    refused('document type behind the content', `${GOOD}<!DOCTYPE k>`, DECLARED),
    broken('entity that nobody declared', '>secret<', '>&x;<'),
  ];
}

function noKeepassFiles(): HostileFile[] {
  return [
    refused('empty file', '', EMPTY),
    refused('white space', ' \n\t', NOT_KEEPASS),
    refused('a byte order mark alone', new Uint8Array([0xef, 0xbb, 0xbf]), NOT_KEEPASS),
    refused('plain text', 'name,login,password\nMail,ada,secret\n', NOT_KEEPASS),
    refused('JSON', '{"encrypted":false,"items":[]}', NOT_KEEPASS),
    refused('KDBX', new Uint8Array([0x03, 0xd9, 0xa2, 0x9a, 0x67, 0xfb, 0x4b, 0xb5, 0, 0, 4, 0]), NOT_KEEPASS),
    refused('KeePass 1.x', '<?xml version="1.0"?><pwlist><pwentry><title>a</title></pwentry></pwlist>', NOT_KEEPASS),
    refused('HTML', '<html><body>KeePassFile</body></html>', NOT_KEEPASS),
    refused('no Root', '<?xml version="1.0"?><KeePassFile><Meta/></KeePassFile>', NOT_KEEPASS),
    refused('no group in Root', '<KeePassFile><Root></Root></KeePassFile>', NOT_KEEPASS),
    refused('the root element in another case', '<keepassfile><Root/></keepassfile>', NOT_KEEPASS),
  ];
}

function malformed(): HostileFile[] {
  const lines = GOOD.split('\n').length;
  return [
    refused('cut off in the middle', GOOD.slice(0, GOOD.indexOf('secret')), CUT),
    refused('cut off before its end', GOOD.trimEnd().slice(0, -5), CUT),
    refused('cut off inside of a tag', GOOD.slice(0, GOOD.indexOf('<UUID>') + 3), CUT),
    broken('tags that cross', '</UUID>', '</Name>'),
    refused('a second document behind', `${GOOD}${GOOD}`, unreadable(`line ${lines} is not well-formed XML`)),
    broken('a zero character', 'secret', 'se\0cret'),
    broken('the same attribute twice', '<Value>', '<Value a="1" a="2">'),
    refused('bytes that are no UTF-8', brokenUtf8(), unreadable('its text is damaged')),
    refused(
      'an encoding of its own',
      GOOD.replace('UTF-8', 'EBCDIC-CP-US'),
      unreadable('its encoding is not supported'),
    ),
  ];
}

function brokenUtf8(): Uint8Array<ArrayBuffer> {
  const bytes = utf8(GOOD);
  bytes[GOOD.indexOf('secret')] = 0xff;
  return bytes;
}

function tooMuch(): HostileFile[] {
  const note = (value: string) => GOOD.replace('>secret<', `>${value}<`);
  const attributes = Array.from({ length: 100_000 }, (_, at) => ` a${at}=""`).join('');
  return [
    refused('100 000 groups in each other', wrapped('<Group>'.repeat(100_000)), unreadable('it is nested too deeply')),
    refused(
      '10 000 unknown elements in each other',
      wrapped('<x>'.repeat(10_000)),
      unreadable('it is nested too deeply'),
    ),
    refused('a million groups', wrapped('<Group/>'.repeat(1_000_000)), unreadable('it has too many groups')),
    refused('25 000 entries', wrapped('<Entry/>'.repeat(25_000)), unreadable('it has too many entries')),
    refused('too many elements', wrapped('<x/>'.repeat(2_000_001)), unreadable('it has too many elements')),
    refused('100 000 attributes', wrapped(`<x${attributes}/>`), unreadable('an element has too many attributes')),
    refused('a text of 2 MiB', note('a'.repeat(2_097_152)), unreadable('a text is too long')),
    refused('a text of 600 000 characters, 1.2 MB', note('ü'.repeat(600_000)), unreadable('a text is too long')),
    refused(
      'a million character references',
      note('&#65;'.repeat(1_000_000)),
      unreadable('it has too many character references'),
    ),
    refused('more than 64 MiB', wrapped(`<!--${' '.repeat(67_108_864)}-->`), unreadable('it is too large')),
  ];
}

async function attachments(): Promise<HostileFile[]> {
  const entry = { ...ENTRY, files: [{ name: 'a', ref: '0' }] };
  const withPool = (base64: string, isCompressed: boolean, entries: readonly XmlEntry[] = [entry]) =>
    fileOf({ entries }, { pool: [{ id: '0', base64, isCompressed }] });
  const bomb = base64Of(await gzip(new Uint8Array(60_000_000)));
  const large = base64Of(await gzip(sparse(26_500_000)));
  const often = base64Of(await gzip(sparse(12_000_000)));
  const inline = { ...ENTRY, files: [{ name: 'a', base64: bomb, isCompressed: true }] };
  return [
    refused('gzip bomb', withPool(bomb, true), unreadable('an attachment unpacks to an implausible size')),
    refused(
      'gzip bomb inside of an entry',
      fileOf({ entries: [inline] }),
      unreadable('an attachment unpacks to an implausible size'),
    ),
    refused('an attachment above 25 MiB', withPool(large, true), unreadable('an attachment is too large')),
    refused(
      'one attachment used by many entries',
      withPool(
        often,
        true,
        Array.from({ length: 9 }, () => entry),
      ),
      unreadable('the attachments together are too large'),
    ),
    refused('damaged base64', withPool('a*b=', false), unreadable('an attachment is damaged')),
    refused(
      'gzip that is none',
      withPool(base64Of(patternBytes(100, 1)), true),
      unreadable('an attachment is damaged'),
    ),
    refused(
      'gzip that is cut off',
      withPool(base64Of((await gzip(patternBytes(1000, 1))).slice(0, 500)), true),
      unreadable('an attachment is damaged'),
    ),
    read(
      'a bomb in the recycle bin, never unpacked',
      fileOf(
        { entries: [ENTRY], groups: [{ name: 'Bin', uuid: BIN_UUID, entries: [inline] }] },
        { recycleBin: BIN_UUID },
      ),
    ),
    read('attachment that refers to nothing', fileOf({ entries: [entry] })),
    read('an empty attachment', withPool('', false)),
  ];
}

function odd(): HostileFile[] {
  const names = {
    ...ENTRY,
    strings: { constructor: 'a', toString: 'b', hasOwnProperty: 'c' },
    files: [{ name: '__proto__', ref: '__proto__' }],
  };
  const equal = (name: string): XmlGroup => ({ name, uuid: BIN_UUID, entries: [ENTRY] });
  return [
    read(
      'equal ids of groups, one of them the recycle bin',
      fileOf({ groups: [equal('A'), equal('B')] }, { recycleBin: BIN_UUID }),
    ),
    read('the root as recycle bin', fileOf({ uuid: BIN_UUID, entries: [ENTRY] }, { recycleBin: BIN_UUID })),
    read(
      'equal ids of entries',
      GOOD.replace('</Group>', `${GOOD.slice(GOOD.indexOf('<Entry>'), GOOD.indexOf('</Entry>'))}</Entry></Group>`),
      2,
    ),
    read('names of built-in members', fileOf({ entries: [names] }, { pool: [{ id: '__proto__', base64: 'AAAA' }] })),
    read('elements of those names', wrapped('<constructor/><__proto__><Entry/></__proto__><toString/><Entry/>')),
    read('UTF-16, little end first', utf16(GOOD, 'little')),
    read('UTF-16, big end first', utf16(GOOD, 'big')),
    read('UTF-8 with its mark', utf8(`\uFEFF${GOOD}`)),
    read('a document type as text', GOOD.replace('>secret<', '>&lt;!DOCTYPE html&gt;<')),
    read('white space and comments around', `${GOOD}\n<!-- end -->\n`),
    read(
      'a second group beside the root',
      GOOD.replace('<DeletedObjects/>', '<Group><Name>b</Name><Entry/></Group>'),
      2,
    ),
  ];
}
