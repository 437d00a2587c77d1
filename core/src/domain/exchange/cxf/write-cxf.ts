/** FIDO CXF 1.0: `cxf.json` in a ZIP, with the files in `documents/`, which other programs do not read. */
import { utf8 } from '../../../crypto/bytes.ts';
import { JsonObject } from '../json/json-object.ts';
import { otpAddress } from '../json/named-fields.ts';
import { passkeyIn, toBase64Url } from '../json/passkey.ts';
import { pick, shownMarks, uniqueNames } from '../json/write-entries.ts';
import { lossBetween, pathsOf } from '../json/loss.ts';
import type { ExchangeTree, PlainContent, SkippedThing, TreeEntry, TreeField } from '../tree.ts';
import { fileField, treeBuilder } from '../tree-builder.ts';
import { writeZip } from '../json/write-zip.ts';
import type { Write, WriteOptions } from '../writers.ts';
import { digestOf } from './credentials.ts';
import { addItem } from './read-cxf.ts';

type Json = Readonly<Record<string, unknown>>;

export const writeCxf: Write = async function* (tree, options) {
  const items = tree.entries.map((_, at) => idOf(`item ${at}`));
  yield* writeZip(
    (async function* () {
      yield { name: 'cxf.json', parts: jsonOf(tree, items, options) };
      for (const [at, entry] of tree.entries.entries())
        for (const [number, { bytes }] of uniqueNames(entry).entries()) {
          options.signal?.throwIfAborted();
          yield { name: `documents/${documentId(at, number)}`, parts: [bytes] };
        }
    })(),
  );
};

export function lossOfCxf(tree: ExchangeTree): readonly SkippedThing[] {
  const paths = pathsOf(tree);
  return lossBetween(tree, (entry) => {
    const read = treeBuilder(Number.MAX_SAFE_INTEGER);
    const group = read.group(paths[entry.group] ?? []);
    const files = uniqueNames(entry).map(({ name, bytes }) => fileField(name, bytes));
    const item = new JsonObject(itemOf(entry, 'id', []));
    addItem(item, group, files, { tree: read, titles: new Map(), place: entry.title });
    const made = read.end();
    return { entries: made.entries, path: pathsOf(made)[group] ?? [] };
  });
}

/** Ids are bytes in base64url, of any form. */
const idOf = (text: string) => toBase64Url(utf8(text));
const documentId = (entry: number, file: number) => idOf(`file ${entry} ${file}`);
const secondsOf = (ms: number) => Math.floor(ms / 1000);

async function* jsonOf(tree: ExchangeTree, ids: readonly string[], options: WriteOptions): AsyncGenerator<Uint8Array> {
  const head = {
    version: { major: 1, minor: 0 },
    exporterRpId: options.host ?? 'localhost',
    exporterDisplayName: 'PasswordBroker',
    timestamp: secondsOf(options.now),
  };
  const account = { id: idOf('account'), username: '', email: '', collections: collectionsOf(tree, ids) };
  // Items are written one by one, inside of the account.
  yield utf8(`${JSON.stringify(head).slice(0, -1)},"accounts":[${JSON.stringify(account).slice(0, -1)},"items":[`);
  for (const [at, entry] of tree.entries.entries()) {
    options.signal?.throwIfAborted();
    const documents: Json[] = [];
    for (const [number, { name, bytes }] of uniqueNames(entry).entries())
      documents.push({
        type: 'file',
        id: documentId(at, number),
        name,
        decryptedSize: bytes.length,
        integrityHash: await digestOf(bytes),
      });
    const item = JSON.stringify(itemOf(entry, ids[at] ?? '', documents));
    yield utf8(at === 0 ? item : `,${item}`);
    options.onProgress?.(at + 1, tree.entries.length);
  }
  yield utf8(']}]}');
}

