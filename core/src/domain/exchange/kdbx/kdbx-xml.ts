/** The XML inside of a KDBX 4 file. */
import { type Bytes, encodeBase64, randomBytes, utf8 } from '../../../crypto/bytes.ts';
import type { KeyStream } from '../../../crypto/exchange/file-ciphers.ts';
import { passkeyStrings } from '../../keepass/passkey-strings.ts';
import {
  OWN_FIELDS,
  OWN_GROUP,
  type OwnEntry,
  type OwnField,
  type OwnGroup,
  inSeconds,
  totpAddress,
  xmlText,
} from '../../keepass/own-fields.ts';
import { shownTitle } from '../shown-text.ts';
import type { ExchangeTree, PlainContent, TreeEntry, TreeGroup } from '../tree.ts';
import { viewOf } from './byte-reader.ts';
import { type EntryVersion, type FieldPlace, entryVersions, fieldPlaces } from './entry-versions.ts';

export interface XmlOptions {
  /** For protected values, in the order of the document. */
  readonly inner: KeyStream;
  /** Number of an attachment in the inner header. */
  readonly numberOf: (bytes: Bytes) => number;
  /** Unix ms. */
  readonly now: number;
  readonly onEntry: (done: number) => void;
}

const ROOT = 'PasswordBroker';

/** Pieces of the document; one entry each at most. */
export function* kdbxXml(tree: ExchangeTree, options: XmlOptions): Generator<string> {
  const [root] = tree.groups;
  yield metaXml(root?.name ?? '', options.now);
  const children: number[][] = tree.groups.map(() => []);
  for (const [at, { parent }] of tree.groups.entries()) if (parent !== null) children[parent]?.push(at);
  const entries: TreeEntry[][] = tree.groups.map(() => []);
  for (const entry of tree.entries) entries[entry.group]?.push(entry);
  let done = 0;

  function* group(at: number): Generator<string> {
    const own = tree.groups[at];
    if (own === undefined) return;
    yield groupXml(own, options.now);
    for (const entry of entries[at] ?? []) {
      yield entryXml(entry, options);
      options.onEntry((done += 1));
    }
    for (const child of children[at] ?? []) yield* group(child);
    yield '</Group>\n';
  }
  yield* group(0);
  yield '<DeletedObjects/>\n</Root>\n</KeePassFile>\n';
}

const NO_UUID = encodeBase64(new Uint8Array(16));

function metaXml(name: string, now: number): string {
  return `<?xml version="1.0" encoding="utf-8" standalone="yes"?>
<KeePassFile>
<Meta>
<Generator>PasswordBroker</Generator>
<DatabaseName>${escaped(name.trim() === '' ? ROOT : name)}</DatabaseName>
<DatabaseNameChanged>${timeText(now)}</DatabaseNameChanged>
<MasterKeyChanged>${timeText(now)}</MasterKeyChanged>
<MasterKeyChangeRec>-1</MasterKeyChangeRec>
<MasterKeyChangeForce>-1</MasterKeyChangeForce>
<MemoryProtection>
<ProtectTitle>False</ProtectTitle>
<ProtectUserName>False</ProtectUserName>
<ProtectPassword>True</ProtectPassword>
<ProtectURL>False</ProtectURL>
<ProtectNotes>False</ProtectNotes>
</MemoryProtection>
<RecycleBinEnabled>True</RecycleBinEnabled>
<RecycleBinUUID>${NO_UUID}</RecycleBinUUID>
<HistoryMaxItems>-1</HistoryMaxItems>
<HistoryMaxSize>-1</HistoryMaxSize>
</Meta>
<Root>
`;
}

function groupXml({ name, created, modified }: TreeGroup, now: number): string {
  const shown = xmlText(name);
  const exact = shownTitle(shown) === name ? {} : { name };
  const own: OwnGroup = { created, modified, written: now, ...exact };
  return `<Group>
<UUID>${encodeBase64(randomBytes(16))}</UUID>
<Name>${escaped(shown)}</Name>
<Notes/>
<IconID>48</IconID>
${timesXml(created ?? now, modified ?? now, null)}
<IsExpanded>True</IsExpanded>
${customXml(OWN_GROUP, own)}`;
}

function entryXml(entry: TreeEntry, options: XmlOptions): string {
  const uuid = encodeBase64(randomBytes(16));
  const places = fieldPlaces(entry);
  const { versions } = entryVersions(entry);
  const last = versions.at(-1) ?? { at: null, revisions: [] };
  // The present version comes before its history in the document: the stream of protected values has that order.
  const now = versionXml({ entry, places, uuid, version: last, isPresent: true }, options);
  const history = versions
    .slice(0, -1)
    .map((version) => `${versionXml({ entry, places, uuid, version, isPresent: false }, options)}</Entry>\n`);
  return `${now}<History>\n${history.join('')}</History>\n</Entry>\n`;
}

interface Written {
  readonly entry: TreeEntry;
  readonly places: readonly FieldPlace[];
  readonly uuid: string;
  readonly version: EntryVersion;
  readonly isPresent: boolean;
}

