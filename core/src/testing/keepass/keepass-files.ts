/** Generates KeePass XML 2.x files like those of KeePassXC. Runs in Node and in browsers. */

export interface XmlEntry {
  readonly title?: string;
  readonly user?: string;
  readonly password?: string;
  readonly url?: string;
  readonly notes?: string;
  /** Further strings by key; protected ones by key in `protected`. */
  readonly strings?: Readonly<Record<string, string>>;
  readonly protected?: Readonly<Record<string, string>>;
  readonly files?: readonly XmlAttachment[];
  readonly tags?: string;
  /** Elements to put into the entry as they are, after those that KeePassXC always writes. */
  readonly more?: string;
  readonly created?: string;
  readonly modified?: string;
  readonly expires?: string;
  readonly history?: readonly XmlEntry[];
}

/** A reference to the file's pool, or inline base64. */
export type XmlAttachment =
  | { readonly name: string; readonly ref: string }
  | { readonly name: string; readonly base64: string; readonly isCompressed?: boolean };

export interface XmlGroup {
  readonly name: string;
  readonly uuid?: string;
  readonly notes?: string;
  /** Elements to put into the group as they are. */
  readonly more?: string;
  readonly entries?: readonly XmlEntry[];
  readonly groups?: readonly XmlGroup[];
}

export interface XmlPoolItem {
  readonly id: string;
  readonly base64: string;
  readonly isCompressed?: boolean;
}

export interface KeepassFile {
  readonly root: XmlGroup;
  readonly recycleBin?: string;
  readonly pool?: readonly XmlPoolItem[];
  /** Elements to put into Meta as they are. */
  readonly meta?: string;
}

/** The id of a recycle bin, for `recycleBin` and the `uuid` of a group. */
export const BIN_UUID = 'MUDslyN7QZyssiXq+FtLNA==';
const EARLY = '2023-03-01T08:00:00Z';
const LATE = '2024-05-01T10:00:00Z';

/** XML text of a whole file. */
export function keepassXml({
  root,
  recycleBin = 'AAAAAAAAAAAAAAAAAAAAAA==',
  pool = [],
  meta = '',
}: KeepassFile): string {
  const binaries = pool.map(
    ({ id, base64, isCompressed = false }) =>
      `<Binary ID="${id}"${isCompressed ? ' Compressed="True"' : ''}>${base64}</Binary>`,
  );
  return [
    '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<KeePassFile>\n\t<Meta>\n\t\t<Generator>KeePassXC</Generator>\n\t\t<CustomIcons/>',
    `<RecycleBinEnabled>True</RecycleBinEnabled>\n\t\t<RecycleBinUUID>${recycleBin}</RecycleBinUUID>${meta}`,
    `<Binaries>${binaries.join('\n')}</Binaries>\n\t</Meta>\n\t<Root>\n`,
    groupXml(root),
    '\t\t<DeletedObjects/>\n\t</Root>\n</KeePassFile>\n',
  ].join('\n');
}

export const xmlText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

let counted = 0;
function nextUuid(): string {
  const bytes = new Uint8Array(16);
  new DataView(bytes.buffer).setUint32(0, (counted += 1));
  return btoa(String.fromCharCode(...bytes));
}

function groupXml({ name, uuid = nextUuid(), notes = '', more = '', entries = [], groups = [] }: XmlGroup): string {
  return `<Group>
<UUID>${uuid}</UUID>
<Name>${xmlText(name)}</Name>
<Notes>${xmlText(notes)}</Notes>
<IconID>48</IconID>
${timesXml({})}
<IsExpanded>True</IsExpanded>
<DefaultAutoTypeSequence/>
<EnableAutoType>null</EnableAutoType>
<EnableSearching>null</EnableSearching>${more}
${entries.map((entry) => entryXml(entry)).join('')}${groups.map(groupXml).join('')}</Group>
`;
}