function collectionsOf({ groups, entries }: ExchangeTree, ids: readonly string[]): Json[] {
  const items = groups.map((): Json[] => []);
  for (const [at, { group }] of entries.entries()) items[group]?.push({ item: ids[at] });
  const children = groups.map((): number[] => []);
  for (const [at, { parent }] of groups.entries()) if (parent !== null) children[parent]?.push(at);
  const collectionOf = (at: number): Json => {
    const { name = '', created = null, modified = null } = groups[at] ?? {};
    return {
      id: idOf(`collection ${at}`),
      ...(created === null ? {} : { creationAt: secondsOf(created) }),
      ...(modified === null ? {} : { modifiedAt: secondsOf(modified) }),
      title: name,
      items: items[at] ?? [],
      subCollections: (children[at] ?? []).map(collectionOf),
    };
  };
  return groups.flatMap(({ parent }, at) => (parent === null ? (children[at] ?? []).map(collectionOf) : []));
}

const ANDROID = /^androidapp:\/\//;
/** The standard has one byte for it. */
const LONGEST_PERIOD = 255;

function itemOf(entry: TreeEntry, id: string, documents: readonly Json[]): Json {
  const rest = entry.fields.filter(({ type }) => type !== 'file');
  const notes = pick(rest, 'note', 'Notes', (field) => valueOf(field).trim() !== '');
  const note = [notes === null ? '' : valueOf(notes), shownMarks(entry, false)]
    .filter((part) => part !== '')
    .join('\n\n');
  const links = rest.filter(({ type }) => type === 'link').map(valueOf);
  const credentials = rest.map(credentialOf);
  const custom = rest.filter((field, at) => credentials[at] === null && field.type !== 'link').map(customField);
  return {
    id,
    ...(entry.created === null ? {} : { creationAt: secondsOf(entry.created) }),
    ...(entry.modified === null ? {} : { modifiedAt: secondsOf(entry.modified) }),
    title: entry.title,
    tags: entry.tags,
    scope: {
      urls: links.filter((link) => !ANDROID.test(link)),
      androidApps: links.filter((link) => ANDROID.test(link)).map((link) => ({ bundleId: link.replace(ANDROID, '') })),
    },
    credentials: [
      ...credentials.filter((credential) => credential !== null),
      ...(custom.length === 0 ? [] : [{ type: 'custom-fields', fields: custom }]),
      ...(note === '' ? [] : [{ type: 'note', content: editable('string', note) }]),
      ...documents,
    ],
  };
}

const editable = (fieldType: string, value: string, label = '') => ({
  fieldType,
  value,
  ...(label === '' ? {} : { label }),
});

const contentOf = ({ revisions }: TreeField): PlainContent | undefined => revisions.at(-1)?.content;

function valueOf(field: TreeField): string {
  const content = contentOf(field);
  return content === undefined || content.type === 'file' ? '' : content.value;
}

/** Null for what the standard has no word for: it is a custom field. */
function credentialOf(field: TreeField): Json | null {
  const content = contentOf(field);
  const passkey = passkeyIn(field);
  if (passkey !== null) {
    const { credentialId, rpId, username, userDisplayName, userHandle, key, fido2Extensions } = passkey;
    const standard = { credentialId, rpId, username, userDisplayName, userHandle, key };
    return { type: 'passkey', ...standard, ...(fido2Extensions === undefined ? {} : { fido2Extensions }) };
  }
  if (content?.type === 'TOTP' && content.period <= LONGEST_PERIOD) {
    const { value: secret, period, algorithm } = content;
    return { type: 'totp', secret, period, digits: 6, algorithm };
  }
  if (content?.type !== 'password' || (content.login === '' && content.title !== 'Password')) return null;
  return {
    type: 'basic-auth',
    ...(content.login === '' ? {} : { username: editable('string', content.login) }),
    password: editable('concealed-string', content.value, content.title === 'Password' ? '' : content.title),
  };
}

function customField(field: TreeField): Json {
  const content = contentOf(field);
  const title = content?.title ?? '';
  if (content?.type === 'TOTP') return editable('concealed-string', otpAddress(content), title);
  return editable(content?.type === 'password' ? 'concealed-string' : 'string', valueOf(field), title);
}
