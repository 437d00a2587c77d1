/** Bitwarden JSON, password-protected or plain, and the ZIP with attachments. */
import { utf8 } from '../../../crypto/bytes.ts';
import { JsonObject } from '../json/json-object.ts';
import { otpAddress } from '../json/named-fields.ts';
import { idForBitwarden, passkeyIn } from '../json/passkey.ts';
import { isMainPassword, pick, shownMarks, uniqueNames } from '../json/write-entries.ts';
import { lossBetween, pathsOf } from '../json/loss.ts';
import {
  hasFiles,
  type ExchangeTree,
  type PlainContent,
  type SkippedThing,
  type TreeEntry,
  type TreeField,
  type TreeGroup,
} from '../tree.ts';
import { fileField, treeBuilder } from '../tree-builder.ts';
import type { Write, WriteOptions } from '../writers.ts';
import { addItem } from './read-bitwarden.ts';
import { sealProtected } from './protected.ts';

type Json = Readonly<Record<string, unknown>>;
type Password = Extract<PlainContent, { type: 'password' }>;

/** Without attachments, which would lie beside it in the clear. */
export const writeBitwarden: Write = async function* (tree, options) {
  const json: Uint8Array[] = [];
  for await (const part of jsonOf(tree, idsOf(tree), options)) json.push(part);
  const whole = new Uint8Array(await new Blob(json as BlobPart[]).arrayBuffer());
  yield utf8(JSON.stringify(await sealProtected(whole, options.password)));
};

/** A ZIP if there are files. */
export const writeBitwardenPlain: Write = async function* (tree, options) {
  const ids = idsOf(tree);
  if (!hasFiles(tree)) {
    yield* jsonOf(tree, ids, options);
    return;
  }
  const { writeZip } = await import('../json/write-zip.ts');
  yield* writeZip(
    (async function* () {
      yield { name: 'data.json', parts: jsonOf(tree, ids, options) };
      for (const [at, entry] of tree.entries.entries())
        for (const { name, bytes } of uniqueNames(entry)) {
          options.signal?.throwIfAborted();
          yield { name: `attachments/${ids.items[at]}/${name}`, parts: [bytes] };
        }
    })(),
  );
};

export const lossOfBitwarden = (tree: ExchangeTree): readonly SkippedThing[] => lossOf(tree, false);
export const lossOfBitwardenPlain = (tree: ExchangeTree): readonly SkippedThing[] => lossOf(tree, true);

function lossOf(tree: ExchangeTree, withFiles: boolean): readonly SkippedThing[] {
  const paths = pathsOf(tree);
  return lossBetween(tree, (entry) => {
    const read = treeBuilder(Number.MAX_SAFE_INTEGER);
    const path = paths[entry.group] ?? [];
    const group = path.length === 0 ? 0 : read.group(folderName(path).split('/'));
    const files = withFiles ? uniqueNames(entry).map(({ name, bytes }) => fileField(name, bytes)) : [];
    addItem(new JsonObject(itemOf(entry, 'id', null)), group, files, read);
    const made = read.end();
    return { entries: made.entries, path: pathsOf(made)[group] ?? [] };
  });
}

interface Ids {
  readonly folders: readonly string[];
  readonly items: readonly string[];
}

const idsOf = ({ groups, entries }: ExchangeTree): Ids => ({
  folders: groups.map(() => crypto.randomUUID()),
  items: entries.map(() => crypto.randomUUID()),
});

const isRoot = (group: TreeGroup | undefined): boolean => (group?.parent ?? null) === null;
const folderName = (path: readonly string[]) => path.join('/');

async function* jsonOf(tree: ExchangeTree, ids: Ids, options: WriteOptions): AsyncGenerator<Uint8Array> {
  const { groups, entries } = tree;
  const folders = pathsOf(tree).flatMap((path, at) =>
    isRoot(groups[at]) ? [] : [{ id: ids.folders[at], name: folderName(path) }],
  );
  yield utf8(`{"encrypted":false,"folders":${JSON.stringify(folders)},"items":[`);
  for (const [at, entry] of entries.entries()) {
    options.signal?.throwIfAborted();
    const folder = isRoot(groups[entry.group]) ? null : (ids.folders[entry.group] ?? null);
    const item = JSON.stringify(itemOf(entry, ids.items[at] ?? '', folder));
    yield utf8(at === 0 ? item : `,${item}`);
    options.onProgress?.(at + 1, entries.length);
  }
  yield utf8(']}');
}

