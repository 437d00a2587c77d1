/** KeePass XML files for tests and benches. */

interface XmlEntry {
  readonly title: string;
  readonly user?: string;
  readonly password?: string;
  readonly url?: string;
  readonly notes?: string;
  readonly tags?: string;
  readonly expires?: string;
  /** Further strings by key; a TOTP is an `otp` address. */
  readonly strings?: Readonly<Record<string, string>>;
  /** Attachments by file name. */
  readonly files?: Readonly<Record<string, Buffer>>;
  readonly history?: readonly XmlEntry[];
  readonly created?: string;
  readonly modified?: string;
}

export interface XmlGroup {
  readonly name: string;
  readonly entries?: readonly XmlEntry[];
  readonly groups?: readonly XmlGroup[];
}

const xmlText = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

let count = 0;
const uuid = () => {
  const bytes = Buffer.alloc(16);
  bytes.writeUInt32BE((count += 1));
  return `<UUID>${bytes.toString('base64')}</UUID>`;
};

const text = (key: string, value: string | undefined, attributes = '') =>
  value === undefined ? '' : `<String><Key>${xmlText(key)}</Key><Value${attributes}>${xmlText(value)}</Value></String>`;

const expiryXml = ({ expires }: XmlEntry) =>
  expires === undefined ? '' : `<Expires>True</Expires><ExpiryTime>${expires}</ExpiryTime>`;

function entryXml(entry: XmlEntry): string {
  const { created = '2024-02-01T08:00:00Z', modified = '2024-03-01T09:00:00Z' } = entry;
  return [
    `<Entry>${uuid()}<Times><CreationTime>${created}</CreationTime><LastModificationTime>${modified}</LastModificationTime>${expiryXml(entry)}</Times>`,
    entry.tags === undefined ? '' : `<Tags>${xmlText(entry.tags)}</Tags>`,
    text('Title', entry.title),
    text('UserName', entry.user),
    text('Password', entry.password, ' ProtectInMemory="True"'),
    text('URL', entry.url),
    text('Notes', entry.notes),
    ...Object.entries(entry.strings ?? {}).map(([key, value]) => text(key, value)),
    ...Object.entries(entry.files ?? {}).map(
      ([name, bytes]) => `<Binary><Key>${xmlText(name)}</Key><Value>${bytes.toString('base64')}</Value></Binary>`,
    ),
    entry.history === undefined ? '' : `<History>${entry.history.map(entryXml).join('')}</History>`,
    '</Entry>',
  ].join('');
}

function groupXml({ name, entries = [], groups = [] }: XmlGroup): string {
  return `<Group>${uuid()}<Name>${xmlText(name)}</Name>${entries.map(entryXml).join('')}${groups.map(groupXml).join('')}</Group>`;
}

/** A whole file around one root group; equal groups give equal bytes. */
export function keepassXml(root: XmlGroup): Buffer {
  count = 0;
  return Buffer.from(
    `<?xml version="1.0" encoding="utf-8" standalone="yes"?>\n<KeePassFile><Meta><Generator>KeePassXC</Generator></Meta><Root>${groupXml(root)}</Root></KeePassFile>`,
  );
}

/** A vault with this many entries of three fields each, in groups of 100. */
export function largeKeepassXml(entries: number): Buffer {
  const groups: XmlGroup[] = [];
  for (let start = 0; start < entries; start += 100) {
    const size = Math.min(100, entries - start);
    groups.push({
      name: `Team ${start / 100 + 1}`,
      entries: Array.from({ length: size }, (_, at) => ({
        title: `Service ${start + at}`,
        user: `user${start + at}@example.org`,
        password: `p4ss-${start + at}-Zx.${(start + at) * 7919}`,
        url: `https://service-${start + at}.example.org/login`,
        notes: `Owner: team ${start / 100 + 1}. Ticket ${start + at}.`,
      })),
    });
  }
  return keepassXml({ name: 'Root', groups });
}