function entryXml(entry: XmlEntry, uuid = nextUuid()): string {
  const { title = '', user = '', password = '', url = '', notes = '', tags = '' } = entry;
  const strings = Object.entries(entry.strings ?? {}).map(([key, value]) => stringXml(key, value, false));
  const hidden = Object.entries(entry.protected ?? {}).map(([key, value]) => stringXml(key, value, true));
  const history = (entry.history ?? []).map((version) => entryXml(version, uuid));
  return `<Entry>
<UUID>${uuid}</UUID>
<IconID>0</IconID>
<ForegroundColor/>
<BackgroundColor/>
<OverrideURL/>
<Tags>${xmlText(tags)}</Tags>
${timesXml(entry)}
${stringXml('Notes', notes, false)}${stringXml('Password', password, true)}${stringXml('Title', title, false)}${stringXml('URL', url, false)}${stringXml('UserName', user, false)}${strings.join('')}${hidden.join('')}${(entry.files ?? []).map(fileXml).join('')}<AutoType>
<Enabled>True</Enabled>
<DataTransferObfuscation>0</DataTransferObfuscation>
<DefaultSequence/>
</AutoType>${entry.more ?? ''}
<History>${history.join('')}</History>
</Entry>
`;
}

function timesXml({
  created = EARLY,
  modified = LATE,
  expires,
}: Pick<XmlEntry, 'created' | 'modified' | 'expires'>): string {
  return `<Times>
<LastModificationTime>${modified}</LastModificationTime>
<CreationTime>${created}</CreationTime>
<LastAccessTime>${modified}</LastAccessTime>
<ExpiryTime>${expires ?? created}</ExpiryTime>
<Expires>${expires === undefined ? 'False' : 'True'}</Expires>
<UsageCount>0</UsageCount>
<LocationChanged>${created}</LocationChanged>
</Times>`;
}

const stringXml = (key: string, value: string, isProtected: boolean) =>
  `<String>
<Key>${xmlText(key)}</Key>
<Value${isProtected ? ' ProtectInMemory="True"' : ''}>${xmlText(value)}</Value>
</String>
`;

function fileXml(file: XmlAttachment): string {
  const value =
    'ref' in file
      ? `<Value Ref="${file.ref}"/>`
      : `<Value${file.isCompressed === true ? ' Compressed="True"' : ''}>${file.base64}</Value>`;
  return `<Binary>
<Key>${xmlText(file.name)}</Key>
${value}
</Binary>
`;
}

/**
 * A vault of this many entries with three fields each (password, link, note), in nested groups of a
 * hundred, and attachments if asked.
 */
export function largeKeepassXml(
  entries: number,
  options: { readonly attachments?: number; readonly attachmentBytes?: number; readonly history?: number } = {},
): string {
  const { attachments = 0, attachmentBytes = 1_048_576, history = 0 } = options;
  const pool = Array.from({ length: attachments }, (_, at) => ({
    id: String(at),
    base64: base64Of(patternBytes(attachmentBytes, at)),
  }));
  const groups: XmlGroup[] = [];
  for (let start = 0; start < entries; start += 100) {
    const size = Math.min(100, entries - start);
    const own = Array.from({ length: size }, (_, at) => largeEntry(start + at, history, pool.length));
    groups.push({ name: `Team ${start / 100 + 1}`, entries: own });
  }
  // Ten teams in each department, for nesting.
  const departments: XmlGroup[] = [];
  for (let at = 0; at < groups.length; at += 10) {
    departments.push({ name: `Department ${at / 10 + 1}`, groups: groups.slice(at, at + 10) });
  }
  return keepassXml({ root: { name: 'Passwords', groups: departments }, pool });
}

function largeEntry(at: number, history: number, pool: number): XmlEntry {
  const now = {
    title: `Service ${at}`,
    user: `user${at}@example.org`,
    password: `p4ss-${at}-Zx.${at * 7919}`,
    url: `https://service-${at}.example.org/login`,
    notes: `Owner: team ${Math.floor(at / 100) + 1}. Ticket ${at}.`,
  };
  const former = Array.from({ length: history }, (_, version) => ({
    ...now,
    password: `old-${at}-${version}`,
    modified: new Date(Date.UTC(2023, 3, version + 1)).toISOString(),
  }));
  return { ...now, history: former, files: at < pool ? [{ name: `file-${at}.bin`, ref: String(at) }] : [] };
}

/** Bytes that differ for each attachment and hardly compress. */
export function patternBytes(length: number, seed: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  let state = (seed + 1) * 2_654_435_761;
  for (let at = 0; at < length; at += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    bytes[at] = state >>> 24;
  }
  return bytes;
}

export function base64Of(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 32_768) text += String.fromCharCode(...bytes.subarray(at, at + 32_768));
  return btoa(text);
}

export async function gzip(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const packed = new Blob([bytes]).stream().pipeThrough(new CompressionStream('gzip'));
  return new Uint8Array(await new Response(packed).arrayBuffer());
}