/** Without its end. */
function versionXml(
  { entry, places, uuid, version, isPresent }: Written,
  { inner, numberOf, now }: XmlOptions,
): string {
  const { created, modified, tags, expires } = entry;
  const strings = new Map([['Title', { value: entry.title, isSecret: false }]]);
  for (const name of ['UserName', 'Password', 'URL', 'Notes'])
    strings.set(name, { value: '', isSecret: name === 'Password' });
  const binaries: string[] = [];
  const fields: OwnField[] = [];
  for (const [index, field] of entry.fields.entries()) {
    const [place, number] = [places[index], version.revisions[index] ?? null];
    const revision = number === null ? undefined : field.revisions[number];
    if (place === undefined || revision === undefined || number === null) continue;
    const { content, at } = revision;
    fields.push(ownField(content, place, number, at));
    if (content.type === 'file')
      binaries.push(`<Binary><Key>${escaped(place.value)}</Key><Value Ref="${numberOf(content.bytes)}"/></Binary>\n`);
    else for (const [name, string] of stringsOf(content, place)) strings.set(name, string);
  }
  const own: OwnEntry = { created, modified, written: now, fields };
  const changed = isPresent ? (modified ?? now) : (version.at ?? created ?? now);
  return `<Entry>
<UUID>${uuid}</UUID>
<IconID>0</IconID>
<ForegroundColor/>
<BackgroundColor/>
<OverrideURL/>
<Tags>${escaped(tags.join(';'))}</Tags>
${timesXml(created ?? now, changed, expires)}
${[...strings].map(([name, string]) => stringXml(name, string, inner)).join('')}${binaries.join('')}<AutoType>
<Enabled>True</Enabled>
<DataTransferObfuscation>0</DataTransferObfuscation>
</AutoType>
${customXml(OWN_FIELDS, own)}`;
}

function ownField(content: PlainContent, place: FieldPlace, revision: number, at: number | null): OwnField {
  const { type, title } = content;
  const also = place.isPasskey ? [...(passkeyStrings('value' in content ? content.value : '')?.keys() ?? [])] : [];
  return {
    type,
    title,
    revision,
    at,
    value: place.value,
    ...(place.login === null ? {} : { login: place.login }),
    ...(content.type === 'file' ? { name: content.name } : {}),
    ...(also.length === 0 ? {} : { also }),
  };
}

interface WrittenString {
  readonly value: string;
  readonly isSecret: boolean;
}

function stringsOf(content: Exclude<PlainContent, { type: 'file' }>, place: FieldPlace): [string, WrittenString][] {
  const isSecret = content.type === 'password' || content.type === 'TOTP';
  const value = content.type === 'TOTP' ? totpAddress(content) : content.value;
  const login = content.type === 'password' ? content.login : '';
  const passkey = place.isPasskey ? [...(passkeyStrings(value) ?? [])] : [];
  return [
    ...(place.isPasskeyWhole ? [] : [[place.value, { value, isSecret }] as [string, WrittenString]]),
    ...(place.login === null ? [] : [[place.login, { value: login, isSecret: false }] as [string, WrittenString]]),
    ...passkey.map(([name, part]): [string, WrittenString] => [name, { value: part, isSecret: true }]),
  ];
}

/** Protected values hold every character; others only those of XML. */
function stringXml(name: string, { value, isSecret }: WrittenString, inner: KeyStream): string {
  const isProtected = isSecret || xmlText(value) !== value;
  const written = isProtected ? encodeBase64(inner(utf8(value))) : escaped(value);
  return `<String><Key>${escaped(name)}</Key><Value${isProtected ? ' Protected="True"' : ''}>${written}</Value></String>\n`;
}

function timesXml(created: number, modified: number, expires: number | null): string {
  return `<Times>
<LastModificationTime>${timeText(modified)}</LastModificationTime>
<CreationTime>${timeText(created)}</CreationTime>
<LastAccessTime>${timeText(modified)}</LastAccessTime>
<ExpiryTime>${timeText(expires ?? created)}</ExpiryTime>
<Expires>${expires === null ? 'False' : 'True'}</Expires>
<UsageCount>0</UsageCount>
<LocationChanged>${timeText(created)}</LocationChanged>
</Times>`;
}

/** JSON escapes control characters itself. */
const customXml = (key: string, value: OwnEntry | OwnGroup) =>
  `<CustomData><Item><Key>${key}</Key><Value>${escaped(JSON.stringify(value).replaceAll(/[\uFFFE\uFFFF]/g, jsonEscape))}</Value></Item></CustomData>\n`;
const jsonEscape = (character: string) => `\\u${character.charCodeAt(0).toString(16)}`;

const SECONDS_TO_1970 = 62_135_596_800;

/** Seconds since the year 1, in base64. */
function timeText(ms: number): string {
  const bytes = new Uint8Array(8);
  viewOf(bytes).setBigInt64(0, BigInt(inSeconds(ms) / 1000 + SECONDS_TO_1970), true);
  return encodeBase64(bytes);
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
const escaped = (text: string) => xmlText(text).replaceAll(/[&<>]/g, (character) => ESCAPES[character] ?? '');