const TYPE = { login: 1, note: 2 } as const;
const FIELD = { text: 0, hidden: 1 } as const;

function itemOf(entry: TreeEntry, id: string, folderId: string | null): Json {
  const rest = [...entry.fields];
  const password = pick(rest, isMainPassword);
  const totp = pick(rest, 'TOTP', 'One-time password');
  const links = rest.filter(({ type }) => type === 'link');
  const passkeys = rest.filter((field) => passkeyIn(field) !== null);
  const notes = pick(rest, 'note', 'Notes', (field) => valueOf(field).trim() !== '');
  const isLogin = password !== null || totp !== null || links.length > 0 || passkeys.length > 0;
  const written = new Set([...links, ...passkeys]);
  return {
    id,
    organizationId: null,
    folderId,
    type: isLogin ? TYPE.login : TYPE.note,
    reprompt: 0,
    name: entry.title,
    notes: [notes === null ? '' : valueOf(notes), shownMarks(entry)].filter((part) => part !== '').join('\n\n') || null,
    favorite: false,
    fields: rest.filter((field) => !written.has(field)).flatMap(customFields),
    ...(isLogin ? { login: loginOf(password, totp, links, passkeys, entry) } : { secureNote: { type: 0 } }),
    passwordHistory: password === null ? null : formerPasswords(password),
    collectionIds: null,
    deletedDate: null,
    ...(entry.created === null ? {} : { creationDate: dateOf(entry.created) }),
    ...(entry.modified === null ? {} : { revisionDate: dateOf(entry.modified) }),
  };
}

const dateOf = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());
const contentOf = ({ revisions }: TreeField): PlainContent | undefined => revisions.at(-1)?.content;

function valueOf(field: TreeField): string {
  const content = contentOf(field);
  return content === undefined || content.type === 'file' ? '' : content.value;
}

function loginOf(
  password: TreeField | null,
  totp: TreeField | null,
  links: readonly TreeField[],
  passkeys: readonly TreeField[],
  entry: TreeEntry,
): Json {
  const present = password === null ? undefined : (contentOf(password) as Password | undefined);
  const code = totp === null ? undefined : contentOf(totp);
  return {
    uris: links.map((link) => ({ match: null, uri: valueOf(link) })),
    username: present?.login ?? null,
    password: present?.value ?? null,
    totp: code?.type === 'TOTP' ? otpAddress(code) : null,
    fido2Credentials: passkeys.map((field) => fido2Credential(field, entry)),
    passwordRevisionDate: dateOf(password?.revisions.at(-1)?.at ?? null),
  };
}

function fido2Credential(field: TreeField, { created }: TreeEntry): Json {
  const passkey = passkeyIn(field);
  if (passkey === null) return {};
  const { counter, discoverable, rpName } = passkey;
  return {
    credentialId: idForBitwarden(passkey.credentialId),
    keyType: 'public-key',
    keyAlgorithm: 'ECDSA',
    keyCurve: 'P-256',
    keyValue: passkey.key,
    rpId: passkey.rpId,
    userHandle: passkey.userHandle,
    userName: passkey.username,
    counter: typeof counter === 'string' ? counter : '0',
    rpName: typeof rpName === 'string' ? rpName : null,
    userDisplayName: passkey.userDisplayName,
    discoverable: typeof discoverable === 'string' ? discoverable : 'true',
    creationDate: dateOf(created ?? 0),
  };
}

/** Newest first; each with the time of the one after it. */
const formerPasswords = ({ revisions }: TreeField): Json[] =>
  revisions
    .slice(0, -1)
    .map(({ content }, at) => ({
      lastUsedDate: dateOf(revisions[at + 1]?.at ?? null),
      password: content.type === 'password' ? content.value : '',
    }))
    .reverse();

/** A further password with a user name has a text beside it. */
function customFields(field: TreeField): Json[] {
  const content = contentOf(field);
  if (content === undefined || content.type === 'file') return [];
  const value = content.type === 'TOTP' ? otpAddress(content) : content.value;
  const isHidden = content.type === 'password' || content.type === 'TOTP';
  const own = { name: content.title, value, type: isHidden ? FIELD.hidden : FIELD.text, linkedId: null };
  if (content.type !== 'password' || content.login === '') return [own];
  return [own, { name: `${content.title}: user name`, value: content.login, type: FIELD.text, linkedId: null }];
}
